use super::IndexMatch;
use crate::rig::Rig;

/// Matches the morphs of two rigs by name; indices are those of [`Rig::morphs`].
pub fn morph_match(old: &Rig, new: &Rig) -> IndexMatch {
    let [old, new] = [old, new].map(|rig| rig.morphs().iter().map(|morph| morph.name.as_str()).collect::<Vec<_>>());
    name_match(&old, &new)
}

/// Matches the clips of two rigs by name.
pub fn clip_match(old: &Rig, new: &Rig) -> IndexMatch {
    let [old, new] = [old, new].map(|rig| rig.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>());
    name_match(&old, &new)
}

/// Matches equal names in list order, then the remaining names that are equal apart from namespace, case and copy
/// number, if these are unique in each list.
fn name_match(old: &[&str], new: &[&str]) -> IndexMatch {
    let mut found = IndexMatch::new(old.len(), new.len());
    found.join_equal(|at| Some(old[at]), |at| Some(new[at]));
    let bare = |name: &str| Some(bare_name(name)).filter(|name| !name.is_empty());
    found.join_unique(|at| bare(old[at]), |at| bare(new[at]));
    found
}

/// Returns the name in lower case, without namespaces (`rig:Hips`, `Armature|Hips`) or copy number (`Hips.001`).
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
            let found = name_match(old, new);
            found.pairs().for_each(|(old, new)| assert_eq!(found.old_for(new), Some(old)));
            (0..old.len()).map(|number| found.new_for(number)).collect()
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
