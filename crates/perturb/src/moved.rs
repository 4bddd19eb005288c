//! Controls in another place: links of a navigation, groups of a form, buttons side by side trade places.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::page::{Edits, Element, Kind, Piece, elements, pieces};

/// A row of siblings longer than this is data, not navigation.
const MOST: usize = 24;

/// Rewrites a page; the number says how many rows of controls were put in another order.
pub fn rewrite(page: &str, random: &mut Random) -> (String, u32) {
    let pieces = pieces(page);
    let elements = elements(&pieces);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); elements.len()];
    for (index, element) in elements.iter().enumerate() {
        if let Some(parent) = element.parent {
            children[parent].push(index);
        }
    }
    let mut edits = Edits::default();
    let mut moved = 0;
    // Inside something that moves as a whole, all stays as it is.
    let mut is_taken = vec![false; elements.len()];
    for parent in 0..elements.len() {
        is_taken[parent] |= elements[parent].parent.is_some_and(|above| is_taken[above]);
        if is_taken[parent] {
            continue;
        }
        let row: Vec<usize> = row_of(&elements, &pieces, parent, &children[parent]);
        let shown: Vec<&Element> = row.iter().map(|&child| &elements[child]).collect();
        if row.len() < 2 || row.len() > MOST || !may_trade_places(&shown, &pieces) {
            continue;
        }
        let mut order: Vec<usize> = (0..row.len()).collect();
        random.shuffle(&mut order);
        if order.is_sorted() {
            order.rotate_left(1);
        }
        for (place, &from) in order.iter().enumerate() {
            edits.replace(shown[place].range.clone(), &page[shown[from].range.clone()]);
            is_taken[row[place]] = true;
        }
        moved += 1;
    }
    (edits.apply(page), moved)
}

/// Which of the children of an element may trade places.
fn row_of(elements: &[Element], pieces: &[Piece<'_>], parent: usize, children: &[usize]) -> Vec<usize> {
    let name = |element: usize| pieces[elements[element].tag].name();
    let above = || std::iter::successors(Some(parent), |&at| elements[at].parent);
    let inside = |wanted: &str| above().any(|element| name(element) == wanted);
    if children.len() < 2 {
        return Vec::new();
    }
    let in_form = inside("form");
    if inside("nav") && !in_form {
        return children.iter().copied().filter(|&child| matches!(name(child), "li" | "a")).collect();
    }
    if !in_form || inside("table") || inside("select") {
        return Vec::new();
    }
    let is_group = |child: usize| matches!(name(child), "div" | "p" | "fieldset" | "label");
    let fields = children.iter().copied();
    let fields: Vec<usize> =
        fields.filter(|&child| is_group(child) && has_one_field(&elements[child], pieces)).collect();
    // Fields among fields and buttons among buttons: a form still ends with what sends it.
    if fields.len() >= 2 {
        return fields;
    }
    children.iter().copied().filter(|&child| name(child) == "button").collect()
}

fn inside_of<'p, 'q>(element: &Element, pieces: &'q [Piece<'p>]) -> impl Iterator<Item = &'q Piece<'p>> {
    let end = element.range.end;
    pieces[element.tag..].iter().take_while(move |piece| piece.at < end)
}

fn is_field(piece: &Piece<'_>) -> bool {
    piece.kind == Kind::Open && matches!(piece.name(), "input" | "select" | "textarea")
}

fn has_one_field(element: &Element, pieces: &[Piece<'_>]) -> bool {
    let visible = |piece: &&Piece<'_>| is_field(piece) && piece.value("type") != Some("hidden");
    inside_of(element, pieces).filter(visible).count() == 1
}

/// Not if two of them carry the same words, since "the second of its name" would mean another one, and not if they
/// post the same name, since the order of values may matter.
fn may_trade_places(row: &[&Element], pieces: &[Piece<'_>]) -> bool {
    let mut seen = BTreeSet::new();
    row.iter().all(|element| {
        let words: Vec<&str> = inside_of(element, pieces)
            .filter(|piece| piece.kind == Kind::Text)
            .flat_map(|piece| piece.text.split_whitespace())
            .collect();
        let labels = inside_of(element, pieces).filter_map(|piece| piece.value("aria-label"));
        let names = inside_of(element, pieces).filter(|p| is_field(p)).filter_map(|p| p.value("name"));
        let label = labels.collect::<Vec<_>>().join(" ");
        let is_new = seen.insert(format!("words {} {label}", words.join(" ")));
        is_new && names.map(|name| format!("name {name}")).all(|name| seen.insert(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_controls_trade_places() {
        for page in [
            "<nav><ul><li><a>One</a></li> <li><a>Two</a></li></ul></nav>",
            "<form><div><label>A</label><input name=a></div>\n<p><input name=b>B</p><button>Go</button></form>",
            "<form><input name=x><button>Save</button><button>Cancel</button></form>",
        ] {
            let (changed, moved) = rewrite(page, &mut Random::new(1));
            assert_eq!(moved, 1, "{page}");
            assert_ne!(changed, page);
        }
    }

    #[test]
    fn data_and_ambiguous_rows_stay() {
        for page in [
            "<ul><li><a>One</a></li><li><a>Two</a></li></ul>",
            "<form><table><tr><td><input name=a></td><td><input name=b></td></tr></table></form>",
            "<form><label><input type=radio name=r>A</label><label><input type=radio name=r>B</label></form>",
            "<nav><a>More</a><a>More</a></nav>",
            "<form><select name=s><option>A</option><option>B</option></select></form>",
            "<nav><a>Only</a></nav>",
        ] {
            assert_eq!(rewrite(page, &mut Random::new(1)), (page.to_owned(), 0), "{page}");
        }
    }
}
