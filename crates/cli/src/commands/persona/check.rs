use serde_json::json;
use umpire_persona::queries::{problems, read_sets};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::count;

/// Says what is wrong with wishes, level by level.
pub fn check(args: &CheckArgs, as_json: bool) -> Result<Exit, Failure> {
    let mut sets = Vec::new();
    for file in &args.wishes {
        let at = |problem: String| Failure::new(format!("{}: {problem}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| at(error.to_string()))?;
        sets.extend(read_sets(&text).map_err(|error| at(error.to_string()))?);
    }
    let found: Vec<_> = sets
        .iter()
        .map(|set| (set.id.as_str(), problems(set)))
        .filter(|(_, problems)| !problems.is_empty())
        .collect();
    if as_json {
        let told: Vec<_> =
            found.iter().map(|(id, problems)| json!({ "id": id, "problems": problems })).collect();
        say!("{}", json!({ "sets": sets.len(), "unsound": told }));
    } else {
        for (id, problem) in found.iter().flat_map(|(id, all)| all.iter().map(move |one| (id, one))) {
            say!("{id}: {problem}");
        }
        say!("{} wishes at three levels, {} unsound", count(sets.len()), count(found.len()));
    }
    Ok(if found.is_empty() { Exit::Ok } else { Exit::GateFailed })
}
