//! The two ways to write an action: our own text form (`click [12]`), and the calls of BrowserGym (`click('12')`).

use umpire_model::{Action, Direction, ScrollArea, Target, TaskKind};

use crate::answers;
use crate::calls::{Call, Value, calls_in, name_of_call};
use crate::moves::Move;

/// Far more than any action or answer needs.
const LONGEST: usize = 1 << 20;
/// Calls that one request may hold.
const MOST_CALLS: usize = 20;
/// What `noop()` waits.
const NOOP_MILLIS: f64 = 1000.0;
/// No wait is longer than an attempt.
const LONGEST_WAIT: f64 = 3_600_000.0;

/// Every function of BrowserGym that can be asked for here, with its parameters; those after `|` may be left out.
const FUNCTIONS: [(&str, &str); 30] = [
    ("noop", "| wait_ms"),
    ("send_msg_to_user", "text"),
    ("report_infeasible", "reason"),
    ("click", "bid | button modifiers"),
    ("hover", "bid"),
    ("fill", "bid value | enable_autocomplete_menu"),
    ("clear", "bid"),
    ("focus", "bid"),
    ("press", "bid key_comb"),
    ("check", "bid"),
    ("uncheck", "bid"),
    ("select_option", "bid options"),
    ("drag_and_drop", "from_bid to_bid"),
    ("upload_file", "bid file"),
    ("scroll", "delta_x delta_y"),
    ("mouse_move", "x y"),
    ("mouse_click", "x y | button"),
    ("mouse_drag_and_drop", "from_x from_y to_x to_y"),
    ("keyboard_press", "key"),
    ("keyboard_type", "text"),
    ("keyboard_insert_text", "text"),
    ("goto", "url"),
    ("go_back", ""),
    ("go_forward", ""),
    ("new_tab", ""),
    ("tab_close", ""),
    ("tab_focus", "index"),
    ("dblclick", "bid | button modifiers"),
    ("mouse_dblclick", "x y | button"),
    ("mouse_upload_file", "x y file"),
];

/// What a client's text asks for. `kind` is the task's: an answer in plain words is put into its response.
pub(crate) fn moves_of(text: &str, kind: TaskKind) -> Result<Vec<Move>, String> {
    if text.len() > LONGEST {
        return Err(format!("an action of {} bytes is too long", text.len()));
    }
    let ours = match text.parse::<Action>() {
        Ok(action) => return Ok(vec![Move::Do(action)]),
        Err(error) => error,
    };
    let calls = calls_in(text, |name| parameters_of(name).is_some())?;
    if calls.len() > MOST_CALLS {
        return Err(format!("{} actions at once are too many", calls.len()));
    }
    if calls.is_empty() {
        return Err(match name_of_call(text) {
            Some(name) => format!("there is no action `{name}` here"),
            None => ours.to_string(),
        });
    }
    let mut moves = Vec::new();
    for call in &calls {
        let arguments = Arguments::of(call)?;
        moves.extend(arguments.moves(kind).map_err(|problem| format!("`{}`: {problem}", call.name))?);
    }
    Ok(moves)
}

fn parameters_of(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, parameters)| *parameters)
}

/// A mark as clients write it: `12`, `[12]` or `e12`.
pub(crate) fn mark(text: &str) -> Result<Target, String> {
    let number = text.trim().trim_start_matches(['[', 'e']).trim_end_matches(']');
    number.parse().map(Target::Mark).map_err(|_| format!("`{text}` is not the mark of an element"))
}

/// The arguments of a known call, by name.
struct Arguments<'c> {
    call: &'c Call,
    given: Vec<(&'static str, &'c Value)>,
}

impl<'c> Arguments<'c> {
    fn of(call: &'c Call) -> Result<Self, String> {
        let name = &call.name;
        let parameters = parameters_of(name).unwrap_or_default();
        let (needed, optional) = parameters.split_once('|').unwrap_or((parameters, ""));
        let names: Vec<&'static str> = needed.split_whitespace().chain(optional.split_whitespace()).collect();
        if call.arguments.len() > names.len() {
            return Err(format!("`{name}` takes {} arguments, not {}", names.len(), call.arguments.len()));
        }
        let mut given: Vec<(&'static str, &Value)> = names.iter().copied().zip(&call.arguments).collect();
        for (key, value) in &call.named {
            match names.iter().find(|known| *known == key) {
                Some(known) if given.iter().all(|(taken, _)| taken != known) => given.push((known, value)),
                Some(_) => return Err(format!("`{name}` is given `{key}` twice")),
                None => return Err(format!("`{name}` has no argument `{key}`")),
            }
        }
        let missing = needed.split_whitespace().find(|key| given.iter().all(|(known, _)| known != key));
        match missing {
            Some(key) => Err(format!("`{name}` needs `{key}`")),
            None => Ok(Self { call, given }),
        }
    }

    fn get(&self, key: &str) -> Option<&'c Value> {
        self.given.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    fn text(&self, key: &str) -> Result<String, String> {
        match self.get(key) {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => Err(format!("`{key}` must be a text")),
        }
    }

    /// One text or a list of them.
    fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let Some(Value::List(values)) = self.get(key) else { return Ok(vec![self.text(key)?]) };
        let texts = values.iter().map(|value| match value {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(format!("`{key}` must be a text or a list of texts")),
        });
        texts.collect()
    }

