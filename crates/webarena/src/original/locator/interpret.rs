//! What a locator comes to on a parsed page.

use ego_tree::NodeRef;
use scraper::{ElementRef, Html, Node, Selector};
use serde_json::Value as Json;
use thiserror::Error;

use super::super::recording::{Evaluated, FormState};
use super::expression::Expression;
use super::visible_text;

/// Why a locator has no result here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("{0}")]
    Expression(String),
    #[error("the HTML does not say what form fields held")]
    FormState,
}

pub(super) fn evaluate(
    expression: &Expression,
    document: &Html,
    form_state: FormState,
) -> Result<Evaluated, Unreadable> {
    let page = Page { document, form_state };
    match page.value(expression, None) {
        Ok(value) => value
            .handed_over()
            .map(Evaluated::Value)
            .ok_or_else(|| Unreadable::Expression("its result is no text, number or truth value".to_owned())),
        Err(Stop::Throws) => Ok(Evaluated::Threw),
        Err(Stop::Unreadable(unreadable)) => Err(unreadable),
    }
}

/// Whether every name and selector in the expression is known; `bound` is the parameter of the function around it.
pub(super) fn understands(expression: &Expression, bound: Option<&str>) -> Result<(), String> {
    match expression {
        Expression::Document | Expression::Text(_) => Ok(()),
        Expression::Name(name) if bound == Some(name) => Ok(()),
        Expression::Name(name) => Err(format!("the name {name} is not read")),
        Expression::Member { object, name, .. } => {
            if !PROPERTIES.contains(&name.as_str()) {
                return Err(format!("the property {name} is not read"));
            }
            understands(object, bound)
        }
        Expression::Call { callee, arguments } => {
            let Expression::Member { object, name, .. } = callee.as_ref() else {
                return Err("only methods are called".to_owned());
            };
            if !METHODS.contains(&name.as_str()) {
                return Err(format!("the method {name} is not read"));
            }
            if let (true, [Expression::Text(selector)]) =
                (name.starts_with("querySelector"), arguments.as_slice())
            {
                parsed_selector(selector)?;
            }
            understands(object, bound)?;
            arguments.iter().try_for_each(|argument| understands(argument, bound))
        }
        Expression::Index { object: inner, .. } | Expression::Spread(inner) => understands(inner, bound),
        Expression::Arrow { parameter, body } => understands(body, Some(parameter)),
        Expression::Or(left, right) | Expression::Sum(left, right) => {
            understands(left, bound)?;
            understands(right, bound)
        }
    }
}

const PROPERTIES: [&str; 11] = [
    "outerText",
    "innerText",
    "textContent",
    "value",
    "checked",
    "selectedIndex",
    "firstElementChild",
    "lastElementChild",
    "firstChild",
    "lastChild",
    "length",
];
const METHODS: [&str; 6] = ["querySelector", "querySelectorAll", "getAttribute", "toString", "map", "join"];

enum Stop {
    /// JavaScript would throw.
    Throws,
    Unreadable(Unreadable),
}

fn not_read(what: impl Into<String>) -> Stop {
    Stop::Unreadable(Unreadable::Expression(what.into()))
}

/// A JavaScript value, as far as locators meet them.
#[derive(Clone)]
enum Value<'a> {
    /// `null` and `undefined`, which locators cannot tell apart.
    Missing,
    Truth(bool),
    Number(f64),
    Text(String),
    Document,
    Node(NodeRef<'a, Node>),
    List(Vec<Value<'a>>),
}

impl Value<'_> {
    /// What the browser hands to the evaluator's process; elements do not cross.
    fn handed_over(self) -> Option<Json> {
        match self {
            Self::Missing => Some(Json::Null),
            Self::Truth(truth) => Some(Json::Bool(truth)),
            Self::Number(number) => Some(Json::from(number as i64)),
            Self::Text(text) => Some(Json::String(text)),
            Self::Document | Self::Node(_) | Self::List(_) => None,
        }
    }

    fn is_truthy(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Truth(truth) => *truth,
            Self::Number(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Document | Self::Node(_) | Self::List(_) => true,
        }
    }

    fn text(&self) -> Result<String, Stop> {
        match self {
            Self::Missing => Err(not_read("a missing value is made into text")),
            Self::Truth(truth) => Ok(truth.to_string()),
            Self::Number(number) => Ok(number.to_string()),
            Self::Text(text) => Ok(text.clone()),
            Self::Document | Self::Node(_) | Self::List(_) => Err(not_read("elements are made into text")),
        }
    }
}

