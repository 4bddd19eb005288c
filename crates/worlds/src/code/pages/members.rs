//! Who belongs to a project, and in which role.

use maud::html;

use super::Visit;
use super::layout::project_page;
use super::parts::{avatar, heading, person};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::state::Role;

pub fn page(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let may_change = repo.may(Role::Maintainer) && !repo.now.archived;
    let roles: Vec<Role> = Role::ALL.iter().copied().filter(|role| repo.may(*role)).collect();
    let content = html! {
        (heading("Members", repo.now.members.len()))
        @if may_change {
            form.inline.panel method="post" action={ "/" (repo.path) "/members" } {
                label for="username" { "User name" }
                input #username type="text" name="username" maxlength="100" value=(visit.typed("username", ""));
                label for="role" { "Role" }
                select #role name="role" {
                    @for role in &roles { option value=(role.code()) selected[role.code() == visit.typed("role", "guest")] { (role.label()) } }
                }
                label for="expires" { "Access until" }
                input #expires type="text" name="expires" placeholder="YYYY-MM-DD" value=(visit.typed("expires", ""));
                button.primary type="submit" { "Invite member" }
            }
        }
        table {
            thead { tr { th { "Account" } th { "Role" } th { "Access until" } th { span.hidden { "Actions" } } } }
            tbody {
                @for (username, member) in &repo.now.members {
                    tr {
                        td.account { (avatar(username, 32)) span { strong { (repo.board.name_of(username)) } br; (person(username)) } }
                        td {
                            @if may_change && username != VISITOR && repo.may(member.role) {
                                form.role method="post" action={ "/" (repo.path) "/members/" (username) "/role" } {
                                    select name="role" aria-label={ "Role of " (username) } {
                                        @for role in &roles { option value=(role.code()) selected[*role == member.role] { (role.label()) } }
                                    }
                                    button type="submit" aria-label={ "Save role of " (username) } { "Save" }
                                }
                            } @else { (member.role.label()) }
                        }
                        td { (member.expires.as_deref().unwrap_or("No end")) }
                        td.right { @if may_change && username != VISITOR {
                            form method="post" action={ "/" (repo.path) "/members/" (username) "/remove" } {
                                button.danger type="submit" aria-label={ "Remove " (username) } { "Remove" }
                            }
                        } }
                    }
                }
            }
        }
    };
    project_page(visit, repo, "Members", "Members", &content)
}
