//! A VRM of either version with a face: expressions with all kinds of binds, and eyes that follow a target.

use serde_json::{Value, json};

use super::face::face;
use super::glb::Builder;

/// [`face`] with a material on its head and, below a node `skull` 1 m above the ground, two eyes. In both versions, `happy` applies half of `smileLeft` and all
/// of the lids' `blink`, and changes the base colour from grey to red; `blink` moves the lids. In VRM 1.0, `happy` reduces blinks by its weight, and the custom
/// expression `Wink` moves the texture coordinates.
pub fn vrm_face(version: u8) -> Builder {
    let mut b = face();
    b.json.as_object_mut().unwrap().remove("animations");
    let grey = json!({"name": "Skin", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.5, 0.5, 1.0]}});
    let material = b.push("materials", grey);
    b.json["meshes"][0]["primitives"][0]["material"] = json!(material);
    let eye =
        |name: &str, x: f32| json!({"name": name, "translation": [x, 0.0, 0.05], "rotation": [0.0, 0.6, 0.0, 0.8]});
    let [left, right] = [eye("left", 0.03), eye("right", -0.03)].map(|eye| b.push("nodes", eye));
    let skull = b.root(json!({"name": "skull", "translation": [0.0, 1.0, 0.0], "children": [left, right]}));
    let name = if version == 0 { "VRM" } else { "VRMC_vrm" };
    b.json["extensionsUsed"] = json!([name]);
    b.json["extensions"] =
        json!({name: if version == 0 { zero([skull, left, right]) } else { one([skull, left, right]) }});
    b
}

fn one([skull, left, right]: [usize; 3]) -> Value {
    let range = |most: f32, output: f32| json!({"inputMaxValue": most, "outputScale": output});
    json!({
        "specVersion": "1.0",
        "humanoid": {"humanBones": {"head": {"node": skull}, "leftEye": {"node": left}, "rightEye": {"node": right}}},
        "expressions": {
            "preset": {
                "blink": {"morphTargetBinds": [{"node": 1, "index": 0, "weight": 1.0}]},
                "happy": {
                    "morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.5}, {"node": 1, "index": 0, "weight": 1.0}],
                    "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1.0, 0.0, 0.0, 1.0]}],
                    "overrideBlink": "blend",
                },
            },
            "custom": {"Wink": {"textureTransformBinds": [{"material": 0, "scale": [2.0, 2.0]}]}},
        },
        "lookAt": {
            "type": "bone", "offsetFromHeadBone": [0.0, 0.06, 0.0],
            "rangeMapHorizontalInner": range(90.0, 9.0), "rangeMapHorizontalOuter": range(90.0, 18.0),
            "rangeMapVerticalDown": range(60.0, 6.0), "rangeMapVerticalUp": range(60.0, 12.0),
        },
    })
}

fn zero([skull, left, right]: [usize; 3]) -> Value {
    let range = |most: f32, output: f32| json!({"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": most, "yRange": output});
    let bones = [("head", skull), ("leftEye", left), ("rightEye", right)]
        .map(|(bone, node)| json!({"bone": bone, "node": node}));
    json!({
        "humanoid": {"humanBones": bones},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Blink", "presetName": "blink", "binds": [{"mesh": 1, "index": 0, "weight": 100}]},
            {"name": "Joy", "presetName": "joy",
                "binds": [{"mesh": 0, "index": 0, "weight": 50}, {"mesh": 1, "index": 0, "weight": 100}],
                "materialValues": [{"materialName": "Skin", "propertyName": "_Color", "targetValue": [1.0, 0.0, 0.0, 1.0]}]},
        ]},
        "firstPerson": {
            "firstPersonBone": skull, "firstPersonBoneOffset": {"x": 0.0, "y": 0.06, "z": 0.0}, "lookAtTypeName": "Bone",
            "lookAtHorizontalInner": range(90.0, 9.0), "lookAtHorizontalOuter": range(90.0, 18.0),
            "lookAtVerticalDown": range(60.0, 6.0), "lookAtVerticalUp": range(60.0, 12.0),
        },
    })
}
