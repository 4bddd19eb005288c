//! Scrolling by the wheel: two thirds of what is shown, and not before the last scroll has come to rest.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, Direction, Rect, ScrollArea};

use super::pointer::{To, mouse, reach};
use super::{ActError, ActError as E, resolve};
use crate::isolated::IsolatedWorld;
use crate::observe::frames::{Owner, owners};
use crate::observe::geometry::contains;
use crate::settle::{next_frame, settle};
use crate::{Observation, TabHandle};

const READ: &str = include_str!("scroll.js");
const POPUP: &str = include_str!("popup.js");

/// A wheel that has moved nothing by then, in so many frames, moves nothing.
const START_LIMIT: Duration = Duration::from_millis(500);
const START_FRAMES: u32 = 4;
const SCROLL_LIMIT: Duration = Duration::from_secs(3);
/// How long the end of a page has to stay the end.
const END_REST: Duration = Duration::from_millis(400);
const END_LIMIT: Duration = Duration::from_secs(30);
const MOST_ROUNDS: u32 = 200;
const SETTLE_LIMIT: Duration = Duration::from_secs(2);

/// What can scroll at a point.
#[derive(Clone, Debug, Default, Deserialize)]
struct Reading {
    /// Positions of everything around the point that scrolls.
    states: Vec<f64>,
    /// The innermost that can still move in the direction asked for.
    mover: Option<Mover>,
    /// Another process shows this place.
    remote: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Mover {
    room: f64,
    all: f64,
    window: bool,
}

#[derive(Deserialize)]
struct Popup {
    popup: Rect,
    point: [f64; 2],
}

/// An axis and a sign, as the scripts and the wheel want them.
#[derive(Clone, Copy)]
struct Way {
    axis: char,
    sign: f64,
}

impl From<Direction> for Way {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Self { axis: 'y', sign: -1.0 },
            Direction::Down => Self { axis: 'y', sign: 1.0 },
            Direction::Left => Self { axis: 'x', sign: -1.0 },
            Direction::Right => Self { axis: 'x', sign: 1.0 },
        }
    }
}

