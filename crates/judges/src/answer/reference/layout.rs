//! The order in which the release tells a judge what it knows. Its headings are its own words and stay out of here: a
//! caller that wants them brings them.

use super::selection::numbered;
use super::{Crash, Mode, Selection};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heading {
    Task,
    KeyPoints,
    Actions,
    /// Thoughts and actions in turn.
    Trajectory,
    /// Why each picture was kept.
    Reasons,
    Response,
    /// A sentence about the picture that follows; it has no content.
    LastPicture,
    /// How many pictures follow: the number stands first.
    PictureCount,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub heading: Heading,
    pub content: String,
}

/// What the released judges know about an attempt. Lists are not tied to each other: nothing says which thought or
/// screenshot belongs to which action.
#[derive(Clone, Debug, Default)]
pub struct Known<'a> {
    pub task: &'a str,
    pub actions: &'a [&'a str],
    pub thoughts: Option<&'a [Option<&'a str>]>,
    pub key_points: &'a str,
    pub selection: Selection,
    pub response: Option<&'a str>,
    pub pictures: usize,
}

/// The user's text of the last call of a mode, in sections.
pub fn sections(mode: Mode, known: &Known<'_>) -> Result<Vec<Section>, Crash> {
    let section = |heading, content: String| Section { heading, content };
    let task = section(Heading::Task, known.task.to_owned());
    let listed = |items: String| format!("\n{items}");
    Ok(match mode {
        Mode::Autonomous => vec![
            task,
            section(Heading::Actions, listed(numbered(known.actions.iter().copied()))),
            section(Heading::LastPicture, String::new()),
        ],
        Mode::AgentTrek => vec![
            task,
            section(Heading::Trajectory, listed(thoughts_and_actions(known)?)),
            section(Heading::LastPicture, String::new()),
        ],
        Mode::WebVoyager => vec![
            task,
            section(Heading::Response, known.response.unwrap_or("None").to_owned()),
            section(Heading::PictureCount, known.pictures.min(super::MOST_PICTURES).to_string()),
        ],
        Mode::WebJudgeOnline | Mode::WebJudgeGeneral => {
            let actions = match known.thoughts {
                Some(thoughts) if mode == Mode::WebJudgeGeneral => reasoned_actions(known.actions, thoughts),
                _ => numbered(known.actions.iter().copied()),
            };
            let mut sections = vec![
                task,
                section(Heading::KeyPoints, known.key_points.to_owned()),
                section(Heading::Actions, listed(actions)),
            ];
            if !known.selection.pictures.is_empty() {
                sections.push(section(Heading::Reasons, listed(known.selection.numbered())));
            }
            sections
        }
    })
}

/// Sections as one text, with words before and after each content.
pub fn laid_out(sections: &[Section], words: impl Fn(Heading) -> (String, String)) -> String {
    let blocks = sections.iter().map(|section| {
        let (before, after) = words(section.heading);
        format!("{before}{}{after}", section.content)
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

/// As many as the shorter list has; what is left of the longer one is not told.
fn thoughts_and_actions(known: &Known<'_>) -> Result<String, Crash> {
    let thoughts = known.thoughts.ok_or(Crash("no thoughts to go through"))?;
    let mut steps = Vec::new();
    for (index, (thought, action)) in thoughts.iter().zip(known.actions).enumerate() {
        let thought = thought.ok_or(Crash("a thought that is missing"))?.replace("\n\n", " ");
        let number = index + 1;
        steps.push(format!("Thought {number}: {thought}\nAction {number}: {}", action.replace("\n\n", " ")));
    }
    Ok(steps.join("\n\n"))
}

fn reasoned_actions(actions: &[&str], thoughts: &[Option<&str>]) -> String {
    let lines = actions.iter().zip(thoughts);
    let lines = lines.map(|(action, thought)| format!("{action}. Reasoning: {}", thought.unwrap_or("None")));
    numbered(lines.collect::<Vec<_>>().iter().map(String::as_str))
}
