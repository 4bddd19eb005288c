//! Weightroom's own pages.

use maud::{Markup, html};

use super::content::{Catalogue, Model, TASKS, size};
use crate::kit::text::thousands;
use crate::settings::{View, list_button};

const PER_PAGE: usize = 30;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let catalogue = Catalogue::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("Trending this week".to_owned(), home(&catalogue))),
        ["models"] => Some(("Models".to_owned(), list(view, &catalogue))),
        ["models", id] => catalogue
            .model(id)
            .map(|model| (format!("{}/{}", model.organisation, model.name), card(view, &catalogue, model))),
        ["starred"] => {
            let starred: Vec<&Model> =
                catalogue.models.iter().filter(|model| view.state.list_has("starred", &model.id)).collect();
            Some(("Starred".to_owned(), rows(&starred)))
        }
        ["me"] => Some((view.state.text("full_name").to_owned(), me(view))),
        _ => None,
    }
}

fn home(catalogue: &Catalogue) -> Markup {
    let mut trending: Vec<&Model> = catalogue.models.iter().filter(|model| model.days_old < 60).collect();
    trending.sort_by_key(|model| -model.likes);
    trending.truncate(12);
    html! {
        ul.tasks { @for task in TASKS { li { a href=(format!("/models?task={}", task.replace(' ', "+"))) { (task) } } } }
        (rows(&trending))
    }
}

fn list(view: &View<'_>, catalogue: &Catalogue) -> Markup {
    let asked = |name: &str| view.request.query(name).unwrap_or_default();
    let page: usize = asked("page").parse().ok().filter(|page| (1..1_000).contains(page)).unwrap_or(1);
    let words = asked("q").to_lowercase();
    let mut found: Vec<&Model> = catalogue
        .models
        .iter()
        .filter(|model| asked("task").is_empty() || model.task == asked("task"))
        .filter(|model| format!("{}/{}", model.organisation, model.name).contains(&words))
        .collect();
    match asked("sort") {
        "downloads" => found.sort_by_key(|model| -model.downloads),
        "size" => found.sort_by_key(|model| model.parameters),
        "new" => found.sort_by_key(|model| model.days_old),
        _ => found.sort_by_key(|model| -model.likes),
    }
    let shown: Vec<&Model> = found.iter().skip((page - 1) * PER_PAGE).take(PER_PAGE).copied().collect();
    let link = |page: usize| {
        let query = [
            ("q", asked("q")),
            ("task", asked("task")),
            ("sort", asked("sort")),
            ("page", &page.to_string()),
        ];
        format!(
            "/models?{}",
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish()
        )
    };
    html! {
        form.filters action="/models" {
            input type="search" name="q" aria-label="Filter by name" placeholder="Filter by name" value=(asked("q"));
            select name="task" aria-label="Task" {
                option value="" { "Any task" }
                @for task in TASKS { option value=(task) selected[task == asked("task")] { (task) } }
            }
            select name="sort" aria-label="Sort" {
                @for (id, label) in [("likes", "Most liked"), ("downloads", "Most downloads"), ("size", "Smallest"), ("new", "Newest")] {
                    option value=(id) selected[id == asked("sort")] { (label) }
                }
            }
            button type="submit" { "Apply" }
            span.quiet { (found.len()) " models" }
        }
        (rows(&shown))
        nav.pager aria-label="Pages" {
            @if page > 1 { a href=(link(page - 1)) { "Previous" } }
            @if found.len() > page * PER_PAGE { a href=(link(page + 1)) { "Next" } }
        }
    }
}

fn rows(models: &[&Model]) -> Markup {
    html! {
        @if models.is_empty() { p.quiet { "Nothing matches." } }
        ul.models {
            @for model in models {
                li {
                    a href=(format!("/models/{}", model.id)) { span { (model.organisation) "/" } (model.name) }
                    small { (model.task) " · " (size(model.parameters)) " · " (model.licence) }
                    small { "updated " (model.days_old) " days ago · " (thousands(model.downloads.unsigned_abs())) " downloads · ♥ " (thousands(model.likes.unsigned_abs())) }
                }
            }
        }
    }
}

fn card(view: &View<'_>, catalogue: &Catalogue, model: &Model) -> Markup {
    let back = format!("/models/{}", model.id);
    let starred = view.state.list_has("starred", &model.id);
    let more: Vec<&Model> = catalogue
        .models
        .iter()
        .filter(|other| other.organisation == model.organisation && other.id != model.id)
        .take(4)
        .collect();
    html! {
        p.tags { span { (model.task) } span { (size(model.parameters)) " parameters" } span { (model.licence) } }
        (list_button("starred", &model.id, &back, None, if starred { "Unstar" } else { "Star" }))
        div.sheet {
            section.readme {
                h2 { "Model card" }
                p { "A " (model.task.to_lowercase()) " model with " (size(model.parameters)) " parameters, trained by " (model.organisation) " on text it was allowed to use." }
                h3 { "Intended use" }
                p { "Prototypes and research. Check its output before anything depends on it." }
                h3 { "How to run it" }
                pre { code { "weightroom pull " (model.organisation) "/" (model.name) "\nweightroom run " (model.name) " --port 8080" } }
                h3 { "Numbers" }
                table.records {
                    tbody {
                        tr { th { "Downloads" } td { (thousands(model.downloads.unsigned_abs())) } }
                        tr { th { "Likes" } td { (thousands(model.likes.unsigned_abs())) } }
                        tr { th { "Last update" } td { (model.days_old) " days ago" } }
                    }
                }
            }
            aside aria-label="More of this organisation" {
                h2 { "More by " (model.organisation) }
                (rows(&more))
            }
        }
    }
}

fn me(view: &View<'_>) -> Markup {
    html! {
        p { (view.state.text("interests")) }
        p.quiet { (view.state.text("homepage")) @if view.state.is_on("show_email") { " · " (view.description.owner.email) } }
        p { a href="/settings/profile" { "Edit profile" } }
    }
}
