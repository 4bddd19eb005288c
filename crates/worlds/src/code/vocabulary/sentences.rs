//! Sentence patterns of issues, merge requests, commits and comments.

pub const BUG_TITLES: &[&str] = &[
    "The {p} loses the last entry when the connection drops",
    "Crash in the {p} after an upgrade",
    "Wrong time zone in the {p}",
    "The {p} ignores the timeout setting",
    "Names with spaces break the {p}",
    "Memory of the {p} grows overnight",
    "The {p} hangs at shutdown",
    "Umlauts come out garbled in the {p}",
    "The {p} counts the first day twice",
    "Empty input makes the {p} panic",
    "The {p} shows yesterday's data after midnight",
    "Two users at once confuse the {p}",
];

pub const FEATURE_TITLES: &[&str] = &[
    "Add a dry-run mode to the {p}",
    "Make the {p} configurable per project",
    "Keyboard shortcuts for the {p}",
    "Let the {p} read from standard input",
    "Undo for the {p}",
    "Translate the {p}",
    "Show progress in the {p}",
    "Allow a second {p}",
    "Remember the last choice in the {p}",
    "A read-only role for the {p}",
];

pub const DOC_TITLES: &[&str] = &[
    "Explain how the {p} is configured",
    "Screenshots of the {p} are out of date",
    "Add an example for the {p}",
    "The chapter on the {p} contradicts the code",
    "Say what the {p} does on failure",
];

pub const ISSUE_BODIES: &[&str] = &[
    "I ran into this while working on something else, and it took me an hour to see that the {p} is the cause.",
    "This happens on every machine I tried. The {p} behaves well with small inputs and badly with large ones.",
    "Several people asked for this on the mailing list. The {p} would be the natural place for it.",
    "Steps: start with a clean checkout, open the {p}, repeat twice, wait. The log is silent.",
    "I would be glad to send a patch for the {p} if somebody tells me where to begin.",
    "We worked around it in production, but the {p} should not need a workaround.",
    "Expected: the {p} finishes within a second. Observed: it finishes when it feels like it.",
    "Since the last release the {p} does this about once a day. Before, it never did.",
];

pub const REQUEST_TITLES: &[&str] = &[
    "Rewrite the {p} around a queue",
    "Faster {p} for large inputs",
    "Handle errors in the {p}",
    "Split the {p} into two modules",
    "Cache results of the {p}",
    "Tests for the {p}",
    "Remove the old {p}",
    "Typed configuration for the {p}",
    "Retry in the {p} with back-off",
    "Tidy up the {p}",
];

pub const REQUEST_BODIES: &[&str] = &[
    "This changes the {p} only; nothing outside notices. Tests are included.",
    "The first commit moves code, the second changes behaviour. Best read one after the other.",
    "Benchmarks of the {p} before and after are in the last comment of the issue.",
    "There is one open question, marked in the {p}. Everything else is ready for review.",
    "As discussed. The {p} keeps its old interface until the next major release.",
];

pub const COMMIT_TITLES: &[&str] = &[
    "Fix off-by-one in the {p}",
    "Refactor the {p}",
    "Log less in the {p}",
    "Add tests for the {p}",
    "Speed up the {p}",
    "Document the {p}",
    "Handle empty input in the {p}",
    "Move the {p} to its own module",
    "Make the {p} tolerate restarts",
    "Remove dead code from the {p}",
    "Rename things in the {p}",
    "Close file handles in the {p}",
    "Validate input of the {p}",
    "Bump dependencies of the {p}",
    "Use a timeout in the {p}",
    "Simplify the {p}",
    "Correct a typo in the {p}",
    "Give the {p} better error messages",
];

pub const BRANCH_VERBS: &[&str] = &["fix", "rework", "speed-up", "retire", "document", "test"];

pub const COMMENT_LINES: &[&str] = &[
    "I can reproduce this on two machines.",
    "Could you attach the log from just before it happens?",
    "Same here since last week.",
    "I think this is a duplicate, but I cannot find the other one.",
    "Good idea. I would keep the default as it is, though.",
    "Let us talk about this in the next call.",
    "This is smaller than it looks: one condition is inverted.",
    "I have a branch with a first attempt, will push it tonight.",
    "Looks good to me, apart from the naming.",
    "Please add a test that fails without the change.",
    "We should say this in the release notes.",
    "I would rather solve it one level higher.",
    "Thanks for the careful report.",
    "Moved to the next milestone, nobody has time before that.",
    "Works for me on the main branch. Can you try again?",
    "The numbers are convincing.",
];
