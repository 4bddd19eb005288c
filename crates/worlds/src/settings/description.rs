//! What a settings-heavy site offers, said as data: the one place that drawing, saving, searching and the checks of a
//! state read it from. A site brings one [`Description`] and the look; the engine does the rest.

/// Id and wording.
pub(crate) type Named = (&'static str, &'static str);

pub(crate) struct Description {
    /// Name of the site among the built-in ones; its host is `<site>.localhost`.
    pub site: &'static str,
    pub brand: &'static str,
    pub owner: Owner,
    pub pages: &'static [Page],
    pub mail: Matrix,
    pub lists: &'static [List],
    pub tokens: TokenRules,
    pub sessions: SessionWords,
    /// What a copy of the account's data can consist of.
    pub export_parts: &'static [Named],
    /// What a connected app may do.
    pub permissions: &'static [Named],
    /// Names of apps of others that people connect to this kind of site.
    pub apps: &'static [&'static str],
}

/// The person whose account it is.
pub(crate) struct Owner {
    pub name: &'static str,
    pub handle: &'static str,
    pub email: &'static str,
    pub city: &'static str,
}

/// One page of settings, at `/settings/<slug>`.
pub(crate) struct Page {
    pub slug: &'static str,
    pub title: &'static str,
    pub lead: &'static str,
    pub arrangement: Arrangement,
    /// The page comes as an empty frame and fetches its blocks.
    pub late: bool,
    pub blocks: &'static [Block],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// One below the other.
    Stack,
    /// Behind tabs, the first one open.
    Tabs,
    /// Behind headings that unfold, all closed.
    Accordion,
}

pub(crate) struct Block {
    pub id: &'static str,
    pub title: &'static str,
    pub note: &'static str,
    pub holds: Holds,
}

pub(crate) enum Holds {
    Controls(Saved, &'static [Control]),
    /// The mail matrix, with the wording of its button.
    Mail(&'static str),
    Sessions,
    Tokens,
    Apps,
    List(&'static str),
    Export,
    Deletion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// By script, as soon as a control is touched.
    AtOnce,
    /// With the block's button of this wording.
    Button(&'static str),
}

pub(crate) struct Control {
    pub id: &'static str,
    pub label: &'static str,
    pub detail: &'static str,
    pub kind: Kind,
    /// Asked before a change at once takes effect.
    pub confirm: Option<&'static str>,
    /// Cannot be changed.
    pub locked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Toggle {
        look: Look,
        /// The label says the opposite of the stored value.
        inverted: bool,
        usual: bool,
    },
    Choice {
        look: ChoiceLook,
        options: &'static [Named],
        usual: &'static str,
    },
    Text {
        longest: usize,
        usual: &'static str,
    },
}

/// The many ways in which the web draws something that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A native checkbox.
    Checkbox,
    /// A button with `role=switch`.
    Switch,
    /// A native checkbox with `role=switch`.
    SwitchBox,
    /// A button with `aria-pressed`.
    Pressed,
    /// A bare `div` whose state is only a class.
    Flip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceLook {
    Radio,
    Select,
    /// A button and a list of `role=option`.
    Listbox,
}

/// What the account is written to about, and how.
pub(crate) struct Matrix {
    /// Heading of a group, then its topics.
    pub groups: &'static [(&'static str, &'static [Named])],
    pub channels: &'static [Named],
    /// Topic and channel that cannot be switched off.
    pub locked: (&'static str, &'static str),
}

impl Matrix {
    pub fn topics(&self) -> impl Iterator<Item = Named> + '_ {
        self.groups.iter().flat_map(|(_, topics)| topics.iter().copied())
    }
}

/// A list the owner keeps: people blocked, words muted, things watched.
pub(crate) struct List {
    pub id: &'static str,
    /// Wording of the button that takes an entry off, followed by the entry's name.
    pub remove: &'static str,
    pub empty: &'static str,
    pub growth: Growth,
    /// Wording of the button that empties the list, and of the question before.
    pub clear: Option<Named>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// By an entry the site knows, from the site's other pages.
    Elsewhere,
    /// By words typed into a field of this label.
    Typed(&'static str),
    /// Not by the visitor's doing.
    Never,
}

pub(crate) struct TokenRules {
    /// What tokens are called on this site: `access token`, `stream key`.
    pub noun: &'static str,
    pub prefix: &'static str,
    pub scopes: &'static [Named],
    /// Scopes that only a token with an end may have.
    pub need_expiry: &'static [&'static str],
    pub names: &'static [&'static str],
}

impl TokenRules {
    /// Of a site that has no tokens.
    pub const NONE: Self = Self { noun: "token", prefix: "", scopes: &[], need_expiry: &[], names: &[] };
}

pub(crate) struct SessionWords {
    pub end: &'static str,
    pub end_all: &'static str,
    pub question: &'static str,
    pub devices: &'static [Named],
}

/// Expiry id, wording, days; one has no end.
pub(crate) const EXPIRIES: [(&str, &str, Option<i32>); 5] = [
    ("7", "7 days", Some(7)),
    ("30", "30 days", Some(30)),
    ("90", "90 days", Some(90)),
    ("365", "1 year", Some(365)),
    ("never", "No expiry", None),
];

pub(crate) const EXPORT_FORMATS: [Named; 3] =
    [("html", "Web pages (HTML)"), ("json", "Machine-readable (JSON)"), ("csv", "Spreadsheets (CSV)")];

pub(crate) const DELETION_REASONS: [Named; 5] = [
    ("", "Choose a reason"),
    ("unused", "I no longer use it"),
    ("privacy", "I am worried about my privacy"),
    ("mail", "I get too many messages"),
    ("other", "Something else"),
];

impl Description {
    pub fn page(&self, slug: &str) -> Option<&'static Page> {
        self.pages.iter().find(|page| page.slug == slug)
    }

    pub fn list(&self, id: &str) -> Option<&'static List> {
        self.lists.iter().find(|list| list.id == id)
    }

