//! Cache of check results for unchanged files.
//!
//! A result is reused only if all inputs are unchanged: the program, processor features, options, config, path,
//! baseline, the file and all files that it references. Unreadable files are always checked again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::report::Summary;
use crate::analysis::lint::FileBaseline;
use crate::files::{change_stamp, content_digest, digest, open, read_bounded, write_atomically};
use crate::import::FileState;
use crate::jobs::lock;
use crate::project::Config;
use crate::skinning::instructions;

const NAME: &str = "check.cache";
const HEADER: &str = "rigscope check cache 1";
/// Maximum size of the cache file, bytes. It holds about 100,000 results.
const MAX_BYTES: u64 = 128 << 20;
/// The result for a file that changed more recently than this isn't cached, because the next change might get the same
/// modification time.
const SETTLED: Duration = Duration::from_secs(2);

pub(super) struct Cache {
    path: PathBuf,
    /// Digest of everything that affects all results: program, options and working folder.
    question: String,
    /// Stored results by key, as lines of the cache file.
    stored: BTreeMap<String, String>,
    /// Digest of each config, computed once for all files that use the config.
    settings: Mutex<Vec<(Arc<Config>, String)>>,
    this_run: Mutex<NewResults>,
}

#[derive(Default)]
struct NewResults {
    /// Keys of results reused in this run.
    hits: BTreeSet<String>,
    /// New results by key, as lines of the cache file.
    new: BTreeMap<String, String>,
    new_bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    files: Vec<FileSnapshot>,
    summary: Summary,
}

#[derive(Clone, Serialize, Deserialize)]
struct FileSnapshot {
    path: PathBuf,
    /// Stamp of the file and digest of its content; `None` if the file didn't exist.
    content: Option<(Stamp, String)>,
}

/// Size in bytes, followed by [`change_stamp`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp(u64, Vec<i64>);

impl Cache {
    /// Reads the cache in a folder. Calls `warn` and starts with an empty cache if the file is unusable. `question`
    /// contains the options that affect results.
    pub(super) fn read(folder: &Path, question: &str, warn: impl Fn(&str)) -> Self {
        let path = folder.join(NAME);
        let stored = match open(&path).and_then(|file| read_bounded(file, 2 * MAX_BYTES)) {
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(problem) => {
                warn(&format!("the cache {} cannot be read: {problem}; all files are checked", path.display()));
                BTreeMap::new()
            }
            Ok(bytes) => {
                let (stored, is_whole) = lines_by_key(&String::from_utf8_lossy(&bytes));
                if !is_whole {
                    warn(&format!(
                        "the cache {} is damaged or of another version; its unusable results are computed again",
                        path.display()
                    ));
                }
                stored
            }
        };
        let question = format!("{:?}", (program(), instructions(), std::env::current_dir().ok(), question));
        Self { path, question, stored, settings: Mutex::default(), this_run: Mutex::default() }
    }

    pub(super) fn key(&self, name: &str, config: &Arc<Config>, accepted: &FileBaseline) -> String {
        content_digest(format!("{:?}", (&self.question, self.digest_of_settings(config), name, accepted)).as_bytes())
    }

    fn digest_of_settings(&self, config: &Arc<Config>) -> String {
        let mut known = lock(&self.settings);
        if let Some((_, digest)) = known.iter().find(|(other, _)| Arc::ptr_eq(other, config)) {
            return digest.clone();
        }
        let digest = content_digest(format!("{config:?}").as_bytes());
        known.push((Arc::clone(config), digest.clone()));
        digest
    }

    /// Returns the stored result for a key, unless the content of one of its files changed.
    pub(super) fn find(&self, key: &str) -> Option<Summary> {
        let (_, json) = parts(self.stored.get(key)?)?;
        let mut entry: Entry = serde_json::from_str(json).ok()?;
        let mut is_touched = false;
        for file in &mut entry.files {
            is_touched |= file.refresh_stamp()?;
        }
        if is_touched {
            self.insert(key, &entry);
        } else {
            lock(&self.this_run).hits.insert(key.to_owned());
        }
        Some(entry.summary)
    }

    /// Stores the result of a check that read the files in `states`, unless one of them may have changed since.
    pub(super) fn store(&self, key: &str, states: &[FileState], summary: &Summary) {
        let mut paths: Vec<&Path> = states.iter().map(|state| state.path.as_path()).collect();
        paths.sort();
        paths.dedup();
        let files = paths.into_iter().map(FileSnapshot::settled).collect::<Option<Vec<_>>>();
        if let Some(files) = files.filter(|files| !files.is_empty() && states.iter().all(FileState::is_current)) {
            self.insert(key, &Entry { files, summary: summary.clone() });
        }
    }

    fn insert(&self, key: &str, entry: &Entry) {
        // Serializing fails for paths that are not UTF-8; their results aren't cached.
        let Ok(json) = serde_json::to_string(entry) else { return };
        let line = format!("{key} {} {json}", content_digest(json.as_bytes()));
        let mut run = lock(&self.this_run);
        run.new_bytes += line.len() as u64;
        if run.new_bytes <= MAX_BYTES {
            run.new.insert(key.to_owned(), line);
        }
    }

    /// Returns the number of reused results.
    pub(super) fn hits(&self) -> usize {
        lock(&self.this_run).hits.len()
    }

