//! Baselines: known findings that a project accepts, so that only new findings count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Finding;
use super::spot::finding_locations;
use rigscope_core::rig::Rig;
use rigscope_core::rows::rows;

/// Accepted findings by file.
///
/// JSON: `{"version":1,"files":{PATH:{"RIG010":{SPOT:COUNT}}}}`, sorted so that it diffs and merges well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: Version,
    files: BTreeMap<String, FileBaseline>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
struct Version;

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, String> {
        if version == 1 { Ok(Self) } else { Err(format!("version {version} is not known, only 1")) }
    }
}

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        1
    }
}

/// Accepted findings of one file: the number of affected elements by code and spot. The order of findings, joints,
/// meshes and vertices does not matter. A finding with more elements at a spot than are accepted counts as new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileBaseline(BTreeMap<String, BTreeMap<String, usize>>);

impl Default for Baseline {
    fn default() -> Self {
        Self { version: Version, files: BTreeMap::new() }
    }
}

impl Baseline {
    /// Reads a baseline from JSON. *Errors*: a message for the user that includes the line number.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|problem| problem.to_string())
    }

    /// Formats the baseline as indented JSON.
    pub fn to_json(&self) -> String {
        // Text and numbers always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns the accepted findings of a file; empty if the file is not in the baseline.
    pub fn entries(&self, file: &str) -> FileBaseline {
        self.files.get(file).cloned().unwrap_or_default()
    }

    /// Replaces the accepted findings of a file.
    pub fn insert(&mut self, file: String, accepted: FileBaseline) {
        if accepted.0.is_empty() {
            self.files.remove(&file);
        } else {
            self.files.insert(file, accepted);
        }
    }

    /// Returns the files with accepted findings.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

rows! {
    /// Entry of a baseline that accepts more than the file has.
    #[derive(Eq)]
    pub struct UnusedEntry {
        /// Code or rule of the accepted findings.
        pub code: String,
        /// Location of the accepted findings, by name.
        pub spot: String,
        /// Number of elements that the entry accepts, such as vertices.
        pub accepted: usize,
        /// Number of elements found; 0 if no finding matches the entry.
        pub found: usize,
    }
}

impl FileBaseline {
    /// Accepts all given findings.
    pub fn all(rig: &Rig, findings: &[Finding]) -> Self {
        let mut all = Self::default();
        for finding in findings {
            for spot in finding_locations(rig, finding) {
                *all.0.entry(finding.id()).or_default().entry(spot.name).or_default() += spot.count;
            }
        }
        all
    }

    /// Returns true if no finding is accepted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the entries that accept more than was found. `found` holds all findings of the file, shown or hidden.
    pub(super) fn unused(&self, found: &Self) -> Vec<UnusedEntry> {
        let entries =
            self.0.iter().flat_map(|(code, spots)| spots.iter().map(move |(spot, count)| (code, spot, *count)));
        let unused = entries.filter_map(|(code, spot, accepted)| {
            let found = found.0.get(code).and_then(|spots| spots.get(spot)).copied().unwrap_or(0);
            (found < accepted).then(|| UnusedEntry { code: code.clone(), spot: spot.clone(), accepted, found })
        });
        unused.collect()
    }

    /// Reduces the counts of unused entries to the numbers found.
    pub fn reduce_to_found(&mut self, unused: &[UnusedEntry]) {
        for UnusedEntry { code, spot, found, .. } in unused {
            let Some(spots) = self.0.get_mut(code) else { continue };
            if *found == 0 {
                spots.remove(spot);
            } else if let Some(count) = spots.get_mut(spot) {
                *count = *found;
            }
            if spots.is_empty() {
                self.0.remove(code);
            }
        }
    }

    /// Returns true if the remaining counts cover the whole finding; if so, subtracts the finding from them.
    pub(super) fn accepts(&mut self, rig: &Rig, finding: &Finding) -> bool {
        let Some(left) = self.0.get_mut(&finding.id()) else { return false };
        let needed = Self::all(rig, std::slice::from_ref(finding));
        let needed = || needed.0.values().flatten();
        let is_left = needed().all(|(spot, count)| left.get(spot).is_some_and(|left| left >= count));
        for (spot, count) in needed().filter(|_| is_left) {
            left.entry(spot.clone()).and_modify(|left| *left -= count);
        }
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Code, Target};
    use super::*;

    fn accepted(json: &str) -> FileBaseline {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_entry_accepts_as_many_findings_as_were_there_and_no_more() {
        let rig = Rig::default();
        let finding = Finding::new(Code::ZeroArea, "One triangle has no area.".to_owned(), Target::File);
        let mut known = FileBaseline::all(&rig, &[finding.clone(), finding.clone()]);
        assert_eq!([(); 3].map(|()| known.accepts(&rig, &finding)), [true, true, false]);
    }

    #[test]
    fn unused_baseline_entries_are_removed() {
        let mut known = accepted(r#"{"RIG010":{"a":4,"b":2},"RIG022":{"c":1},"RIG050":{"d":3}}"#);
        let found = accepted(r#"{"RIG010":{"a":9,"b":1},"RIG050":{"d":3,"e":1}}"#);
        let unused = known.unused(&found);
        let told: Vec<_> = unused.iter().map(|s| (s.code.as_str(), s.spot.as_str(), s.accepted, s.found)).collect();
        assert_eq!(told, [("RIG010", "b", 2, 1), ("RIG022", "c", 1, 0)], "more than is accepted is not unused");
        known.reduce_to_found(&unused);
        assert_eq!(known, accepted(r#"{"RIG010":{"a":4,"b":1},"RIG050":{"d":3}}"#));
        assert!(known.unused(&found).is_empty());
    }
}