struct Page<'a> {
    document: &'a Html,
    form_state: FormState,
}

/// The one variable an arrow function binds.
type Binding<'a, 'b> = Option<(&'b str, &'b Value<'a>)>;

impl<'a> Page<'a> {
    fn value(&self, expression: &Expression, binding: Binding<'a, '_>) -> Result<Value<'a>, Stop> {
        match expression {
            Expression::Document => Ok(Value::Document),
            Expression::Text(text) => Ok(Value::Text(text.clone())),
            Expression::Name(name) => match binding {
                Some((bound, value)) if bound == name => Ok(value.clone()),
                _ => Err(not_read(format!("the name {name} is not read"))),
            },
            Expression::Member { object, name, optional } => match self.value(object, binding)? {
                Value::Missing if *optional => Ok(Value::Missing),
                value => self.property(&value, name),
            },
            Expression::Call { callee, arguments } => {
                let Expression::Member { object, name, optional } = callee.as_ref() else {
                    return Err(not_read("only methods are called"));
                };
                match self.value(object, binding)? {
                    Value::Missing if *optional => Ok(Value::Missing),
                    value => self.called(&value, name, arguments, binding),
                }
            }
            Expression::Index { object, index } => match self.value(object, binding)? {
                Value::List(items) => Ok(items.into_iter().nth(*index).unwrap_or(Value::Missing)),
                Value::Missing => Err(Stop::Throws),
                _ => Err(not_read("only lists of elements are indexed")),
            },
            Expression::Spread(inner) => match self.value(inner, binding)? {
                list @ Value::List(_) => Ok(list),
                Value::Missing => Err(Stop::Throws),
                _ => Err(not_read("only lists of elements are spread")),
            },
            Expression::Arrow { .. } => Err(not_read("a function is read only as what map applies")),
            Expression::Or(left, right) => {
                let left = self.value(left, binding)?;
                if left.is_truthy() { Ok(left) } else { self.value(right, binding) }
            }
            Expression::Sum(left, right) => {
                let (left, right) = (self.value(left, binding)?, self.value(right, binding)?);
                Ok(Value::Text(left.text()? + &right.text()?))
            }
        }
    }

    fn property(&self, value: &Value<'a>, name: &str) -> Result<Value<'a>, Stop> {
        if !PROPERTIES.contains(&name) {
            return Err(not_read(format!("the property {name} is not read")));
        }
        let node = match value {
            Value::Missing => return Err(Stop::Throws),
            Value::List(items) if name == "length" => return Ok(Value::Number(items.len() as f64)),
            Value::Node(node) => *node,
            _ => return Err(not_read(format!("{name} of something that is no element"))),
        };
        let or_missing = |child: Option<NodeRef<'a, Node>>| child.map_or(Value::Missing, Value::Node);
        match name {
            "firstChild" => return Ok(or_missing(node.first_child())),
            "lastChild" => return Ok(or_missing(node.last_child())),
            "firstElementChild" => {
                return Ok(or_missing(node.children().find(|child| child.value().is_element())));
            }
            "lastElementChild" => {
                return Ok(or_missing(node.children().rfind(|child| child.value().is_element())));
            }
            "textContent" => return Ok(Value::Text(visible_text::content(node))),
            _ => {}
        }
        let element = ElementRef::wrap(node).ok_or_else(|| not_read(format!("{name} of a piece of text")))?;
        match name {
            "outerText" | "innerText" => Ok(Value::Text(visible_text::of(element))),
            _ => self.form_property(element, name),
        }
    }

    fn form_property(&self, element: ElementRef<'a>, name: &str) -> Result<Value<'a>, Stop> {
        if self.form_state == FormState::NotInHtml {
            return Err(Stop::Unreadable(Unreadable::FormState));
        }
        let options = || element.descendent_elements().filter(|option| option.value().name() == "option");
        let chosen = || {
            let marked = options().position(|option| option.attr("selected").is_some());
            // A drop-down shows its first option until another is chosen.
            marked.or_else(|| (element.attr("multiple").is_none() && options().next().is_some()).then_some(0))
        };
        let option_value = |option: ElementRef<'a>| {
            option.attr("value").map_or_else(
                || option.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "),
                str::to_owned,
            )
        };
        match (element.value().name(), name) {
            ("input", "checked") => Ok(Value::Truth(element.attr("checked").is_some())),
            ("input" | "button", "value") => {
                // Boxes to tick have a value of their own where none is written.
                let unwritten =
                    if matches!(element.attr("type"), Some("checkbox" | "radio")) { "on" } else { "" };
                Ok(Value::Text(element.attr("value").unwrap_or(unwritten).to_owned()))
            }
            ("textarea", "value") => Ok(Value::Text(visible_text::content(*element))),
            ("option", "value") => Ok(Value::Text(option_value(element))),
            ("select", "value") => Ok(Value::Text(
                chosen().and_then(|index| options().nth(index)).map(option_value).unwrap_or_default(),
            )),
            ("select", "selectedIndex") => Ok(Value::Number(chosen().map_or(-1.0, |index| index as f64))),
            (element, _) => Err(not_read(format!("{name} of <{element}>"))),
        }
    }

    fn called(
        &self,
        value: &Value<'a>,
        name: &str,
        arguments: &[Expression],
        binding: Binding<'a, '_>,
    ) -> Result<Value<'a>, Stop> {
        if !METHODS.contains(&name) {
            return Err(not_read(format!("the method {name} is not read")));
        }
        match (value, name, arguments) {
            (_, "querySelector", [Expression::Text(selector)]) => {
                Ok(self.selected(value, selector)?.into_iter().next().unwrap_or(Value::Missing))
            }
            (_, "querySelectorAll", [Expression::Text(selector)]) => {
                self.selected(value, selector).map(Value::List)
            }
            (Value::Missing, ..) => Err(Stop::Throws),
            (Value::Node(node), "getAttribute", [Expression::Text(attribute)]) => {
                let element = ElementRef::wrap(*node).ok_or(Stop::Throws)?;
                Ok(element.attr(attribute).map_or(Value::Missing, |text| Value::Text(text.to_owned())))
            }
            (Value::Truth(_) | Value::Number(_) | Value::Text(_), "toString", []) => {
                value.text().map(Value::Text)
            }
            (Value::List(items), "map", [Expression::Arrow { parameter, body }]) => items
                .iter()
                .map(|item| self.value(body, Some((parameter, item))))
                .collect::<Result<_, _>>()
                .map(Value::List),
            (Value::List(items), "join", [separator]) => {
                let separator = self.value(separator, binding)?.text()?;
                // A missing item joins as nothing.
                let texts: Vec<String> = items
                    .iter()
                    .map(|item| if matches!(item, Value::Missing) { Ok(String::new()) } else { item.text() })
                    .collect::<Result<_, _>>()?;
                Ok(Value::Text(texts.join(&separator)))
            }
            _ => Err(not_read(format!("{name} in this form"))),
        }
    }

    fn selected(&self, value: &Value<'a>, selector: &str) -> Result<Vec<Value<'a>>, Stop> {
        let selector = parsed_selector(selector).map_err(not_read)?;
        let node = |element: ElementRef<'a>| Value::Node(*element);
        match value {
            Value::Missing => Err(Stop::Throws),
            Value::Document => Ok(self.document.select(&selector).map(node).collect()),
            Value::Node(inner) => {
                let element = ElementRef::wrap(*inner).ok_or(Stop::Throws)?;
                Ok(element.select(&selector).map(node).collect())
            }
            _ => Err(not_read("only elements are searched")),
        }
    }
}

fn parsed_selector(selector: &str) -> Result<Selector, String> {
    Selector::parse(selector).map_err(|_| format!("the selector {selector:?} is not read"))
}
