//! Matches two lists of names, of morph targets or clips.

use std::collections::{BTreeMap, HashMap};

use crate::rig::Rig;

/// Counterparts of list entries; no entry has two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameMatch {
    new_of: Vec<Option<usize>>,
    old_of: Vec<Option<usize>>,
}

/// Matches the morphs of two rigs, as in [`Rig::morphs`].
pub fn morph_match(old: &Rig, new: &Rig) -> NameMatch {
    let names = |rig: &Rig| rig.morphs().iter().map(|morph| morph.name.clone()).collect::<Vec<_>>();
    NameMatch::between(&names(old), &names(new))
}

/// Matches the clips of two rigs.
pub fn clip_match(old: &Rig, new: &Rig) -> NameMatch {
    let names = |rig: &Rig| rig.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    NameMatch::between(&names(old), &names(new))
}

impl NameMatch {
    /// Matches equal names, repeated ones in order; then names that are unique in each list without namespaces, case
    /// and copy numbers.
    pub fn between(old: &[String], new: &[String]) -> Self {
        let mut found = Self { new_of: vec![None; old.len()], old_of: vec![None; new.len()] };
        let mut free: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, name) in new.iter().enumerate().rev() {
            free.entry(name).or_default().push(number);
        }
        for (number, name) in old.iter().enumerate() {
            if let Some(other) = free.get_mut(name.as_str()).and_then(Vec::pop) {
                found.join(number, other);
            }
        }
        let (from, to) = (unique_bare(old, &found.new_of), unique_bare(new, &found.old_of));
        for (name, number) in from {
            if let (Some(number), Some(Some(other))) = (number, to.get(&name)) {
                found.join(number, *other);
            }
        }
        found
    }

    /// Returns the new counterpart of an old entry.
    pub fn new_of(&self, old: usize) -> Option<usize> {
        self.new_of.get(old).copied().flatten()
    }

    /// Returns the old counterpart of a new entry.
    pub fn old_of(&self, new: usize) -> Option<usize> {
        self.old_of.get(new).copied().flatten()
    }

    /// Iterates over matched entries (old, new), in old order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.new_of.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?)))
    }

    pub(crate) fn join(&mut self, old: usize, new: usize) {
        self.new_of[old] = Some(new);
        self.old_of[new] = Some(old);
    }
}

fn unique_bare(names: &[String], counterparts: &[Option<usize>]) -> BTreeMap<String, Option<usize>> {
    let mut found = BTreeMap::new();
    for (number, name) in names.iter().enumerate().filter(|(number, _)| counterparts[*number].is_none()) {
        found.entry(bare_name(name)).and_modify(|n| *n = None).or_insert(Some(number));
    }
    found.remove("");
    found
}

/// Lower-case name without namespaces (`rig:Hips`, `Armature|Hips`) and Blender's copy number (`Hips.001`).
pub(super) fn bare_name(name: &str) -> String {
    without_number(name.rsplit([':', '|']).next().unwrap_or(name)).to_lowercase()
}

fn without_number(name: &str) -> &str {
    let is_number = |end: &str| end.len() == 3 && end.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(begin, _)| begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_come_first_and_others_are_the_same_only_where_they_leave_one_entry() {
        let found = |old: &[&str], new: &[&str]| -> Vec<Option<usize>> {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            let found = NameMatch::between(&owned(old), &owned(new));
            found.pairs().for_each(|(old, new)| assert_eq!(found.old_of(new), Some(old)));
            (0..old.len()).map(|number| found.new_of(number)).collect()
        };
        assert_eq!(found(&["Walk", "Run"], &["Run", "Walk"]), [Some(1), Some(0)]);
        assert_eq!(found(&["Walk", "Walk"], &["Walk", "Walk", "Walk"]), [Some(0), Some(1)]);
        assert_eq!(found(&["Walk"], &["Armature|walk"]), [Some(0)]);
        assert_eq!(found(&["Walk"], &["walk", "WALK"]), [None]);
        assert_eq!(found(&["Walk", "walk"], &["walk"]), [None, Some(0)]);
        assert_eq!(found(&["", ""], &[""]), [Some(0), None]);
    }

    #[test]
    fn namespaces_capitals_and_numbers_of_copies_are_left_out() {
        for name in ["Hips", "hips", "ns:Hips", "a:b:HIPS", "Armature|Hips", "Hips.001", "ns:hips.042"] {
            assert_eq!(bare_name(name), "hips", "{name}");
        }
        assert_eq!(bare_name("Spine.01"), "spine.01");
        assert_eq!(bare_name("Spine.1000"), "spine.1000");
        assert_eq!(bare_name("left_hips"), "left_hips");
    }
}