    pub fn controls(&self) -> impl Iterator<Item = (&'static Page, &'static Block, Saved, &'static Control)> {
        self.pages.iter().flat_map(|page| {
            page.blocks.iter().flat_map(move |block| {
                let (saved, controls): (Saved, &'static [Control]) = match block.holds {
                    Holds::Controls(saved, controls) => (saved, controls),
                    _ => (Saved::AtOnce, &[]),
                };
                controls.iter().map(move |control| (page, block, saved, control))
            })
        })
    }

    pub fn control(&self, id: &str) -> Option<(Saved, &'static Control)> {
        self.controls()
            .find(|(_, _, _, control)| control.id == id)
            .map(|(_, _, saved, control)| (saved, control))
    }

    /// The page that has a block of this kind, for links and redirects.
    pub fn home_of(&self, is_it: impl Fn(&Holds) -> bool) -> String {
        let page = self.pages.iter().find(|page| page.blocks.iter().any(|block| is_it(&block.holds)));
        page.map_or_else(|| "/settings".to_owned(), |page| format!("/settings/{}", page.slug))
    }
}

const fn control(id: &'static str, label: &'static str, detail: &'static str, kind: Kind) -> Control {
    Control { id, label, detail, kind, confirm: None, locked: false }
}

/// Something that is on or off; `usual` is what a new account starts with.
pub(crate) const fn toggle(
    id: &'static str,
    look: Look,
    usual: bool,
    label: &'static str,
    detail: &'static str,
) -> Control {
    control(id, label, detail, Kind::Toggle { look, inverted: false, usual })
}

/// A toggle whose wording says the opposite of what is stored: drawn on when the value is false.
pub(crate) const fn inverted(
    id: &'static str,
    look: Look,
    usual: bool,
    label: &'static str,
    detail: &'static str,
) -> Control {
    control(id, label, detail, Kind::Toggle { look, inverted: true, usual })
}

pub(crate) const fn choice(
    id: &'static str,
    look: ChoiceLook,
    options: &'static [Named],
    usual: &'static str,
    label: &'static str,
    detail: &'static str,
) -> Control {
    control(id, label, detail, Kind::Choice { look, options, usual })
}

pub(crate) const fn text(
    id: &'static str,
    longest: usize,
    usual: &'static str,
    label: &'static str,
    detail: &'static str,
) -> Control {
    control(id, label, detail, Kind::Text { longest, usual })
}

impl Control {
    pub const fn asking(self, question: &'static str) -> Self {
        Self { confirm: Some(question), ..self }
    }

    pub const fn locked(self) -> Self {
        Self { locked: true, ..self }
    }
}

pub(crate) const fn block(id: &'static str, title: &'static str, note: &'static str, holds: Holds) -> Block {
    Block { id, title, note, holds }
}
