//! Nine pictures, of which those with one thing in them must be chosen.

use std::collections::BTreeSet;

use http::StatusCode;
use maud::{Markup, html};
use umpire_model::Random;

use super::drawing::{self, THINGS, Thing};
use crate::{Request, Response};

const TILES: usize = 9;

/// What each tile of a puzzle shows, and what is asked for.
struct Puzzle {
    wanted: Thing,
    tiles: Vec<Thing>,
}

fn puzzle(seed: u64, number: u32) -> Puzzle {
    let mut random = Random::stream(seed, &format!("travel puzzle {number}"));
    let wanted = THINGS[random.below(THINGS.len())];
    let others: Vec<Thing> = THINGS.into_iter().filter(|thing| *thing != wanted).collect();
    let right = 3 + random.below(2);
    let mut tiles: Vec<Thing> = (0..TILES)
        .map(|index| if index < right { wanted } else { others[random.below(others.len())] })
        .collect();
    random.shuffle(&mut tiles);
    Puzzle { wanted, tiles }
}

/// Positions of the right tiles, from 1.
fn solution(seed: u64, number: u32) -> BTreeSet<usize> {
    let Puzzle { wanted, tiles } = puzzle(seed, number);
    tiles.into_iter().zip(1..).filter(|(thing, _)| *thing == wanted).map(|(_, position)| position).collect()
}

pub(super) fn is_solved_by(seed: u64, number: u32, request: &Request) -> bool {
    let chosen: BTreeSet<usize> = request
        .form
        .iter()
        .filter(|(name, _)| name == "tile")
        .filter_map(|(_, tile)| tile.parse().ok())
        .collect();
    chosen == solution(seed, number)
}

/// The tiles have no names but their places: what they show can only be seen.
pub(super) fn page(seed: u64, number: u32, request: &Request) -> Markup {
    let wanted = puzzle(seed, number).wanted;
    html! {
        h1 { "Show us that you can see" }
        p { "Choose every square with " strong { (wanted.in_words()) } ", then continue." }
        form.puzzle method="post" action="/wall/puzzle" {
            input type="hidden" name="next" value=(request.target);
            div.tiles role="group" aria-label="Picture squares" {
                @for tile in 1..=TILES {
                    button.tile type="button" aria-pressed="false" aria-label=(format!("Square {tile}")) data-tile=(tile) {
                        img src=(format!("/wall/tile/{number}/{tile}.svg")) alt="" width="104" height="104";
                    }
                }
            }
            button.go type="submit" { "Verify and continue" }
        }
        p.fine { "After three wrong answers the visit ends." }
        script src="/assets/wall.js" defer {}
    }
}

pub(super) fn tile(seed: u64, number: &str, tile: &str) -> Response {
    let place = tile.trim_end_matches(".svg").parse::<usize>().ok().and_then(|tile| tile.checked_sub(1));
    let thing = number.parse().ok().zip(place).and_then(|(number, place)| {
        puzzle(seed, number).tiles.get(place).copied().map(|thing| (number, place, thing))
    });
    match thing {
        Some((number, place, thing)) => {
            let mut random = Random::stream(seed, &format!("travel tile {number} {place}"));
            Response::svg(drawing::draw(thing, &mut random))
        }
        None => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_has_a_few_right_tiles_and_more_wrong_ones() {
        let mut solutions = BTreeSet::new();
        for number in 1..40 {
            let right = solution(7, number);
            assert!((3..=4).contains(&right.len()), "puzzle {number}");
            assert_eq!(right, solution(7, number));
            solutions.insert(right);
        }
        assert!(solutions.len() > 20, "they differ");
    }
}