    fn number(&self, key: &str) -> Result<f64, String> {
        match self.get(key) {
            Some(Value::Number(number)) => Ok(*number),
            _ => Err(format!("`{key}` must be a number")),
        }
    }

    fn bid(&self, key: &str) -> Result<Target, String> {
        mark(&self.text(key)?)
    }

    fn point(&self, x: &str, y: &str) -> Result<Target, String> {
        Ok(Target::Point { x: self.number(x)?, y: self.number(y)? })
    }

    /// Only the left button, with no key held.
    fn plain_button(&self) -> Result<(), String> {
        let is_left = self.get("button").is_none_or(|value| *value == Value::Text("left".to_owned()));
        let holds_none = self
            .get("modifiers")
            .is_none_or(|value| matches!(value, Value::Nothing) || *value == Value::List(Vec::new()));
        if is_left && holds_none {
            Ok(())
        } else {
            Err("only the left button without a key held is offered".to_owned())
        }
    }

    fn moves(&self, kind: TaskKind) -> Result<Vec<Move>, String> {
        let one = |action: Action| Ok(vec![Move::Do(action)]);
        match self.call.name.as_str() {
            "noop" => {
                let millis = self.get("wait_ms").map_or(Ok(NOOP_MILLIS), |_| self.number("wait_ms"))?;
                one(Action::Wait { millis: millis.clamp(0.0, LONGEST_WAIT) as u64 })
            }
            "send_msg_to_user" => one(Action::Answer(answers::from_text(kind, &self.text("text")?))),
            "report_infeasible" => one(Action::Answer(answers::infeasible(kind, &self.text("reason")?))),
            "click" => {
                self.plain_button()?;
                one(Action::Click(self.bid("bid")?))
            }
            "hover" => one(Action::Hover(self.bid("bid")?)),
            "fill" => one(Action::Type(self.bid("bid")?, self.text("value")?)),
            "clear" => one(Action::Type(self.bid("bid")?, String::new())),
            "focus" => Ok(vec![Move::Focus(self.bid("bid")?)]),
            "press" => Ok(vec![Move::PressIn(self.bid("bid")?, self.text("key_comb")?)]),
            "check" => Ok(vec![Move::Switch(self.bid("bid")?, true)]),
            "uncheck" => Ok(vec![Move::Switch(self.bid("bid")?, false)]),
            "select_option" => {
                let field = self.bid("bid")?;
                let options = self.texts("options")?;
                Ok(options
                    .into_iter()
                    .map(|option| Move::Do(Action::Select(field.clone(), option)))
                    .collect())
            }
            "drag_and_drop" => one(Action::Drag(self.bid("from_bid")?, self.bid("to_bid")?)),
            "upload_file" => one(Action::Upload(self.bid("bid")?, self.texts("file")?)),
            "scroll" => Ok(scroll(self.number("delta_x")?, self.number("delta_y")?)),
            "mouse_move" => one(Action::Hover(self.point("x", "y")?)),
            "mouse_click" => {
                self.plain_button()?;
                one(Action::Click(self.point("x", "y")?))
            }
            "mouse_drag_and_drop" => {
                one(Action::Drag(self.point("from_x", "from_y")?, self.point("to_x", "to_y")?))
            }
            "keyboard_press" => one(Action::Press(self.text("key")?)),
            "keyboard_type" | "keyboard_insert_text" => Ok(vec![Move::TypeOn(self.text("text")?)]),
            "goto" => one(Action::GoTo(self.text("url")?)),
            "go_back" => one(Action::Back),
            "go_forward" => one(Action::Forward),
            "new_tab" => one(Action::OpenTab("about:blank".to_owned())),
            "tab_close" => one(Action::CloseTab),
            "tab_focus" => {
                let index = self.number("index")?;
                if index < 0.0 || index.fract() != 0.0 || index > 1000.0 {
                    return Err("`index` counts the tabs from 0".to_owned());
                }
                one(Action::SwitchTab(index as u32 + 1))
            }
            _ => Err("it is not offered here".to_owned()),
        }
    }
}