    /// Writes stored and new results. If they exceed the maximum size, stored results that this run didn't use are
    /// dropped first.
    pub(super) fn write(self) -> Result<(), String> {
        let run = self.this_run.into_inner().unwrap_or_else(PoisonError::into_inner);
        if run.new.is_empty() {
            return Ok(());
        }
        let (used, unused): (Vec<_>, Vec<_>) = self
            .stored
            .iter()
            .filter(|(key, _)| !run.new.contains_key(*key))
            .partition(|(key, _)| run.hits.contains(*key));
        let all = run.new.values().chain(used.into_iter().chain(unused).map(|(_, line)| line));
        let text = joined(all, MAX_BYTES);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let written = std::fs::create_dir_all(folder).and_then(|()| write_atomically(&self.path, text.as_bytes()));
        written.map_err(|problem| format!("the cache {} cannot be written: {problem}", self.path.display()))
    }
}

impl FileSnapshot {
    /// Returns the current state of a file; `None` if the file is unreadable, or if it changed less than [`SETTLED`]
    /// ago.
    fn settled(path: &Path) -> Option<Self> {
        let Ok(metadata) = path.metadata() else { return Some(Self { path: path.to_owned(), content: None }) };
        let age = SystemTime::now().duration_since(metadata.modified().ok()?).ok()?;
        let digest = digest(path).ok().filter(|_| age >= SETTLED)?;
        Some(Self { path: path.to_owned(), content: Some((Stamp::new(&metadata), digest)) })
    }

    /// Compares the snapshot with the current file. Returns `None` if the content changed. Otherwise updates the stamp
    /// and returns whether it changed.
    fn refresh_stamp(&mut self) -> Option<bool> {
        let now = self.path.metadata().ok().map(|metadata| Stamp::new(&metadata));
        match (&mut self.content, now) {
            (None, None) => Some(false),
            (Some((then, _)), Some(now)) if *then == now => Some(false),
            (Some((then, content)), Some(now)) if then.0 == now.0 && digest(&self.path).ok()? == *content => {
                *then = now;
                Some(true)
            }
            _ => None,
        }
    }
}

impl Stamp {
    fn new(metadata: &Metadata) -> Self {
        Self(metadata.len(), change_stamp(metadata))
    }
}

pub(super) fn folder(named: Option<&Path>) -> Result<PathBuf, String> {
    named
        .map(Path::to_owned)
        .or_else(crate::files::cache_folder)
        .ok_or_else(|| "the system names no cache folder. Name one with --cache=FOLDER.".to_owned())
}

/// Returns data that identifies this build of the program. Other builds may report different findings.
fn program() -> (&'static str, Option<(u64, Option<SystemTime>)>) {
    let file = std::env::current_exe().and_then(|path| path.metadata()).ok();
    (env!("CARGO_PKG_VERSION"), file.map(|file| (file.len(), file.modified().ok())))
}

/// Returns the lines of a cache file by key, and whether all lines were valid.
fn lines_by_key(text: &str) -> (BTreeMap<String, String>, bool) {
    let mut lines = text.lines();
    let mut is_whole = lines.next() == Some(HEADER);
    let mut stored = BTreeMap::new();
    for line in lines.filter(|_| is_whole).collect::<Vec<_>>() {
        match parts(line) {
            Some((key, _)) => _ = stored.insert(key.to_owned(), line.to_owned()),
            None => is_whole = false,
        }
    }
    (stored, is_whole)
}

/// Splits a line into key and JSON; `None` if its digest is wrong.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(' ')?;
    let (sum, json) = rest.split_once(' ')?;
    (content_digest(json.as_bytes()) == sum).then_some((key, json))
}

fn joined<'a>(lines: impl Iterator<Item = &'a String>, max_bytes: u64) -> String {
    let mut text = format!("{HEADER}\n");
    for line in lines {
        if (text.len() + line.len()) as u64 >= max_bytes {
            break;
        }
        _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, json: &str) -> String {
        format!("{key} {} {json}", content_digest(json.as_bytes()))
    }

    #[test]
    fn lines_that_are_not_as_they_were_written_are_left_out_and_the_first_that_fit_are_kept() {
        let lines = ["a", "b", "c"].map(|key| line(key, "{}"));
        let whole = joined(lines.iter(), 1000);
        let keys = |text: &str| {
            let (stored, is_whole) = lines_by_key(text);
            (stored.into_keys().collect::<String>(), is_whole)
        };
        assert_eq!(keys(&whole), ("abc".to_owned(), true));
        assert_eq!(keys(&joined(lines.iter(), 200)), ("ab".to_owned(), true));
        assert_eq!(keys(&whole[..whole.len() - 2]), ("ab".to_owned(), false));
        assert_eq!(keys(&whole.replacen("{}", "[]", 1)), ("bc".to_owned(), false));
        assert_eq!(keys(&whole.replacen("cache 1", "cache 2", 1)), (String::new(), false));
        assert_eq!(keys(""), (String::new(), false));
    }

    #[test]
    fn a_file_has_changed_where_its_content_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let write = |bytes: &[u8], age: u64| {
            std::fs::write(&path, bytes).unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        let mut missing = FileSnapshot::settled(&path).unwrap();
        assert_eq!(missing.refresh_stamp(), Some(false));
        write(b"one", 0);
        assert_eq!(missing.refresh_stamp(), None, "it appeared");
        assert!(FileSnapshot::settled(&path).is_none(), "it may change in this very moment");
        write(b"one", 9);
        let mut known = FileSnapshot::settled(&path).unwrap();
        assert_eq!(known.refresh_stamp(), Some(false));
        write(b"one", 5);
        assert_eq!(known.refresh_stamp(), Some(true));
        assert_eq!(known.refresh_stamp(), Some(false), "the new times are known");
        write(b"two", 5);
        assert_eq!(known.refresh_stamp(), None);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(known.refresh_stamp(), None);
    }
}
