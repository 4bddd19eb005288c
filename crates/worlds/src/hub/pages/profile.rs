//! Name, birthday, city, language.

use http::StatusCode;
use maud::html;

use super::layout::{drop_down, page, problem};
use crate::hub::settings::{LANGUAGES, PRONOUNS};
use crate::hub::state::Profile;
use crate::hub::{Hub, View};
use crate::{Request, Response};

const LONGEST_NAME: usize = 60;
const LONGEST_BIO: usize = 280;

pub(in crate::hub) fn show(view: &View<'_>, error: Option<&str>) -> Response {
    let profile = &view.state.profile;
    let content = html! {
        p.lead { "Shown to people you write to. What is public is set on the "
            a href="/privacy" { "privacy page" } "." }
        (problem(error))
        form.card.stack method="post" action="/profile" {
            label.field { span { "Display name" }
                input type="text" name="display_name" value=(profile.display_name) maxlength=(LONGEST_NAME) required; }
            (drop_down("pronouns", "Pronouns", &PRONOUNS, &profile.pronouns))
            label.field { span { "Birthday" } input type="date" name="birthday" value=(profile.birthday); }
            label.field { span { "City" } input type="text" name="city" value=(profile.city); }
            (drop_down("language", "Language", &LANGUAGES, &profile.language))
            label.field { span { "About you" }
                textarea name="bio" rows="3" maxlength=(LONGEST_BIO) { (profile.bio) } }
            div.actions { button.primary type="submit" { "Save profile" } }
        }
    };
    page(view, "Profile", &content)
}

pub(in crate::hub) fn save(hub: &mut Hub, request: &Request) -> Response {
    match read(request) {
        Ok(profile) => {
            hub.state.profile = profile;
            Response::see_other("/profile?done=profile")
        }
        Err(error) => show(&hub.view(request), Some(error)).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn read(request: &Request) -> Result<Profile, &'static str> {
    let field = |name: &str| request.form(name).unwrap_or_default().trim().to_owned();
    let profile = Profile {
        display_name: field("display_name"),
        pronouns: field("pronouns"),
        birthday: field("birthday"),
        city: field("city"),
        language: field("language"),
        bio: field("bio"),
    };
    let length = profile.display_name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err("Enter a display name of at most 60 characters.");
    }
    if !profile.birthday.is_empty() && profile.birthday.parse::<jiff::civil::Date>().is_err() {
        return Err("Enter the birthday as a date.");
    }
    if profile.bio.chars().count() > LONGEST_BIO || profile.city.chars().count() > LONGEST_NAME {
        return Err("That text is too long.");
    }
    let offered = |table: &[(&str, &str)], id: &str| table.iter().any(|(known, _)| *known == id);
    if !offered(&PRONOUNS, &profile.pronouns) || !offered(&LANGUAGES, &profile.language) {
        return Err("Choose pronouns and language from the lists.");
    }
    Ok(profile)
}
