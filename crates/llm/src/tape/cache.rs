//! Replies by what was asked, one file each, shared by all runs that use the folder.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::{Entry, Taped, TapedCall, VERSION};
use super::{CacheOptions, TapeError};

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    any_temperature: bool,
    /// Distinguishes the unfinished files of this process.
    unfinished: AtomicU64,
}

impl Cache {
    pub(super) fn open(options: &CacheOptions) -> Result<Self, TapeError> {
        fs::create_dir_all(&options.folder)
            .map_err(|error| TapeError { path: options.folder.clone(), problem: error.to_string() })?;
        let CacheOptions { folder, any_temperature } = options.clone();
        Ok(Self { folder, any_temperature, unfinished: AtomicU64::new(0) })
    }

    pub(super) fn find(&self, call: &TapedCall) -> Option<Taped> {
        if !self.takes(call) {
            return None;
        }
        // A file that cannot be read is as good as none: the call is made, and the file written again.
        let entry: Entry = serde_json::from_slice(&fs::read(self.path(call)).ok()?).ok()?;
        (entry.v == VERSION && entry.key == call.key).then_some(entry.answer)
    }

    pub(super) fn keep(&self, call: &TapedCall, answer: &Taped) -> io::Result<()> {
        if !self.takes(call) {
            return Ok(());
        }
        let path = self.path(call);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let number = self.unfinished.fetch_add(1, Ordering::Relaxed);
        let unfinished = folder.join(format!("{}-{number}.unfinished", std::process::id()));
        let mut file = fs::File::create(&unfinished)?;
        file.write_all(&serde_json::to_vec(&Entry::new(call, answer))?)?;
        fs::rename(&unfinished, &path)
    }

    /// A reply that is drawn by chance is another one every time; keeping it has to be asked for.
    fn takes(&self, call: &TapedCall) -> bool {
        let request = &call.request;
        let temperature = [
            &request["temperature"],
            &request["generationConfig"]["temperature"],
            &request["generation_config"]["temperature"],
        ]
        .into_iter()
        .find_map(serde_json::Value::as_f64);
        self.any_temperature || temperature == Some(0.0)
    }

    fn path(&self, call: &TapedCall) -> PathBuf {
        let key = call.key.as_str();
        self.folder.join(key.get(..2).unwrap_or_default()).join(format!("{key}.json"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn cache(folder: &std::path::Path, any_temperature: bool) -> Cache {
        Cache::open(&CacheOptions { folder: folder.to_owned(), any_temperature }).expect("opened")
    }

    fn call(request: Value) -> TapedCall {
        TapedCall::new("someone", "openai", "chat", request)
    }

    #[test]
    fn what_is_certain_is_kept_and_chance_only_if_asked() {
        let answer = Taped { content_type: "application/json".into(), body: "{}".into() };
        for (request, is_certain) in [
            (json!({"temperature": 0}), true),
            (json!({"generationConfig": {"temperature": 0.0}}), true),
            (json!({"temperature": 0.7}), false),
            (json!({}), false),
        ] {
            let folder = tempfile::tempdir().expect("folder");
            let call = call(request);
            for (any_temperature, is_kept) in [(false, is_certain), (true, true)] {
                let cache = cache(folder.path(), any_temperature);
                cache.keep(&call, &answer).expect("kept");
                assert_eq!(cache.find(&call).is_some(), is_kept, "{:?}", call.request);
            }
        }
    }

    #[test]
    fn the_same_question_of_another_caller_is_the_same_and_a_broken_file_is_none() {
        let folder = tempfile::tempdir().expect("folder");
        let cache = cache(folder.path(), true);
        let answer = Taped { content_type: "text/event-stream".into(), body: "data: 1\n\n".into() };
        cache.keep(&call(json!({"a": 1})), &answer).expect("kept");
        let other = TapedCall::new("somebody else", "openai", "chat", json!({"a": 1}));
        assert_eq!(cache.find(&other), Some(answer));
        assert_eq!(cache.find(&TapedCall::new("", "anthropic", "chat", json!({"a": 1}))), None);
        fs::write(cache.path(&other), b"{\"v\":1").expect("broken");
        assert_eq!(cache.find(&other), None);
    }
}
