//! Removes members of VRM extensions that have the wrong JSON type, since they make other programs fail.

use serde_json::Value;

#[derive(Clone, Copy, PartialEq)]
enum JsonKind {
    Object,
    List,
}

use JsonKind::{List, Object};

/// JSON types of members by path within the extension, parents first.
const SHAPES: [(&str, &[(&str, JsonKind)]); 4] = [
    (
        "VRM",
        &[
            ("/meta", Object),
            ("/humanoid", Object),
            ("/humanoid/humanBones", List),
            ("/firstPerson", Object),
            ("/blendShapeMaster", Object),
            ("/blendShapeMaster/blendShapeGroups", List),
            ("/secondaryAnimation", Object),
            ("/secondaryAnimation/boneGroups", List),
            ("/secondaryAnimation/colliderGroups", List),
            ("/materialProperties", List),
        ],
    ),
    (
        "VRMC_vrm",
        &[
            ("/meta", Object),
            ("/humanoid", Object),
            ("/humanoid/humanBones", Object),
            ("/firstPerson", Object),
            ("/firstPerson/meshAnnotations", List),
            ("/lookAt", Object),
            ("/expressions", Object),
            ("/expressions/preset", Object),
            ("/expressions/custom", Object),
        ],
    ),
    ("VRMC_springBone", &[("/colliders", List), ("/colliderGroups", List), ("/springs", List)]),
    ("VRMC_vrm_animation", &[("/humanoid", Object), ("/humanoid/humanBones", Object), ("/expressions", Object)]),
];

impl JsonKind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Object => value.is_object(),
            Self::List => value.is_array(),
        }
    }
}

/// Removes members of the wrong type and returns their names. If the extension itself is not an object, returns its
/// name but keeps it.
pub(super) fn remove_malformed(name: &str, block: &mut Value) -> Vec<String> {
    if !block.is_object() {
        return vec![name.to_owned()];
    }
    let shapes = SHAPES.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, members)| members);
    let mut removed = Vec::new();
    for (path, kind) in shapes {
        let Some((parent, member)) = path.rsplit_once('/') else { continue };
        let Some(parent) = block.pointer_mut(parent).and_then(Value::as_object_mut) else { continue };
        if parent.get(member).is_some_and(|value| !kind.fits(value)) {
            parent.remove(member);
            removed.push(format!("{name}{}", path.replace('/', ".")));
        }
    }
    removed
}

pub(super) fn remove_malformed_extensions(material: &mut Value) -> usize {
    let Some(extensions) = material.get_mut("extensions").and_then(Value::as_object_mut) else { return 0 };
    let count = extensions.len();
    extensions.retain(|_, extension| extension.is_object());
    count - extensions.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_of_another_type_are_removed_and_named() {
        let mut block = json!({"specVersion": "1.0", "humanoid": {"humanBones": [1]}, "expressions": 5, "meta": {}});
        assert_eq!(remove_malformed("VRMC_vrm", &mut block), ["VRMC_vrm.humanoid.humanBones", "VRMC_vrm.expressions"]);
        assert_eq!(block, json!({"specVersion": "1.0", "humanoid": {}, "meta": {}}));
        assert_eq!(remove_malformed("VRM", &mut json!([])), ["VRM"]);
        let mut material = json!({"extensions": {"VRMC_materials_mtoon": 3, "KHR_materials_unlit": {}}});
        assert_eq!(remove_malformed_extensions(&mut material), 1);
        assert_eq!(material, json!({"extensions": {"KHR_materials_unlit": {}}}));
    }
}
