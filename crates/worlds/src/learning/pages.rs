//! Brightwell's own pages.

use maud::{Markup, html};

use super::content::{Catalogue, Course, LEVELS, subjects};
use crate::kit::text::thousands;
use crate::settings::{View, list_button};

const PER_PAGE: usize = 18;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let catalogue = Catalogue::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("What would you like to understand?".to_owned(), home(view, &catalogue))),
        ["courses"] => Some(("All courses".to_owned(), list(view, &catalogue))),
        ["courses", id] => {
            catalogue.course(id).map(|course| (course.title.clone(), detail(view, &catalogue, course)))
        }
        ["learning"] => Some(("My learning".to_owned(), my_learning(view, &catalogue))),
        _ => None,
    }
}

fn home(view: &View<'_>, catalogue: &Catalogue) -> Markup {
    html! {
        (finder(view))
        ul.subjects { @for subject in subjects() { li { a href=(format!("/courses?subject={subject}")) { (subject) } } } }
        h2 { "Loved by learners" }
        (cards(catalogue.courses.iter().filter(|course| course.rating >= 49).take(6)))
    }
}

fn finder(view: &View<'_>) -> Markup {
    let asked = |name: &str| view.request.query(name).unwrap_or_default().to_owned();
    html! {
        form.finder role="search" action="/courses" {
            input type="search" name="q" aria-label="Search courses" placeholder="Try “statistics” or “bees”" value=(asked("q"));
            select name="subject" aria-label="Subject" {
                option value="" { "Any subject" }
                @for subject in subjects() { option value=(subject) selected[asked("subject") == subject] { (subject) } }
            }
            select name="level" aria-label="Level" {
                option value="" { "Any level" }
                @for level in LEVELS { option value=(level) selected[asked("level") == level] { (level) } }
            }
            button.primary type="submit" { "Find courses" }
        }
    }
}

fn list(view: &View<'_>, catalogue: &Catalogue) -> Markup {
    let asked = |name: &str| view.request.query(name).unwrap_or_default().to_owned();
    let (words, subject, level) = (asked("q").to_lowercase(), asked("subject"), asked("level"));
    let page: usize = asked("page").parse().ok().filter(|page| (1..1_000).contains(page)).unwrap_or(1);
    let found: Vec<&Course> = catalogue
        .courses
        .iter()
        .filter(|course| subject.is_empty() || course.subject == subject)
        .filter(|course| level.is_empty() || course.level == level)
        .filter(|course| format!("{} {}", course.title, course.subject).to_lowercase().contains(&words))
        .collect();
    let link = |page: usize| {
        let query =
            [("q", words.as_str()), ("subject", &subject), ("level", &level), ("page", &page.to_string())];
        format!(
            "/courses?{}",
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish()
        )
    };
    html! {
        (finder(view))
        p.quiet { (found.len()) " courses" }
        (cards(found.iter().copied().skip((page - 1) * PER_PAGE).take(PER_PAGE)))
        @if found.is_empty() { p { "Nothing yet. We are open to suggestions." } }
        nav.pager aria-label="Pages" {
            @if page > 1 { a href=(link(page - 1)) { "Previous page" } }
            @if found.len() > page * PER_PAGE { a href=(link(page + 1)) { "Next page" } }
        }
    }
}

fn cards<'a>(courses: impl Iterator<Item = &'a Course>) -> Markup {
    html! {
        div.cards {
            @for course in courses {
                article.course {
                    (cover(course))
                    p.quiet { (course.subject) " · " (course.level) }
                    h3 { a href=(format!("/courses/{}", course.id)) { (course.title) } }
                    p { "with " (course.teacher) }
                    p.quiet { "★ " (course.rating / 10) "." (course.rating % 10) " · " (thousands(course.learners.unsigned_abs())) " learners · " (course.weeks) " weeks" }
                }
            }
        }
    }
}

fn cover(course: &Course) -> Markup {
    let turn = course.title.bytes().map(i64::from).sum::<i64>();
    html! {
        svg viewBox="0 0 200 80" aria-hidden="true" {
            rect width="200" height="80" fill=(format!("hsl({} 38% 82%)", 120 + turn % 90)) {}
            @for ring in 1..5_i64 {
                circle cx=(40 + turn % 120) cy=(70 - turn % 40) r=(ring * 16) fill="none" stroke="#14624a" stroke-opacity=".35" stroke-width="3" {}
            }
        }
    }
}

/// What a week in the middle of a course is about.
const WEEKS: [&str; 5] = [
    "practice and review",
    "reading together",
    "a small experiment",
    "questions from the class",
    "what goes wrong, and why",
];

fn detail(view: &View<'_>, catalogue: &Catalogue, course: &Course) -> Markup {
    let back = format!("/courses/{}", course.id);
    let listed = view.state.list_has("wishlist", &course.id);
    let more =
        catalogue.courses.iter().filter(|other| other.subject == course.subject && other.id != course.id);
    let about = |week: i64| match week {
        1 => "first steps",
        week if week == course.weeks => "a project of your own",
        week => WEEKS[usize::try_from(week).unwrap_or_default() % WEEKS.len()],
    };
    html! {
        div.course-page {
            div {
                p.lead { (course.subject) " · " (course.level) }
                p { "With " b { (course.teacher) } ". Every week has three short lessons, one longer reading and a task that somebody else in the course reviews." }
                h2 { "Week by week" }
                ol { @for week in 1..=course.weeks { li { "Week " (week) ": " (about(week)) } } }
            }
            aside.enrol aria-label="At a glance" {
                (cover(course))
                dl {
                    dt { "Length" } dd { (course.weeks) " weeks" }
                    dt { "Learners" } dd { (thousands(course.learners.unsigned_abs())) }
                    dt { "Rating" } dd { "★ " (course.rating / 10) "." (course.rating % 10) }
                    dt { "Language" } dd { "English" }
                    dt { "Certificate" } dd { "on passing" }
                }
                (list_button("wishlist", &course.id, &back, None, if listed { "Remove from my list" } else { "Add to my list" }))
            }
        }
        h2 { "More in " (course.subject) }
        (cards(more.take(3)))
    }
}

fn my_learning(view: &View<'_>, catalogue: &Catalogue) -> Markup {
    html! {
        p.lead { "Your list for later." }
        (cards(catalogue.courses.iter().filter(|course| view.state.list_has("wishlist", &course.id))))
        p { a href="/settings/data" { "Drafts and records" } }
    }
}
