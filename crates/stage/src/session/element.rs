use serde::{Deserialize, Serialize};

/// How an element looked when it was recorded: what it is, what it says, where it stands. The replayer scores candidates
/// against all of it; the locators only propose them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Portrait {
    /// Lower case; empty if an importer could not tell.
    pub tag: String,
    /// ARIA role, explicit or implied by the tag; empty if none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// `type` of an input or button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_type: Option<String>,
    /// Accessible name, whitespace collapsed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub locators: Locators,
    #[serde(skip_serializing_if = "is_default")]
    pub words: Words,
    pub position: Position,
    /// Present if the element holds a state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlKind>,
}

/// Ways to point at the element; any may be stale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Locators {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The `name` attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_name: Option<String>,
    /// Attributes made for tests, name and value: `data-testid`, `data-test`, `data-test-id`, `data-cy`, `data-qa`,
    /// `data-automation`, `data-automation-id`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_ids: Vec<(String, String)>,
    /// As written in the page, without its query if that may hold a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// `tag#id` or `tag:nth-of-type(n)` steps joined by ` > `, a step `::shadow` where a shadow root is entered; from the
    /// frame's document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub css: Option<String>,
    /// Absolute or from the nearest ancestor with an id, inside the innermost shadow root or document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xpath: Option<String>,
    /// Selectors of another recorder that the page itself must resolve, tried in order: `aria/…`, `text/…`, `xpath/…`,
    /// `pierce/…` or CSS; ` >>> ` enters the shadow root of what stands before it, if it has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<String>,
}

/// What is written on, in and around the element; whitespace collapsed, each at most 200 characters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Words {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aria_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// The element's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text of the elements before and after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Text of its parent without its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Nearest heading, legend or name of the region it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
}

/// Where the element stands; weak evidence each, but together they tell equals apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Place among the focusable elements of its frame, from 1, in document order through shadow roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Place among elements of the same role and name in its frame, and how many there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub among_equals: Option<(u32, u32)>,
    /// Place among siblings of the same tag, and how many there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub among_siblings: Option<(u32, u32)>,
    /// x, y, width, height in pixels of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<[f64; 4]>,
    /// Tags of the hosts whose shadow roots it stands in, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shadow_hosts: Vec<String>,
}

/// A frame, as seen from the document that holds it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Frame {
    /// Address of the frame's document, without its query.
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Place among the frames of its document, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

/// What kind of state an element holds, and how it shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlKind {
    /// `input type=checkbox`.
    Checkbox,
    Radio,
    Select,
    Text,
    /// `aria-checked`: switches, checkboxes and menu items made of something else.
    AriaChecked,
    AriaPressed,
    /// `aria-selected` of an option; tabs are no controls.
    AriaSelected,
    /// A class, a data attribute or words that change with the state, and nothing else does.
    Inferred,
}

/// How a control stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ControlState {
    On,
    Off,
    /// Neither: a box that stands for several.
    Mixed,
    /// The chosen options of a select or a group of radios, by label.
    Chosen(Vec<String>),
    /// What a field holds; never a password.
    Text(String),
    /// What tells states apart where nothing declares one: `class:NAME` for each class, `NAME=VALUE` for each `data-*`
    /// attribute, `text:WORDS` for its own words; sorted.
    Marks(Vec<String>),
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