/// By a windowful, whatever the distance: the way is what agents mean.
fn scroll(across: f64, down: f64) -> Vec<Move> {
    let direction = match (across.abs() > down.abs(), across > 0.0, down > 0.0) {
        _ if across == 0.0 && down == 0.0 => return Vec::new(),
        (true, true, _) => Direction::Right,
        (true, false, _) => Direction::Left,
        (false, _, true) => Direction::Down,
        (false, _, false) => Direction::Up,
    };
    vec![Move::Do(Action::Scroll(ScrollArea::Window, direction))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Result<Vec<String>, String> {
        let moves = moves_of(text, TaskKind::Retrieve)?;
        Ok(moves
            .iter()
            .map(|one| match one {
                Move::Do(action) => action.to_string(),
                other => format!("{other:?}"),
            })
            .collect())
    }

    #[test]
    fn both_dialects_mean_the_same_actions() {
        for (text, expected) in [
            ("click [12]", "click [12]"),
            ("click('12')", "click [12]"),
            ("click(\"a12\")", ""),
            ("click('12', button='left', modifiers=[])", "click [12]"),
            ("fill('3', 'it\\'s')", "type [3] \"it's\""),
            ("fill(bid='3', value='x', enable_autocomplete_menu=True)", "type [3] \"x\""),
            ("clear('3')", "type [3] \"\""),
            ("hover('[4]')", "hover [4]"),
            ("select_option('7', ['Red'])", "select [7] \"Red\""),
            ("drag_and_drop('1', '2')", "drag [1] to [2]"),
            ("upload_file('5', 'cv.pdf')", "upload [5] \"cv.pdf\""),
            ("upload_file('5', ['a.txt', 'b.txt'])", "upload [5] \"a.txt\" \"b.txt\""),
            ("scroll(0, 200)", "scroll window down"),
            ("scroll(-300, 20)", "scroll window left"),
            ("mouse_click(120, 45.5)", "click (120,45.5)"),
            ("mouse_move(1, 2)", "hover (1,2)"),
            ("mouse_drag_and_drop(1, 2, 3, 4)", "drag (1,2) to (3,4)"),
            ("keyboard_press('Control+a')", "press \"Control+a\""),
            ("goto('http://shop.localhost/')", "goto \"http://shop.localhost/\""),
            ("go_back()", "back"),
            ("go_forward()", "forward"),
            ("new_tab()", "newtab \"about:blank\""),
            ("tab_focus(0)", "tab 1"),
            ("tab_close()", "closetab"),
            ("noop()", "wait 1000ms"),
            ("noop(wait_ms=5)", "wait 5ms"),
            ("Thinking aloud.\n```\nclick('12')\n```", "click [12]"),
        ] {
            let expected = if expected.is_empty() { Err(()) } else { Ok(vec![expected.to_owned()]) };
            assert_eq!(told(text).map_err(drop), expected, "{text}");
        }
        assert_eq!(told("scroll(0, 0)"), Ok(vec![]));
        assert_eq!(told("fill('1', 'x')\nclick('2')").map(|all| all.len()), Ok(2));
        assert_eq!(moves_of("focus('1')", TaskKind::Mutate), Ok(vec![Move::Focus(Target::Mark(1))]));
        assert_eq!(moves_of("keyboard_type('x')", TaskKind::Mutate), Ok(vec![Move::TypeOn("x".to_owned())]));
        let answer = told("send_msg_to_user('42')").expect("an answer").remove(0);
        assert!(
            answer.starts_with("answer ") && answer.contains("SUCCESS") && answer.contains("42"),
            "{answer}"
        );
        let given_up = told("report_infeasible('not there')").expect("an answer").remove(0);
        assert!(given_up.contains("NOT_FOUND_ERROR"), "{given_up}");
    }

    #[test]
    fn what_is_not_offered_says_so() {
        for (text, reason) in [
            ("fly('home')", "there is no action `fly` here"),
            ("dance", "there is no action `dance`"),
            ("click()", "`click` needs `bid`"),
            ("click('1', '2', '3', '4')", "takes 3 arguments"),
            ("click('1', bid='2')", "twice"),
            ("click('1', speed=2)", "has no argument `speed`"),
            ("click('lamp')", "not the mark of an element"),
            ("click('1', button='right')", "only the left button"),
            ("dblclick('1')", "not offered"),
            ("tab_focus(-1)", "counts the tabs from 0"),
            ("scroll('down')", "needs `delta_y`"),
            ("fill('1', ['x'])", "`value` must be a text"),
            ("click('1", "no end"),
        ] {
            let error = told(text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
        let flood = "click('1')\n".repeat(21);
        assert!(told(&flood).is_err_and(|error| error.contains("too many")));
        assert!(told(&"x".repeat(LONGEST + 1)).is_err_and(|error| error.contains("too long")));
    }
}