pub(super) async fn scroll(
    tab: &TabHandle,
    area: &ScrollArea,
    direction: Direction,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Option<Rect>, ActError> {
    let way = Way::from(direction);
    let (name, point, at) = match area {
        ScrollArea::Window => ("the window".to_owned(), window_point(tab, way, seen, deadline).await?, None),
        ScrollArea::Popup => {
            let popup = top_popup(tab, way, deadline).await?;
            ("the pop-up".to_owned(), popup.point.into(), Some(popup.popup))
        }
        ScrollArea::Element(target) => {
            let spot = reach(To::Look, tab, &resolve(target, seen)?, seen, deadline).await?;
            (target.to_string(), (spot.x, spot.y), Some(spot.rect))
        }
    };
    let mover = read(tab, point, way, deadline).await?.mover;
    // Without a mover the page may still listen for the wheel itself; it gets a turn of the window's size.
    let room = mover.map_or(f64::from(seen.viewport.height), |mover| mover.room);
    if !turn(tab, point, way, room * 2.0 / 3.0, deadline).await? {
        return Err(E::NothingScrolled { area: name, direction: direction.to_string() });
    }
    Ok(at)
}

/// Scrolls the window by so many pixels, one axis after the other; an axis at its end already moves nothing.
pub(super) async fn by(
    tab: &TabHandle,
    x: i32,
    y: i32,
    seen: &Observation,
    deadline: Deadline,
) -> Result<(), ActError> {
    let mut moved = x == 0 && y == 0;
    for (pixels, ways) in [(y, [Direction::Up, Direction::Down]), (x, [Direction::Left, Direction::Right])] {
        if pixels != 0 {
            let way = Way::from(ways[usize::from(pixels > 0)]);
            let point = window_point(tab, way, seen, deadline).await?;
            moved |= turn(tab, point, way, f64::from(pixels.unsigned_abs()), deadline).await?;
        }
    }
    if moved {
        return Ok(());
    }
    Err(E::NothingScrolled { area: "the window".to_owned(), direction: format!("by {x}, {y}") })
}

/// Scrolls down until the page has no more to show and has not grown for a while.
pub(super) async fn to_end(tab: &TabHandle, seen: &Observation, deadline: Deadline) -> Result<(), ActError> {
    let down = Way::from(Direction::Down);
    let limit = deadline.within(END_LIMIT);
    for _ in 0..MOST_ROUNDS {
        let point = window_point(tab, down, seen, deadline).await?;
        match read(tab, point, down, deadline).await?.mover {
            Some(mover) => {
                turn(tab, point, down, mover.all, deadline).await?;
                settle(tab, limit.within(SETTLE_LIMIT)).await;
            }
            None if !grows(tab, point, down, limit).await? => return Ok(()),
            None => {}
        }
        if limit.passed() {
            break;
        }
    }
    Ok(())
}

/// Whether there is room to scroll again within the time the end has to rest.
async fn grows(tab: &TabHandle, point: (f64, f64), way: Way, deadline: Deadline) -> Result<bool, ActError> {
    let limit = deadline.within(END_REST);
    loop {
        if read(tab, point, way, deadline).await?.mover.is_some() {
            return Ok(true);
        }
        // Behind the last frame it is looked at too: a frame may take all of the time.
        if limit.passed() {
            break;
        }
        next_frame(tab, deadline).await;
    }
    // What was asked for from the server just now may still come.
    Ok(tab.activity.counts().in_flight > 0 && !deadline.passed())
}

/// A point at which the wheel moves the window itself, else the largest thing that moves in its middle.
async fn window_point(
    tab: &TabHandle,
    way: Way,
    seen: &Observation,
    deadline: Deadline,
) -> Result<(f64, f64), ActError> {
    const ACROSS: [f64; 5] = [0.5, 0.1, 0.9, 0.02, 0.98];
    let (width, height) = (f64::from(seen.viewport.width), f64::from(seen.viewport.height));
    let points: Vec<(f64, f64)> =
        ACROSS.iter().flat_map(|y| ACROSS.iter().map(move |x| (x * width, y * height))).collect();
    let readings = read_points(tab, 0, &points, way, deadline).await?;
    let moves_window = |reading: &Reading| reading.mover.is_some_and(|mover| mover.window) && !reading.remote;
    let moves_any = |reading: &Reading| reading.mover.is_some() || reading.remote;
    let best = readings.iter().position(moves_window).or_else(|| readings.iter().position(moves_any));
    Ok(points[best.unwrap_or_default()])
}

async fn top_popup(tab: &TabHandle, way: Way, deadline: Deadline) -> Result<Popup, ActError> {
    let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
    let script = format!("({POPUP})({}, {})", json!(way.axis), way.sign);
    let popup: Option<Popup> = world.evaluate(&script, deadline).await?;
    popup.ok_or(E::NoPopup)
}

/// Turns the wheel, and waits until whatever it moved has come to rest. False if nothing moved.
async fn turn(
    tab: &TabHandle,
    (x, y): (f64, f64),
    way: Way,
    distance: f64,
    deadline: Deadline,
) -> Result<bool, ActError> {
    let before = read(tab, (x, y), way, deadline).await?.states;
    let distance = distance * way.sign;
    let (across, along) = if way.axis == 'x' { (distance, 0.0) } else { (0.0, distance) };
    mouse(tab, json!({ "type": "mouseMoved", "x": x, "y": y }), deadline).await?;
    mouse(tab, json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": across, "deltaY": along }), deadline)
        .await?;
    let (start, limit) = (deadline.within(START_LIMIT), deadline.within(SCROLL_LIMIT));
    let mut last = before.clone();
    let (mut rested, mut frames) = (0, 0);
    while !limit.passed() {
        next_frame(tab, deadline).await;
        frames += 1;
        let now = read(tab, (x, y), way, deadline).await?.states;
        rested = if now == last { rested + 1 } else { 0 };
        last = now;
        let moved = last != before;
        if moved && rested >= 2 {
            break;
        }
        if !moved && start.passed() && frames >= START_FRAMES {
            return Ok(false);
        }
    }
    Ok(last != before)
}

/// Reads one point of the tab, in whichever process shows it.
async fn read(tab: &TabHandle, point: (f64, f64), way: Way, deadline: Deadline) -> Result<Reading, ActError> {
    let mut reading = read_points(tab, 0, &[point], way, deadline).await?.pop().unwrap_or_default();
    if !reading.remote {
        return Ok(reading);
    }
    let owners = owners(tab, deadline).await;
    let (mut process, mut at) = (0, point);
    let mut remote = reading.remote;
    while remote {
        let inner =
            |owner: &Option<Owner>| owner.is_some_and(|o| o.process == process && contains(o.content, at));
        let Some(next) = owners.iter().position(inner) else { break };
        let Some(owner) = owners[next] else { break };
        at = (at.0 - owner.content.x, at.1 - owner.content.y);
        process = next;
        let inside = read_points(tab, process, &[at], way, deadline).await?.pop().unwrap_or_default();
        remote = inside.remote;
        reading.states.extend(inside.states);
        // The window of a frame is not the window of the tab.
        let mover = inside.mover.map(|mover| Mover { window: false, ..mover });
        reading.mover = mover.or(reading.mover);
    }
    Ok(reading)
}

async fn read_points(
    tab: &TabHandle,
    process: usize,
    points: &[(f64, f64)],
    way: Way,
    deadline: Deadline,
) -> Result<Vec<Reading>, ActError> {
    let Some((session, frame_id)) = tab.processes().nth(process) else { return Ok(Vec::new()) };
    let world = IsolatedWorld::open(session, frame_id, deadline).await?;
    let script = format!("({READ})({}, {}, {})", json!(points), json!(way.axis), way.sign);
    Ok(world.evaluate(&script, deadline).await?)
}
