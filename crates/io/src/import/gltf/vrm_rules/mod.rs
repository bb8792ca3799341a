//! Validates VRM data: reports missing values, values that are out of range or have the wrong type, and invalid
//! references.

mod at;
mod one;
mod scene;
mod shape;
mod zero;

use serde_json::Value;

use super::loader::GltfLoader;
use super::vrm;
use crate::import::ImportWarning;
use crate::import::warning::and_more;
use at::{Faults, JsonCursor};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Hierarchy, VrmComponent, VrmViolations};
use scene::Scene;

const SPRINGS: &str = "VRMC_springBone";

impl GltfLoader<'_> {
    pub(super) fn warn_of_vrm_shapes(&self) {
        let (mut first, mut count) = (None, 0_usize);
        let mut report = |fault: String| {
            first.get_or_insert(fault);
            count = count.saturating_add(1);
        };
        let all = [(vrm::ZERO, shape::ZERO), (vrm::ONE, shape::ONE), (SPRINGS, shape::SPRINGS)];
        for (name, places) in all {
            if let Some(extension) = self.source.document.extensions.get(name) {
                shape::each_wrong(name, extension, places, &mut report);
            }
        }
        if let Some(first) = first {
            let others = and_more(count.saturating_sub(1));
            let message = format!("In the VRM data, {first}{others}; it was left out.");
            self.report.warn(ImportWarning::new(Code::VrmShape, Target::File, message));
        }
    }

    /// Returns the faults in the file's VRM data, by component. *Cost*: linear in the data and the nodes.
    pub(super) fn vrm_faults(&self, hierarchy: &Hierarchy) -> Vec<VrmViolations> {
        let Some((name, extension)) = self.vrm() else { return Vec::new() };
        let document = self.source.document;
        let scene = Scene { document, hierarchy };
        let of_part = |part| faults(part, name == vrm::ZERO, extension, &scene);
        VrmComponent::ALL.into_iter().map(of_part).filter(|faults| faults.count > 0).collect()
    }
}

