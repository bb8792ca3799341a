//! Changes as lines for people and as JSON.

use serde::Serialize;

use super::super::console::{BOLD, Line};
use crate::diff::{Change, RigDiff, Tolerances};

/// Two files and what changed from one to the other.
pub(super) struct Report<'a> {
    pub names: [&'a str; 2],
    pub tolerances: &'a Tolerances,
    pub diff: &'a RigDiff,
}

/// Changes of one kind that are told, unless all are asked for.
const FIRST: usize = 5;

impl Report<'_> {
    /// Which files, then each kind of change with the largest of it.
    pub fn lines(&self, is_all: bool) -> Vec<Line> {
        let [old, new] = self.names;
        if self.diff.is_same() {
            return vec![Line::plain(&format!("{new} is the same as {old}"))];
        }
        let mut lines = vec![Line::default().styled(BOLD, &format!("{old} -> {new}"))];
        for changes in self.diff.by_kind() {
            let told = if is_all { changes.len() } else { FIRST.min(changes.len()) };
            lines.extend(changes[..told].iter().map(line));
            if changes.len() > told {
                lines.push(row("", &format!("and {} more", changes.len() - told)));
            }
        }
        lines
    }

    /// One object on one line.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Document<'a> {
            version: u32,
            old: &'a str,
            new: &'a str,
            same: bool,
            tolerances: &'a Tolerances,
            changes: &'a [Change],
        }
        let Self { names: [old, new], tolerances, diff } = *self;
        let document = Document { version: 1, old, new, same: diff.is_same(), tolerances, changes: &diff.changes };
        // Text, numbers and lists: nothing in it can fail to become JSON.
        serde_json::to_string(&document).unwrap_or_default()
    }
}

fn line(change: &Change) -> Line {
    let details = change.details();
    let separator = if details.is_empty() { "" } else { ": " };
    row(change.kind.name(), &format!("{}{separator}{details}", change.of))
}

fn row(what: &str, text: &str) -> Line {
    Line::plain(&format!("  {what:<20} ")).and(text)
}
