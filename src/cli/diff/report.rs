use std::ffi::OsStr;
use std::path::Path;

use super::super::console::{BOLD, Line};
use crate::diff::{Change, ChangeJson, ChangeMeasure, RigDiff, Tolerances, rounded};
use crate::page::{Element, Page, bar, heading, paragraph, table, text};
use crate::rows::rows;
use crate::text::{capitalized, counted};

rows! {
    /// Changes from one file to another.
    pub(super) struct DiffJson {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Path of the old version.
        pub old: String,
        /// Path of the new version.
        pub new: String,
        /// True if nothing differs by more than the tolerances.
        pub same: bool,
        /// Tolerances up to which differences are ignored.
        pub tolerances: Tolerances,
        /// Maximum distance by which rounding moved a vertex, metres; not reported as a change.
        pub rounding_m: f32,
        /// Number of changes hidden by --only.
        pub hidden: usize,
        /// Changes, grouped by kind, largest first.
        pub changes: Vec<ChangeJson>,
    }
}

pub(super) struct DiffReport<'a> {
    pub names: [&'a str; 2],
    pub tolerances: &'a Tolerances,
    pub diff: &'a RigDiff,
    pub hidden: usize,
    /// Value of `--fail-over`, metres: smaller movements don't affect the exit code. `None` if every change affects it.
    pub fail_over_m: Option<f64>,
}

/// Maximum number of changes of each kind to list without `--verbose`.
const FIRST: usize = 5;

impl DiffReport<'_> {
    /// Returns true if a change affects the exit code. With `--fail-over`, only changes with a larger distance, and
    /// visible changes without a distance, affect it.
    pub(super) fn fails(&self, change: &Change) -> bool {
        let distance =
            change.amounts.iter().find(|(measure, _)| *measure == ChangeMeasure::Distance).map(|(_, metres)| *metres);
        match (self.fail_over_m, distance) {
            (Some(limit), Some(metres)) => metres > limit,
            (Some(_), None) => !change.kind.is_drawn_the_same(),
            _ => true,
        }
    }

    pub(super) fn lines(&self, is_all: bool) -> Vec<Line> {
        let [old, new] = self.names;
        if self.diff.is_same() {
            let same = format!("{new} is the same as {old}");
            let lines = [Some(same), self.rounding()].into_iter().flatten().map(|text| Line::plain(&text));
            return lines.chain(self.others()).collect();
        }
        let mut lines = vec![Line::default().styled(BOLD, &format!("{old} -> {new}"))];
        for changes in self.diff.by_kind() {
            let listed = if is_all { changes.len() } else { FIRST.min(changes.len()) };
            lines.extend(changes[..listed].iter().map(line));
            if changes.len() > listed {
                lines.push(row("", &format!("and {} more", changes.len() - listed)));
            }
        }
        lines.extend(self.rounding().map(|text| Line::plain(&text)));
        lines.extend(self.others());
        lines
    }

    fn others(&self) -> Option<Line> {
        (self.hidden > 0).then(|| Line::plain(&format!("{} of other kinds", counted(self.hidden, "change", "changes"))))
    }

    /// Returns a page. `worst_place` shows both versions at the largest change.
    pub(super) fn page(&self, worst_place: Option<Element>) -> String {
        // Readers elsewhere don't know the folders, unless they tell the versions apart.
        let name = |path: &str| Path::new(path).file_name().map_or(path.into(), OsStr::to_string_lossy).into_owned();
        let names = self.names.map(name);
        let [old, new] = if names[0] == names[1] { self.names.map(str::to_owned) } else { names };
        let mut page = Page::new("What changed");
        page.push(paragraph(&format!("From {old} to {new}.")));
        let Tolerances { distance_m, angle_deg, fraction, time_secs } = self.tolerances;
        let rounding = format!(
            "Differences up to {:.3} mm, {angle_deg}°, {fraction} of a weight or colour, and {time_secs} s are ignored.",
            distance_m * 1000.0
        );
        page.push(paragraph(&rounding).with("class", "quiet"));
        if self.diff.is_same() {
            page.push(paragraph("They are the same."));
        }
        if let Some(text) = self.rounding() {
            page.push(paragraph(&format!("{text}.")));
        }
        if let Some(others) = self.others() {
            page.push(paragraph(&format!("Not listed: {others}.")));
        }
        if let Some(picture) = worst_place {
            page.push(picture);
        }
        for changes in self.diff.by_kind() {
            let kind = changes[0].kind.name();
            page.push(heading(2, &format!("{} ({})", capitalized(kind), changes.len())));
            let largest = changes[0].size();
            let row = |change: &Change| {
                vec![text(&change.object_name), text(&change.details()), bar(change.size() / largest)]
            };
            page.push(table(&["Of", "Change", "Relative size"], changes.iter().map(row)));
        }
        page.html()
    }

    fn rounding(&self) -> Option<String> {
        let largest = f64::from(self.diff.rounding_m);
        (largest > 0.0).then(|| {
            format!("Rounding moves vertices by at most {} mm, not reported as a change", rounded(largest * 1000.0))
        })
    }

    pub(super) fn json(&self) -> DiffJson {
        let Self { names: [old, new], tolerances, diff, hidden, .. } = *self;
        DiffJson {
            version: 1,
            old: old.to_owned(),
            new: new.to_owned(),
            same: diff.is_same(),
            tolerances: *tolerances,
            rounding_m: diff.rounding_m,
            hidden,
            changes: diff.changes.iter().map(ChangeJson::from).collect(),
        }
    }
}

fn line(change: &Change) -> Line {
    let details = change.details();
    let separator = if details.is_empty() { "" } else { ": " };
    row(change.kind.name(), &format!("{}{separator}{details}", change.object_name))
}

fn row(what: &str, text: &str) -> Line {
    Line::plain(&format!("  {what:<20} ")).and(text)
}
