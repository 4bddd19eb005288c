//! Whatever a page looks like, every built-in agent makes decisions, and comes to an end.

use proptest::prelude::*;
use umpire_browser::Observation;
use umpire_model::{Action, TaskKind};

use crate::sample::{Page, decide, task};
use crate::{BuiltIn, Reference, built_in_kinds};

const ROLES: [&str; 10] =
    ["link", "button", "textbox", "searchbox", "combobox", "checkbox", "switch", "radio", "tab", "menuitem"];

fn role() -> impl Strategy<Value = String> {
    prop_oneof![4 => proptest::sample::select(&ROLES[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "(turn off|set|add|how much is|when|go to)? ?(the )?['\"“]?[A-Za-z ’']{0,20}['\"”]?( to [a-z€]{0,5})?",
        "(Save|Close|Search|lamp|\\$1[0-9]{1,2}\\.99|5 March 2026|: |€)*",
    ]
}

prop_compose! {
    fn page()(
        url in any::<String>(),
        title in words(),
        outline in proptest::collection::vec(words(), 0..6),
        elements in proptest::collection::vec(
            (role(), words(), any::<Option<bool>>(), any::<bool>(), proptest::collection::vec(words(), 0..3)),
            0..8,
        ),
    ) -> Observation {
        let mut page = Page::at(&url).titled(&title).outline(&outline.join("\n"));
        for (role, name, checked, disabled, options) in elements {
            page = page.with_element(&role, &name, |element| {
                element.state.checked = checked;
                element.state.disabled = disabled;
                element.options = options;
            });
        }
        page.seen()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_agent_panics_or_goes_on_for_ever(
        pages in proptest::collection::vec(page(), 1..4),
        intent in words(),
        kind in prop_oneof![Just(TaskKind::Retrieve), Just(TaskKind::Navigate), Just(TaskKind::Mutate)],
        error in any::<Option<String>>(),
        seed in any::<u64>(),
    ) {
        let task = task(kind, &intent);
        for name in built_in_kinds() {
            let reference = vec![Action::Click(umpire_model::Target::named("button", "Pay"))];
            let mut agent = name.parse::<BuiltIn>().expect("kind").create(&task, seed, Some(Reference { actions: reference, ..Reference::default() }), None);
            let ended = (0..60_u32).any(|step| {
                let seen = &pages[step as usize % pages.len()];
                let last_error = error.as_deref().filter(|_| step % 3 == 1);
                match decide(agent.as_mut(), &task, seen, step + 1, last_error) {
                    Ok(decision) => matches!(decision.action, Action::Answer(_)),
                    Err(_) => true,
                }
            });
            prop_assert!(ended, "{} went on for 60 turns", name);
        }
    }
}
