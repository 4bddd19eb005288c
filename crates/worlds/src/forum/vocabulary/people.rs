//! Words for people and for remarks that fit under any post.

pub const FIRST_WORDS: &[&str] = &[
    "walnut", "copper", "harbor", "juniper", "velvet", "pepper", "marble", "willow", "saffron", "cobalt",
    "hazel", "amber", "thistle", "linen", "orchard", "pebble", "quiet", "rusty", "silver", "tango", "umbra",
    "woolly", "zephyr", "bramble", "cedar", "dapple", "ember", "flint", "ginger", "heron",
];

pub const LAST_WORDS: &[&str] = &[
    "fox", "jo", "lantern", "miller", "otter", "kettle", "sparrow", "turner", "finch", "ridge", "weaver",
    "badger", "marsh", "piper", "stone", "gull", "cooper", "wren", "baker", "moth", "tinker", "vale",
    "drummer", "hollow", "ferry", "potter", "larch", "tern", "mason", "crane",
];

pub const TOWNS: &[&str] = &[
    "Aldbourne",
    "Brackwater",
    "Corrie Bay",
    "Dunmere",
    "Eastlow",
    "Farrowick",
    "Glenhithe",
    "Hartsford",
    "Inverlee",
    "Kestwick",
    "Low Marden",
    "Netherby",
];

pub const BIO_LINES: &[&str] = &[
    "Here to learn and to answer what I can.",
    "Two kids, one dog, too many hobbies.",
    "I write long comments. Sorry in advance.",
    "Retired engineer with time on my hands.",
    "Mostly lurking, sometimes posting photos.",
    "Night shifts pay for the hobby.",
    "If it can be repaired, I will try to repair it.",
    "Ask me about the one thing I got right.",
    "Learning slowly, enjoying all of it.",
    "Former teacher, still explaining things to everyone.",
];

pub const GENERAL_REMARKS: &[&str] = &[
    "Thanks for writing this up, it saved me an evening.",
    "I had exactly the same thing happen last month.",
    "Not sure I agree, but I see where you are coming from.",
    "Do you have a picture? Hard to say from the description alone.",
    "Following this, I would like to know how it ends.",
    "This should go into the wiki.",
    "Take my vote, this is the answer.",
    "It depends a lot on where you live.",
    "I would wait a week before changing anything else.",
    "Change one thing at a time, otherwise you will never know what helped.",
    "Could you say a bit more about what you tried before?",
    "My neighbour swears by the opposite, for what it is worth.",
    "Came here to say this.",
    "That is much cheaper than what I paid.",
    "I made that mistake twice before it stuck.",
    "Give it time, the second attempt is always better.",
    "Please post an update when you know more.",
    "Good question, I have wondered about this too.",
    "Lovely result, well done.",
    "I keep a notebook for this and it helps more than any gadget.",
];
