//! Quarterdeck's own pages.

use maud::{Markup, html};

use super::content::{Catalogue, Game, genres};
use crate::settings::{View, list_button, menu};

const PER_PAGE: usize = 24;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let catalogue = Catalogue::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("Weekend on deck".to_owned(), home(view, &catalogue))),
        ["browse"] => Some(browse(view, &catalogue)),
        ["wishlist"] => {
            let wished: Vec<&Game> =
                catalogue.games.iter().filter(|game| view.state.list_has("wishlist", &game.id)).collect();
            Some(("Your wishlist".to_owned(), tiles(view, &wished, "/wishlist")))
        }
        ["game", id] => catalogue.game(id).map(|game| (game.title.clone(), detail(view, &catalogue, game))),
        _ => None,
    }
}

fn home(view: &View<'_>, catalogue: &Catalogue) -> Markup {
    let wanted = |game: &&Game| !view.state.list_has("ignored_games", &game.id);
    let sale: Vec<&Game> =
        catalogue.games.iter().filter(|game| game.discount >= 60).filter(wanted).take(8).collect();
    let loved: Vec<&Game> =
        catalogue.games.iter().filter(|game| game.liked >= 97).filter(wanted).take(8).collect();
    html! {
        h2 { "Deep discounts" } (tiles(view, &sale, "/"))
        h2 { "Loved by players" } (tiles(view, &loved, "/"))
    }
}

fn browse(view: &View<'_>, catalogue: &Catalogue) -> (String, Markup) {
    let asked = |name: &str| view.request.query(name).unwrap_or_default();
    let words = asked("q").to_lowercase();
    let mut found: Vec<&Game> = catalogue
        .games
        .iter()
        .filter(|game| asked("genre").is_empty() || game.genre == asked("genre"))
        .filter(|game| game.title.to_lowercase().contains(&words))
        .collect();
    match asked("sort") {
        "price" => found.sort_by_key(|game| price(game)),
        "liked" => found.sort_by_key(|game| -game.liked),
        "new" => found.sort_by_key(|game| -game.year),
        _ => {}
    }
    let title = if asked("genre").is_empty() { "All games".to_owned() } else { asked("genre").to_owned() };
    let count = found.len();
    found.truncate(PER_PAGE);
    let markup = html! {
        form.filters action="/browse" {
            input type="search" name="q" aria-label="Title" placeholder="Title" value=(asked("q"));
            select name="genre" aria-label="Genre" {
                option value="" { "Any genre" }
                @for genre in genres() { option value=(genre) selected[genre == asked("genre")] { (genre) } }
            }
            select name="sort" aria-label="Sort by" {
                @for (id, label) in [("", "Featured"), ("price", "Lowest price"), ("liked", "Best reviews"), ("new", "Newest")] {
                    option value=(id) selected[id == asked("sort")] { (label) }
                }
            }
            button type="submit" { "Show" }
            span.quiet { (count) " games" }
        }
        (tiles(view, &found, "/browse"))
    };
    (title, markup)
}

fn price(game: &Game) -> i64 {
    game.cents * (100 - game.discount) / 100
}

fn euros(cents: i64) -> String {
    format!("€{}.{:02}", cents / 100, cents % 100)
}

fn tiles(view: &View<'_>, games: &[&Game], back: &str) -> Markup {
    html! {
        @if games.is_empty() { p.quiet { "No games here." } }
        div.tiles { @for game in games { (tile(view, game, back)) } }
    }
}

fn tile(view: &View<'_>, game: &Game, back: &str) -> Markup {
    let wished = view.state.list_has("wishlist", &game.id);
    let dots = html! { svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" { path d="M5 12h.01M12 12h.01M19 12h.01" {} } };
    let entries = html! {
        (list_button("wishlist", &game.id, back, Some("menuitem"), if wished { "Remove from wishlist" } else { "Add to wishlist" }))
        (list_button("ignored_games", &game.id, back, Some("menuitem"), "Ignore this game"))
    };
    html! {
        article.tile {
            a href=(format!("/game/{}", game.id)) aria-label=(game.title) { (cover(game)) }
            div.caption {
                h3 { (game.title) }
                p.quiet { (game.genre) " · " (game.studio) }
                p.price { @if game.discount > 0 { b { "-" (game.discount) "%" } s { (euros(game.cents)) } } (euros(price(game))) }
                (menu(&format!("menu-{}", game.id), &format!("More about {}", game.title), &dots, &entries))
            }
        }
    }
}

fn cover(game: &Game) -> Markup {
    let hue = game.title.bytes().fold(7_u32, |hue, byte| (hue * 37 + u32::from(byte)) % 360);
    html! {
        svg.cover viewBox="0 0 160 100" aria-hidden="true" {
            rect width="160" height="100" fill=(format!("hsl({hue} 50% 22%)")) {}
            path d=(format!("M0 100 L{} 30 L70 80 L{} 20 L160 100 Z", 20 + hue % 40, 90 + hue % 50)) fill=(format!("hsl({} 55% 38%)", (hue + 30) % 360)) {}
            circle cx=(hue % 130 + 15) cy="22" r="9" fill=(format!("hsl({} 80% 70%)", (hue + 60) % 360)) {}
        }
    }
}

fn detail(view: &View<'_>, catalogue: &Catalogue, game: &Game) -> Markup {
    let back = format!("/game/{}", game.id);
    let wished = view.state.list_has("wishlist", &game.id);
    let alike: Vec<&Game> = catalogue
        .games
        .iter()
        .filter(|other| other.genre == game.genre && other.id != game.id)
        .take(4)
        .collect();
    html! {
        div.detail {
            (cover(game))
            div {
                p { (game.genre) " by " b { (game.studio) } ", " (game.year) }
                p { (game.liked) " % of players liked it." }
                p { "Sail in, look around, and find out why the harbour went silent. For one player or four friends." }
                p.price { @if game.discount > 0 { b { "-" (game.discount) "%" } s { (euros(game.cents)) } } (euros(price(game))) }
                (list_button("wishlist", &game.id, &back, None, if wished { "Remove from wishlist" } else { "Add to wishlist" }))
            }
        }
        section.facts {
            div {
                h2 { "About this game" }
                p { (game.title) " is a " (game.genre.to_lowercase()) " game that " (game.studio) " has been mending ever since it came out in " (game.year) "." }
                p { "Progress is kept on this deck and in the cloud. A controller helps, a crew helps more." }
            }
            table {
                tbody {
                    tr { th { "Genre" } td { (game.genre) } }
                    tr { th { "Studio" } td { (game.studio) } }
                    tr { th { "Released" } td { (game.year) } }
                    tr { th { "Memory" } td { (4 + game.year % 4 * 4) " GB" } }
                    tr { th { "Space on disk" } td { (3 + game.cents % 61) " GB" } }
                }
            }
        }
        h2 { "More " (game.genre.to_lowercase()) " games" }
        (tiles(view, &alike, &back))
    }
}
