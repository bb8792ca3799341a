//! Required JSON types of VRM data. Values of the wrong type are not read at all, so every profile includes this check.

use serde_json::Value;

/// Paths in the VRM 0 extension and their types: `{}` is an object, `[]` a list. `*` stands for every entry. Parents
/// come first.
pub(super) const ZERO: &[&str] = &[
    "{}",
    "meta{}",
    "humanoid{}",
    "humanoid.humanBones[]",
    "humanoid.humanBones.*{}",
    "firstPerson{}",
    "firstPerson.meshAnnotations[]",
    "firstPerson.meshAnnotations.*{}",
    "blendShapeMaster{}",
    "blendShapeMaster.blendShapeGroups[]",
    "blendShapeMaster.blendShapeGroups.*{}",
    "blendShapeMaster.blendShapeGroups.*.binds[]",
    "blendShapeMaster.blendShapeGroups.*.binds.*{}",
    "blendShapeMaster.blendShapeGroups.*.materialValues[]",
    "blendShapeMaster.blendShapeGroups.*.materialValues.*{}",
    "secondaryAnimation{}",
    "secondaryAnimation.boneGroups[]",
    "secondaryAnimation.boneGroups.*{}",
    "secondaryAnimation.boneGroups.*.bones[]",
    "secondaryAnimation.boneGroups.*.colliderGroups[]",
    "secondaryAnimation.colliderGroups[]",
    "secondaryAnimation.colliderGroups.*{}",
    "secondaryAnimation.colliderGroups.*.colliders[]",
    "secondaryAnimation.colliderGroups.*.colliders.*{}",
    "materialProperties[]",
    "materialProperties.*{}",
];

pub(super) const ONE: &[&str] = &[
    "{}",
    "meta{}",
    "humanoid{}",
    "humanoid.humanBones{}",
    "humanoid.humanBones.*{}",
    "firstPerson{}",
    "firstPerson.meshAnnotations[]",
    "firstPerson.meshAnnotations.*{}",
    "lookAt{}",
    "lookAt.rangeMapHorizontalInner{}",
    "lookAt.rangeMapHorizontalOuter{}",
    "lookAt.rangeMapVerticalDown{}",
    "lookAt.rangeMapVerticalUp{}",
    "expressions{}",
    "expressions.preset{}",
    "expressions.preset.*{}",
    "expressions.preset.*.morphTargetBinds[]",
    "expressions.preset.*.materialColorBinds[]",
    "expressions.preset.*.textureTransformBinds[]",
    "expressions.custom{}",
    "expressions.custom.*{}",
    "expressions.custom.*.morphTargetBinds[]",
    "expressions.custom.*.materialColorBinds[]",
    "expressions.custom.*.textureTransformBinds[]",
];

pub(super) const SPRINGS: &[&str] = &[
    "{}",
    "colliders[]",
    "colliders.*{}",
    "colliders.*.shape{}",
    "colliders.*.shape.sphere{}",
    "colliders.*.shape.capsule{}",
    "colliderGroups[]",
    "colliderGroups.*{}",
    "colliderGroups.*.colliders[]",
    "springs[]",
    "springs.*{}",
    "springs.*.joints[]",
    "springs.*.joints.*{}",
    "springs.*.colliderGroups[]",
];

/// Calls `report` with each fault, such as `meta is not an object`. Absent and `null` values are valid.
pub(super) fn each_wrong(extension: &str, value: &Value, places: &[&str], report: &mut impl FnMut(String)) {
    for place in places {
        let (path, is_list) =
            place.strip_suffix("[]").map_or((place.trim_end_matches("{}"), false), |path| (path, true));
        let keys: Vec<&str> = path.split('.').filter(|key| !key.is_empty()).collect();
        visit(value, &keys, extension, &mut |value, at| {
            let kind = if is_list { "a list" } else { "an object" };
            if !(value.is_null() || if is_list { value.is_array() } else { value.is_object() }) {
                report(format!("{at} is not {kind}"));
            }
        });
    }
}

fn visit(value: &Value, keys: &[&str], at: &str, found: &mut impl FnMut(&Value, &str)) {
    let Some((key, rest)) = keys.split_first() else { return found(value, at) };
    match value {
        Value::Array(items) if *key == "*" => {
            items.iter().enumerate().for_each(|(n, item)| visit(item, rest, &format!("{at}[{n}]"), found));
        }
        Value::Object(entries) if *key == "*" => {
            let short = crate::import::warning::short;
            entries.iter().for_each(|(name, entry)| visit(entry, rest, &format!("{at}.{}", short(name)), found));
        }
        _ => {
            if let Some(value) = value.get(key) {
                visit(value, rest, &format!("{at}.{key}"), found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(value: &Value, places: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        each_wrong("VRM", value, places, &mut |fault| found.push(fault));
        found
    }

    #[test]
    fn lists_where_objects_are_expected_are_found_once_and_absent_values_are_not() {
        assert!(
            wrong(&json!({"meta": {}, "humanoid": {"humanBones": [{"bone": "hips"}]}, "firstPerson": null}), ZERO)
                .is_empty()
        );
        assert_eq!(wrong(&json!([]), ZERO), ["VRM is not an object"]);
        let found = wrong(&json!({"meta": [], "humanoid": {"humanBones": {"hips": 1}}}), ZERO);
        assert_eq!(
            found,
            [
                "VRM.meta is not an object",
                "VRM.humanoid.humanBones is not a list",
                "VRM.humanoid.humanBones.hips is not an object"
            ]
        );
        let found = wrong(&json!({"humanoid": {"humanBones": []}, "expressions": {"preset": {"happy": []}}}), ONE);
        assert_eq!(
            found,
            ["VRM.humanoid.humanBones is not an object", "VRM.expressions.preset.happy is not an object"]
        );
        assert_eq!(wrong(&json!({"springs": [{"joints": {}}]}), SPRINGS), ["VRM.springs[0].joints is not a list"]);
    }
}
