use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::files::{digest, is_standard};
use crate::page::{Element, table, text};
use crate::stage::Source;
use crate::stage::Stage;
use crate::text::day;
use crate::view::Side;

const MAX_FILES: usize = 50;
const DAY_SECS: u64 = 86_400;

/// When and how a page was created. Pages with the same origin and content are identical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Command line, or action in the window.
    pub command: String,
    /// Creation time as a Unix timestamp, seconds.
    pub made_secs: u64,
}

impl Origin {
    /// Uses the current time or, if set, the environment variable `SOURCE_DATE_EPOCH`, which makes pages reproducible.
    /// *Source*: <https://reproducible-builds.org/specs/source-date-epoch/>.
    pub fn now(command: impl Into<String>) -> Self {
        let named = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { command: command.into(), made_secs: named.unwrap_or_else(clock) }
    }

    fn rows(&self) -> [(String, String); 3] {
        let program = format!("Rigscope {}", env!("CARGO_PKG_VERSION"));
        [("Made", date(self.made_secs)), ("By", program), ("Command", self.command.clone())]
            .map(|(what, is)| (what.to_owned(), is))
    }

    pub(super) fn lines(&self) -> Element {
        listed(self.rows())
    }

    pub(super) fn details(&self, stage: &Stage) -> Vec<Element> {
        vec![listed(files(stage).into_iter().chain(shown(stage)).chain(self.rows()))]
    }
}

fn listed(rows: impl IntoIterator<Item = (String, String)>) -> Element {
    table(&["", "This page"], rows.into_iter().map(|(what, is)| vec![text(&what), text(&is)]))
}

/// Returns the file and the digests of all files, without their folders, which tell readers elsewhere nothing.
fn files(stage: &Stage) -> Vec<(String, String)> {
    let document = &stage.document;
    let mut rows = vec![("File".to_owned(), document.source.name())];
    match &document.source {
        Source::BuiltIn(_) => {}
        Source::File(path) if is_standard(path) => {
            rows.push(("SHA-256".to_owned(), "unknown: read from standard input".to_owned()));
        }
        Source::File(path) => {
            let read = document.files.iter().take(MAX_FILES).filter_map(|file| {
                let hash = if file.is_current() {
                    digest(&file.path).ok()?
                } else {
                    "unknown: the file has changed since it was read".to_owned()
                };
                let is_own = file.path == *path;
                let folder = path.parent().unwrap_or(Path::new(""));
                let below = file.path.strip_prefix(folder).ok();
                let below = below.or_else(|| file.path.file_name().map(Path::new)).unwrap_or(&file.path);
                let name = if is_own { String::new() } else { format!(" of {}", below.display()) };
                Some((format!("SHA-256{name}"), hash))
            });
            rows.extend(read);
        }
    }
    rows
}

/// Returns rows that describe non-default choices of sides and weights.
fn shown(stage: &Stage) -> Vec<(String, String)> {
    let name = stage.document.source.name();
    let others = Side::ALL.into_iter().filter(|side| !stage.view.sides[*side].file.is_open());
    let others = others.map(|side| {
        let other = stage.view.sides[side].file.title();
        let is = format!("{name} only. In the window, side {side:?} showed {other}, which this page does not include");
        ("Sides A and B".to_owned(), is)
    });
    let weights = Some(&stage.view.sides.a.weights).filter(|choice| !choice.is_file());
    let weights = weights.map(|choice| ("Weights".to_owned(), format!("not the file's: {}", choice.title())));
    others.chain(weights).collect()
}

fn date(secs: u64) -> String {
    let minutes = secs % DAY_SECS / 60;
    format!("{} {:02}:{:02} UTC", day(secs), minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // Expected values are from `date -u -d @SECS`.
        for (secs, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_164_799, "2024-02-28 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(secs), expected);
        }
    }
}
