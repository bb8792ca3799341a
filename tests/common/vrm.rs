//! VRM files built in code, and the targets of their references.

use super::glb::{Builder, make_skinned_glb};
use serde_json::{Value, json};

fn png(shade: u8) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_pixel(2, 2, image::Rgba([shade; 4]));
    image.write_to(&mut png, image::ImageFormat::Png).expect("memory holds it");
    png.into_inner()
}

/// Creates a face with two morph targets and two primitives, one of them skinned. An unused mesh precedes it, and the first image, texture and material are
/// unused, so that wrong indices show.
fn body() -> Builder {
    let mut b = make_skinned_glb(4, 8, 8, 1);
    let meshes = b.json["meshes"].as_array_mut().expect("a list");
    let mut face = meshes.remove(0);
    let hidden = json!({"name": "hidden", "primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]});
    meshes.push(hidden);
    let coords = b.floats(&[0.25; 16], "VEC2");
    let colours = b.floats(&[0.5; 24], "VEC3");
    let offsets = b.floats(&[0.1; 24], "VEC3");
    let skinned = &mut face["primitives"][0];
    skinned["attributes"]["TEXCOORD_0"] = json!(coords);
    skinned["targets"] = json!([{"POSITION": offsets}, {"POSITION": offsets}]);
    skinned["material"] = json!(1);
    let mut plain = skinned.clone();
    for attribute in ["JOINTS_0", "WEIGHTS_0", "TEXCOORD_0"] {
        plain["attributes"].as_object_mut().expect("an object").remove(attribute);
    }
    plain["attributes"]["COLOR_0"] = json!(colours);
    face["primitives"].as_array_mut().expect("a list").push(plain);
    face["name"] = json!("face");
    face["extras"] = json!({"targetNames": ["open", "shut"]});
    b.push("meshes", face);
    b.json["nodes"][0]["mesh"] = json!(1);
    for shade in [10, 20, 30, 40] {
        let view = b.view(&png(shade));
        b.push("images", json!({"name": format!("image {shade}"), "bufferView": view, "mimeType": "image/png"}));
    }
    b.push("samplers", json!({"wrapS": 10497}));
    b.push("samplers", json!({"wrapS": 33071, "wrapT": 33071, "magFilter": 9728, "minFilter": 9728}));
    for source in [3, 2, 1, 0] {
        b.push("textures", json!({"source": source, "sampler": source % 2}));
    }
    b.push("materials", json!({"name": "unused", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    b.push("nodes", json!({"name": "hidden node", "mesh": 0}));
    b
}

/// Creates a VRM 1.0 with springs, a constraint, expressions, first-person flags, `MToon` and a thumbnail.
pub fn vrm_1() -> Builder {
    let mut b = body();
    let toon = json!({
        "specVersion": "1.0", "shadeMultiplyTexture": {"index": 2}, "shadingShiftTexture": {"index": 3, "scale": 0.5},
        "matcapTexture": {"index": 9},
    });
    b.push("materials", json!({
        "name": "skin", "extensions": {"KHR_materials_unlit": {}, "VRMC_materials_mtoon": toon},
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}, "normalTexture": {"index": 2, "scale": 0.25}, "emissiveFactor": [0.5, 0, 0],
    }));
    let bones: Value = ["hips", "spine", "head"]
        .iter()
        .enumerate()
        .map(|(n, bone)| ((*bone).to_owned(), json!({"node": n + 1})))
        .collect();
    let bind = json!({"node": 0, "index": 1, "weight": 0.5});
    let lost = json!({"node": 5, "index": 0, "weight": 1});
    let color = json!({"material": 1, "type": "color", "targetValue": [1, 0, 0, 1]});
    b.json["extensions"] = json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "Ada", "version": "3", "authors": ["B", "C"], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 3},
            "humanoid": {"humanBones": bones},
            "expressions": {"preset": {"happy": {"morphTargetBinds": [bind, lost], "materialColorBinds": [color]}}, "custom": {"odd": {}}},
            "firstPerson": {"meshAnnotations": [{"node": 0, "type": "both"}]},
        },
        "VRMC_springBone": {
            "specVersion": "1.0", "colliders": [{"node": 2, "shape": {"sphere": {"radius": 0.1}},
                "extensions": {"VRMC_springBone_extended_collider": {"specVersion": "1.0", "shape": {"plane": {"normal": [0, 1, 0]}}}}}],
            "colliderGroups": [{"colliders": [0]}], "springs": [{"name": "tail", "joints": [{"node": 3}, {"node": 4}], "colliderGroups": [0], "center": 1}],
        },
        "VRMC_nothing_known": {"mesh": 1},
    });
    b.json["nodes"][4]["extensions"] = json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {"rotation": {"source": 2, "weight": 0.5}}}});
    b.json["extensionsUsed"] =
        json!(["VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon", "KHR_materials_unlit"]);
    b.json["extensionsRequired"] = json!(["VRMC_vrm"]);
    b
}

