//! First-person visibility of meshes in `VRMC_vrm` 1.0 and VRM 0 (`firstPerson`). `vrm_rules` validates the data.

use std::collections::HashMap;

use serde_json::Value;

use super::instances::GltfInstances;
use super::loader::GltfLoader;
use super::vrm;
use rigscope_core::rig::{FirstPersonVisibility, Hierarchy, NodeIndex, Skin};

impl GltfLoader<'_> {
    /// Returns the first-person visibility of each mesh instance; empty for a file without VRM.
    pub(super) fn first_person_visibility(
        &self,
        hierarchy: &Hierarchy,
        placed: &GltfInstances,
        skins: &[Skin],
        human_bones: &[(NodeIndex, String)],
    ) -> Vec<FirstPersonVisibility> {
        let Some((version, extension)) = self.vrm() else { return Vec::new() };
        let of_zero = version == vrm::ZERO;
        let first_person = extension.get("firstPerson");
        let marks = marks(first_person, of_zero);
        let own_bone = first_person.and_then(|first_person| number(first_person.get("firstPersonBone")?));
        let head = human_bones.iter().find(|(_, bone)| bone == "head").map(|(node, _)| *node);
        let head = own_bone.filter(|_| of_zero).and_then(|node| hierarchy.by_source(node)).or(head);
        let mut of_skinned: HashMap<(usize, usize), FirstPersonVisibility> = HashMap::new();
        let seen_by = placed.instances.iter().map(|instance| {
            let mesh = placed.meshes.get(instance.mesh)?;
            let marked = if of_zero { mesh.source } else { hierarchy.source(instance.node) };
            let skin = instance.skin.and_then(|skin| skins.get(skin));
            let automatic = || FirstPersonVisibility::automatic(hierarchy, head, instance, mesh, skin);
            let automatic = || match instance.skin {
                Some(skin) => *of_skinned.entry((instance.mesh, skin)).or_insert_with(automatic),
                None => automatic(),
            };
            Some(marks.get(&marked).copied().flatten().unwrap_or_else(automatic))
        });
        seen_by.map(Option::unwrap_or_default).collect()
    }
}

/// Returns annotations by mesh index (VRM 0) or node index (VRM 1.0); `None` stands for automatic visibility. If an
/// index has several annotations, the first one is used.
fn marks(first_person: Option<&Value>, of_zero: bool) -> HashMap<usize, Option<FirstPersonVisibility>> {
    let (of, kind) = if of_zero { ("mesh", "firstPersonFlag") } else { ("node", "type") };
    let listed = first_person.and_then(|first_person| first_person.get("meshAnnotations")?.as_array());
    let mut marks = HashMap::new();
    for mark in listed.into_iter().flatten() {
        let Some(marked) = mark.get(of).and_then(number) else { continue };
        let seen_by = match mark.get(kind).and_then(Value::as_str) {
            Some("both" | "Both") => Some(FirstPersonVisibility::All),
            Some("thirdPersonOnly" | "ThirdPersonOnly") => Some(FirstPersonVisibility::Observers),
            Some("firstPersonOnly" | "FirstPersonOnly") => Some(FirstPersonVisibility::Itself),
            _ => None,
        };
        marks.entry(marked).or_insert(seen_by);
    }
    marks
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marks_are_read_from_vrm_0_and_vrm_1() {
        let one = json!({"meshAnnotations": [{"node": 3, "type": "firstPersonOnly"}, {"node": 3, "type": "both"}, {"node": 4, "type": "auto"},
            {"node": 5, "type": "thirdPersonOnly"}, {"node": -1, "type": "both"}, {"node": 6, "type": 7}, 8]});
        let expected = [
            (3, Some(FirstPersonVisibility::Itself)),
            (4, None),
            (5, Some(FirstPersonVisibility::Observers)),
            (6, None),
        ];
        assert_eq!(marks(Some(&one), false), expected.into());
        let zero = json!({"meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Both"}, {"mesh": 1, "firstPersonFlag": "Auto"}]});
        assert_eq!(marks(Some(&zero), true), [(0, Some(FirstPersonVisibility::All)), (1, None)].into());
        assert!(marks(None, true).is_empty() && marks(Some(&json!({"meshAnnotations": 3})), false).is_empty());
    }
}
