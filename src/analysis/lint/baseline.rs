//! Baselines: known findings that a project forgives, while new ones count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Finding;
use super::place::spots;
use crate::rig::Rig;

/// Findings that are forgiven, by file.
///
/// As JSON `{"version":1,"files":{PATH:{"RIG010":{SPOT:COUNT}}}}`, sorted, so that it can be read, compared and merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: Version,
    files: BTreeMap<String, Forgiven>,
}

/// Version of the format, of which there is only one.
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

/// Forgiven findings of one file: for each code, the name of each spot and how much is wrong there. So the order of findings, joints, meshes and
/// vertices does not matter, and more of the same at the same spot is new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Forgiven(BTreeMap<String, BTreeMap<String, usize>>);

impl Default for Baseline {
    fn default() -> Self {
        Self { version: Version, files: BTreeMap::new() }
    }
}

impl Baseline {
    /// Reads a baseline from JSON.
    ///
    /// *Errors*: in words for the user, with the line.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|problem| problem.to_string())
    }

    /// The baseline as JSON, in lines.
    pub fn to_json(&self) -> String {
        // Only text and numbers, which always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Findings that are forgiven for a file; none for one that is not in the baseline.
    pub fn of(&self, file: &str) -> Forgiven {
        self.files.get(file).cloned().unwrap_or_default()
    }

    /// Records the forgiven findings of a file.
    pub fn insert(&mut self, file: String, forgiven: Forgiven) {
        if !forgiven.0.is_empty() {
            self.files.insert(file, forgiven);
        }
    }
}

impl Forgiven {
    /// Forgives all of these findings from now on.
    pub fn all(rig: &Rig, findings: &[Finding]) -> Self {
        let mut all = Self::default();
        for finding in findings {
            for spot in spots(rig, finding) {
                *all.0.entry(finding.id()).or_default().entry(spot.name).or_default() += spot.count;
            }
        }
        all
    }

    /// True if the whole finding is forgiven, which then uses up as much of what is left to forgive.
    pub(super) fn forgives(&mut self, rig: &Rig, finding: &Finding) -> bool {
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