fn faults(part: VrmComponent, is_zero: bool, extension: &Value, scene: &Scene<'_>) -> VrmViolations {
    let faults = Faults::new(part);
    let vrm = JsonCursor::new(Some(extension), "", &faults);
    match part {
        VrmComponent::Meta if is_zero => zero::meta(&vrm, scene),
        VrmComponent::Meta => one::meta(&vrm, scene),
        VrmComponent::Expressions if is_zero => zero::expressions(&vrm, scene),
        VrmComponent::Expressions => one::expressions(&vrm, scene),
        VrmComponent::LookAt if is_zero => zero::look_at(&vrm),
        VrmComponent::LookAt => one::look_at(&vrm),
        VrmComponent::FirstPerson if is_zero => zero::first_person(&vrm, scene),
        VrmComponent::FirstPerson => one::first_person(&vrm, scene),
        VrmComponent::Springs if is_zero => zero::springs(&vrm, scene),
        VrmComponent::Springs => {
            one::springs(&JsonCursor::new(scene.document.extensions.get(SPRINGS), "", &faults), scene);
        }
        VrmComponent::Constraints if is_zero => {}
        VrmComponent::Constraints => one::constraints(&vrm, scene),
    }
    faults.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::gltf::schema::GltfDocument;
    use rigscope_core::rig::Trs;
    use rigscope_core::rig::testing::chain;
    use serde_json::json;

    /// Checks a component in a file with a chain of four nodes. The third node has a mesh with two morph targets.
    fn told(
        part: VrmComponent,
        is_zero: bool,
        extension: &Value,
        springs: &Value,
        constraints: [&Value; 4],
    ) -> Vec<String> {
        let nodes: Vec<Value> = (0..4)
            .map(|number: usize| {
                let mut node = json!({});
                if let Some(value) = constraints.get(number).filter(|value| !value.is_null()) {
                    node["extensions"] = json!({"VRMC_node_constraint": value});
                }
                if number == 2 {
                    node["mesh"] = json!(0);
                }
                node
            })
            .collect();
        let primitive = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}, {"POSITION": 0}]});
        let document = json!({
            "nodes": nodes, "meshes": [{"primitives": [primitive]}], "materials": [{}], "images": [{"uri": "a.png"}],
            "textures": [{}], "extensions": {"VRMC_springBone": springs},
        });
        let document: GltfDocument = serde_json::from_str(&document.to_string()).unwrap();
        let hierarchy = chain(4, Trs::IDENTITY);
        let found = faults(part, is_zero, extension, &Scene { document: &document, hierarchy: &hierarchy });
        assert_eq!(found.count, found.first.len());
        found.first
    }

    fn one(part: VrmComponent, extension: &Value) -> Vec<String> {
        told(part, false, extension, &Value::Null, [&Value::Null; 4])
    }

    fn zero(part: VrmComponent, extension: &Value) -> Vec<String> {
        told(part, true, extension, &Value::Null, [&Value::Null; 4])
    }

    fn with(value: &Value, path: &str, new: Value) -> Value {
        let mut value = value.clone();
        *value.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = new;
        value
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn vrm_1_licence_is_complete_and_each_error_is_reported() {
        let good = json!({"specVersion": "1.0", "meta": {
            "name": "A", "authors": ["B"], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 0,
            "references": [], "avatarPermission": "everyone", "allowRedistribution": true, "modification": "prohibited",
        }});
        assert_eq!(one(VrmComponent::Meta, &good), NONE);
        for (path, new, said) in [
            ("/specVersion", json!("1.1"), "specVersion is \"1.1\" (allowed: 1.0"),
            ("/specVersion", Value::Null, "specVersion is missing"),
            ("/meta/name", json!(" "), "meta.name is empty"),
            ("/meta/name", Value::Null, "meta.name is missing"),
            ("/meta/authors", json!([]), "meta.authors names nobody"),
            ("/meta/authors", json!([""]), "meta.authors[0] is empty"),
            ("/meta/authors", json!("B"), "meta.authors is not a list"),
            ("/meta/licenseUrl", Value::Null, "meta.licenseUrl is missing"),
            ("/meta/thumbnailImage", json!(1), "meta.thumbnailImage is 1 (images: 1)"),
            ("/meta/avatarPermission", json!("all"), "meta.avatarPermission is \"all\" (allowed: onlyAuthor"),
            ("/meta/allowRedistribution", json!("yes"), "meta.allowRedistribution is not true or false"),
            ("/meta", Value::Null, "meta is missing"),
        ] {
            let found = one(VrmComponent::Meta, &with(&good, path, new));
            assert!(!found.is_empty() && found[0].starts_with(said), "{path}: {found:?}");
        }
    }

    #[test]
    fn expressions_of_vrm_1_bind_what_there_is() {
        let good = json!({"expressions": {
            "preset": {"happy": {
                "morphTargetBinds": [{"node": 2, "index": 1, "weight": 1}], "isBinary": false, "overrideBlink": "blend",
                "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 1, 1, 1]}],
                "textureTransformBinds": [{"material": 0, "scale": [1, 1]}],
            }},
            "custom": {"wink": {"morphTargetBinds": []}},
        }});
        assert_eq!(one(VrmComponent::Expressions, &good), NONE);
        let bind = "/expressions/preset/happy/morphTargetBinds/0";
        let color = "/expressions/preset/happy/materialColorBinds/0";
        for (path, new, said) in [
            (&format!("{bind}/index"), json!(2), "morphTargetBinds[0].index is 2 (morph targets: 2)"),
            (&format!("{bind}/node"), json!(1), "morphTargetBinds[0].node has no mesh"),
            (&format!("{bind}/node"), json!(4), "node is 4 (nodes: 4)"),
            (&format!("{bind}/weight"), json!(1.01), "weight is 1.01 (allowed: 0 to 1)"),
            (&format!("{bind}/weight"), Value::Null, "weight is missing"),
            (&format!("{color}/material"), json!(1), "material is 1 (materials: 1)"),
            (&format!("{color}/type"), json!("hue"), "type is \"hue\" (allowed: color"),
            (&format!("{color}/targetValue"), json!([1, 1, 1]), "targetValue is not 4 numbers"),
            (&"/expressions/preset/happy/overrideBlink".to_owned(), json!("off"), "overrideBlink is \"off\""),
            (&"/expressions/preset".to_owned(), json!({"glad": {}}), "preset.glad is no preset"),
            (&"/expressions/custom".to_owned(), json!({"happy": {}}), "custom.happy has the name of a preset"),
        ] {
            let found = one(VrmComponent::Expressions, &with(&good, path, new));
            assert!(found.len() == 1 && found[0].contains(said), "{path}: {found:?}");
        }
    }

    #[test]
    fn look_at_and_first_person_of_vrm_1_are_in_range() {
        let good = json!({"lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0, 0],
            "rangeMapVerticalUp": {"inputMaxValue": 180, "outputScale": 10}},
            "firstPerson": {"meshAnnotations": [{"node": 2, "type": "auto"}]}});
        let both =
            |value: &Value| [VrmComponent::LookAt, VrmComponent::FirstPerson].map(|part| one(part, value)).concat();
        assert_eq!(both(&good), NONE);
        for (path, new, said) in [
            ("/lookAt/type", json!("eyes"), "lookAt.type is \"eyes\" (allowed: bone, expression"),
            ("/lookAt/offsetFromHeadBone", json!([0, 0]), "is not 3 numbers"),
            ("/lookAt/rangeMapVerticalUp/inputMaxValue", json!(180.5), "is 180.5 (allowed: 0 to 180)"),
            ("/firstPerson/meshAnnotations/0/node", json!(0), "node has no mesh"),
            ("/firstPerson/meshAnnotations/0/type", json!("never"), "type is \"never\""),
        ] {
            let found = both(&with(&good, path, new));
            assert!(found.len() == 1 && found[0].contains(said), "{path}: {found:?}");
        }
    }

    #[test]
    fn springs_of_vrm_1_are_chains_that_share_nothing() {
        let good = json!({"specVersion": "1.0",
            "colliders": [{"node": 0, "shape": {"sphere": {"offset": [0, 0, 0], "radius": 0}}}],
            "colliderGroups": [{"colliders": [0]}],
            "springs": [{"joints": [{"node": 0, "dragForce": 1}, {"node": 1, "stiffness": 4}], "colliderGroups": [0]},
                {"joints": [{"node": 2}, {"node": 3}], "center": 1}]});
        let springs = |value: &Value| told(VrmComponent::Springs, false, &json!({}), value, [&Value::Null; 4]);
        assert_eq!(springs(&good), NONE);
        assert_eq!(springs(&Value::Null), NONE);
        for (path, new, said) in [
            ("/specVersion", Value::Null, "specVersion is missing"),
            ("/colliders/0/node", json!(4), "colliders[0].node is 4"),
            ("/colliders/0/shape", json!({}), "shape must be a sphere or a capsule"),
            ("/colliders/0/shape/sphere/radius", json!(-0.1), "radius is -0.1 (allowed: 0 or more)"),
            ("/colliderGroups/0/colliders/0", json!(1), "is 1 (colliders: 1)"),
            ("/springs/0/colliderGroups/0", json!(1), "is 1 (collider groups: 1)"),
            ("/springs/0/joints/0/dragForce", json!(1.1), "dragForce is 1.1 (allowed: 0 to 1)"),
            ("/springs/0/joints", json!([]), "springs[0].joints is empty"),
            ("/springs/0/joints/1/node", json!(0), "joints[1].node does not hang on the joint before it"),
            ("/springs/1/joints/0/node", json!(1), "springs[1].joints[0].node is in two chains"),
            ("/springs/1/center", json!(9), "center is 9 (nodes: 4)"),
        ] {
            let found = springs(&with(&good, path, new));
            assert!(found.len() == 1 && found[0].contains(said), "{path}: {found:?}");
        }
        let skipping = json!({"specVersion": "1.0",
            "springs": [{"joints": [{"node": 0}, {"node": 2}]}, {"joints": [{"node": 1}, {"node": 3}]}]});
        assert!(springs(&skipping).iter().all(|fault| fault.ends_with("is in two chains")), "{:?}", springs(&skipping));
        assert_eq!(springs(&skipping).len(), 2, "a joint that is skipped is in the chain too");
    }

    #[test]
    fn constraints_of_vrm_1_follow_other_nodes_and_in_no_circle() {
        let follows = |source: usize| json!({"specVersion": "1.0", "constraint": {"rotation": {"source": source}}});
        let of = |values: [&Value; 4]| told(VrmComponent::Constraints, false, &json!({}), &Value::Null, values);
        let none = Value::Null;
        assert_eq!(of([&none, &follows(0), &follows(1), &follows(1)]), NONE);
        assert_eq!(of([&follows(0), &none, &none, &none]), ["node 0: constraint.rotation.source is the node itself"]);
        assert_eq!(of([&follows(9), &none, &none, &none]).len(), 1);
        let circle = of([&follows(2), &follows(0), &follows(1), &follows(0)]);
        let in_circle = |node| format!("node {node}: depends on itself, directly or through other constraints");
        assert_eq!(circle, [0, 1, 2].map(in_circle));
        let aim = json!({"specVersion": "1.0", "constraint": {"aim": {"source": 3, "aimAxis": "PositiveX"}}});
        assert_eq!(of([&none, &aim, &none, &none]), [in_circle(1)], "the node moves what it points at");
        let roll = |axis: Value, weight: f64| json!({"specVersion": "1.0", "constraint": {"roll": {"source": 1, "rollAxis": axis, "weight": weight}}});
        assert_eq!(of([&roll(json!("X"), 1.0), &none, &none, &none]), NONE);
        for (value, said) in [
            (roll(json!("W"), 1.0), "rollAxis is \"W\" (allowed: X, Y, Z"),
            (roll(Value::Null, 1.0), "rollAxis is missing"),
            (roll(json!("X"), 1.01), "weight is 1.01 (allowed: 0 to 1)"),
            (json!({"specVersion": "1.0", "constraint": {}}), "constraint must be one of roll, aim, rotation"),
            (json!({"specVersion": "1.0"}), "constraint is missing"),
            (json!({"constraint": {"rotation": {"source": 1}}}), "specVersion is missing"),
        ] {
            let found = of([&value, &none, &none, &none]);
            assert!(found.len() == 1 && found[0].contains(said), "{value}: {found:?}");
        }
    }

    #[test]
    fn vrm_0_is_held_to_its_own_words() {
        let good = json!({
            "meta": {"licenseName": "CC0", "allowedUserName": "Everyone", "texture": -1, "violentUssageName": "Allow"},
            "blendShapeMaster": {"blendShapeGroups": [
                {"name": "Joy", "presetName": "Joy", "binds": [{"mesh": 0, "index": 1, "weight": 100}]},
                {"name": "Wink", "presetName": "unknown"}, {"name": "Glare", "presetName": "unknown"}]},
            "firstPerson": {"firstPersonBone": 1, "lookAtTypeName": "Bone", "firstPersonBoneOffset": {"x": 0, "y": 0, "z": 0},
                "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}], "lookAtVerticalUp": {"xRange": 90}},
            "secondaryAnimation": {"boneGroups": [{"bones": [1], "center": -1, "colliderGroups": [0], "dragForce": 0.4}],
                "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 0, "y": 0, "z": 0}, "radius": 0.1}]}]},
        });
        let all = |value: &Value| VrmComponent::ALL.map(|part| zero(part, value)).concat();
        assert_eq!(all(&good), NONE);
        for (path, new, said) in [
            ("/meta/licenseName", json!("MIT"), "meta.licenseName is \"MIT\""),
            ("/meta/licenseName", json!("Other"), "meta.otherLicenseUrl is missing, and the licence is Other"),
            ("/meta/violentUssageName", json!("allow"), "violentUssageName is \"allow\" (allowed: Disallow, Allow"),
            ("/meta/texture", json!(1), "meta.texture is 1 (textures: 1)"),
            ("/blendShapeMaster/blendShapeGroups/0/presetName", json!("Grin"), "presetName is \"Grin\""),
            ("/blendShapeMaster/blendShapeGroups/1/name", json!("glare"), "[2] has the preset or the name of another"),
            ("/blendShapeMaster/blendShapeGroups/0/binds/0/index", json!(2), "is 2 (morph targets: 2)"),
            ("/blendShapeMaster/blendShapeGroups/0/binds/0/weight", json!(101), "is 101 (allowed: 0 to 100)"),
            ("/firstPerson/firstPersonBone", json!(4), "is 4 (nodes: 4)"),
            ("/firstPerson/lookAtTypeName", json!("Eyes"), "lookAtTypeName is \"Eyes\""),
            ("/firstPerson/meshAnnotations/0/mesh", json!(1), "is 1 (meshes: 1)"),
            ("/secondaryAnimation/boneGroups/0/bones/0", json!(-1), "bones[0] is not an index"),
            ("/secondaryAnimation/boneGroups/0/colliderGroups/0", json!(1), "is 1 (collider groups: 1)"),
            ("/secondaryAnimation/colliderGroups/0/node", json!(4), "is 4 (nodes: 4)"),
        ] {
            let found = all(&with(&good, path, new));
            assert!(found.len() == 1 && found[0].contains(said), "{path}: {found:?}");
        }
    }

    #[test]
    fn invalid_vrm_data_is_reported_up_to_a_limit() {
        for value in [json!(5), json!([]), json!("x"), json!({"meta": 4, "expressions": [], "lookAt": 1})] {
            for part in VrmComponent::ALL {
                one(part, &value);
                zero(part, &value);
            }
        }
        let many: Vec<Value> = (0..100).map(|_| json!({"node": 9, "type": "auto"})).collect();
        let extension = json!({"firstPerson": {"meshAnnotations": many}});
        let document = serde_json::from_str("{}").unwrap();
        let scene = Scene { document: &document, hierarchy: &Hierarchy::default() };
        let found = faults(VrmComponent::FirstPerson, false, &extension, &scene);
        assert!(found.count == 100 && found.first.len() < 20, "{found:?}");
    }
}