/// Creates a VRM 0 with springs, blend shapes, first-person flags, material properties and a thumbnail.
pub fn vrm_0() -> Builder {
    let mut b = body();
    b.push("materials", json!({"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}));
    let bones: Vec<Value> =
        ["hips", "spine", "head"].iter().enumerate().map(|(n, bone)| json!({"bone": bone, "node": n + 1})).collect();
    let properties =
        |name: &str, textures: Value| json!({"name": name, "shader": "VRM/MToon", "textureProperties": textures});
    b.json["extensions"] = json!({"VRM": {
        "meta": {"title": "Ada", "author": "B", "texture": 3, "licenseName": "CC_BY"},
        "humanoid": {"humanBones": bones},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Joy", "binds": [{"mesh": 1, "index": 0, "weight": 100}, {"mesh": 0, "index": 0, "weight": 100}]},
        ]},
        "firstPerson": {"firstPersonBone": 3, "meshAnnotations": [{"mesh": 1, "firstPersonFlag": "Auto"}, {"mesh": -1}]},
        "secondaryAnimation": {"boneGroups": [{"bones": [3], "center": -1, "colliderGroups": [0]}], "colliderGroups": [{"node": 2, "colliders": []}]},
        "materialProperties": [properties("unused", json!({})), properties("skin", json!({"_MainTex": 1, "_ShadeTexture": 2, "_BumpMap": -1}))],
    }});
    b.json["extensionsUsed"] = json!(["VRM"]);
    b
}

/// Changes every member of a value, innermost first.
fn walk(value: &mut Value, change: &dyn Fn(&str, &mut Value)) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| {
            walk(value, change);
            change(key, value);
        }),
        Value::Array(items) => items.iter_mut().for_each(|value| walk(value, change)),
        _ => {}
    }
}

/// Returns the VRM extensions with every reference replaced by the name of its target.
pub fn led(document: &Value) -> Value {
    let name = |list: &str, number: &Value| -> Value {
        number
            .as_u64()
            .map_or_else(|| number.clone(), |n| document[list][usize::try_from(n).expect("small")]["name"].clone())
    };
    let mesh_of = |node: &Value| {
        name("meshes", &document["nodes"][usize::try_from(node.as_u64().expect("a node")).expect("small")]["mesh"])
    };
    let image_of = |texture: &Value| {
        name(
            "images",
            &document["textures"][usize::try_from(texture.as_u64().expect("a texture")).expect("small")]["source"],
        )
    };
    let mut extensions = document["extensions"].clone();
    for list in ["morphTargetBinds", "meshAnnotations"] {
        walk(&mut extensions, &|key, value| {
            if key == list {
                for item in value.as_array_mut().expect("a list").iter_mut().filter(|item| item["node"].is_number()) {
                    item["node"] = mesh_of(&item["node"]);
                }
            }
        });
    }
    walk(&mut extensions, &|key, value| match key {
        "node" | "center" | "firstPersonBone" => {
            *value = if value.as_u64().is_some() { name("nodes", value) } else { value.clone() }
        }
        "bones" => value.as_array_mut().expect("a list").iter_mut().for_each(|node| *node = name("nodes", node)),
        "mesh" => *value = name("meshes", value),
        "material" => *value = name("materials", value),
        "thumbnailImage" => *value = name("images", value),
        "texture" if value.is_u64() => *value = image_of(value),
        "textureProperties" => {
            value
                .as_object_mut()
                .expect("an object")
                .values_mut()
                .filter(|v| v.is_u64())
                .for_each(|v| *v = image_of(v));
        }
        _ => {}
    });
    let mut materials = document["materials"].clone();
    walk(&mut materials, &|key, value| {
        if key.ends_with("Texture") && value["index"].is_u64() {
            value["index"] = image_of(&value["index"]);
        }
    });
    let constraints: Vec<Value> = document["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|node| {
            let mut constraint = node["extensions"]["VRMC_node_constraint"].clone();
            walk(&mut constraint, &|key, value| {
                if key == "source" {
                    *value = name("nodes", value);
                }
            });
            json!([node["name"], constraint])
        })
        .filter(|pair| !pair[1].is_null())
        .collect();
    json!({"extensions": extensions, "materials": materials, "constraints": constraints})
}
