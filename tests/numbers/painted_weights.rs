//! DQ blend weights per vertex from files, and skins that files declare as dual quaternion skinning.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;
use std::sync::Arc;

use common::command::rigscope;
use common::formats::JsonFile;
use common::gpu::{Still, assert_skinner_agrees, random_pose, with_scene};
use common::{glb, rigs};
use glam::Vec3;
use rigscope::render::Scene;
use rigscope::rig::{AuthoredMethod, MorphTarget, Primitive, PrimitiveIndex, Rig, RigData};
use rigscope::skinning::{
    Antipodality, Deformed, JointMethod, Method, RigSkinning, ScaleHandling, Skinner, Skinning, UnsupportedSkinning,
    deform_some,
};
use rigscope::stage::BuiltIn;
use serde_json::{Value, json};

/// Returns the painted tube with other DQ blend weights, with tangents and with a morph target.
fn tube(share: impl Fn(usize) -> f32) -> Arc<Rig> {
    with_first_primitive(&rigs::painted_tube(), |primitive| {
        let count = primitive.positions.len();
        primitive.dq_weights = (0..count).map(share).collect();
        let normals = primitive.normals.as_ref().unwrap();
        primitive.tangents = Some(normals.iter().map(|n| n.cross(Vec3::X).extend(1.0)).collect());
        let positions = normals.iter().map(|n| *n * 0.1).collect();
        primitive.morph_targets = vec![MorphTarget { positions, ..MorphTarget::default() }];
    })
}

fn with_first_primitive(rig: &Rig, change: impl FnOnce(&mut Primitive)) -> Arc<Rig> {
    let mut meshes = rig.meshes.clone();
    change(&mut meshes[0].primitives[0]);
    Arc::new(Rig::new(RigData { meshes, ..RigData::clone(rig) }))
}

fn authored(rig: &Rig, authored: AuthoredMethod) -> Arc<Rig> {
    let mut skins = rig.skins.clone();
    skins[0].authored = authored;
    Arc::new(Rig::new(RigData { skins, ..RigData::clone(rig) }))
}

/// Returns the deformed primitives of the only instance.
fn deformed(still: &Still, skinning: impl Into<Skinning>) -> Vec<Deformed> {
    Skinner::new(&still.rig, &skinning.into()).unwrap().deform(still.posed()).remove(0)
}

/// Returns the method with default settings, and with each setting that affects blends of motions.
fn ways(method: Method) -> [Skinning; 4] {
    let plain = Skinning::new(method);
    [
        Skinning { scale: ScaleHandling::AboutJoints, ..plain.clone() },
        Skinning { scale: ScaleHandling::Drop, ..plain.clone() },
        Skinning { antipodality: Antipodality::Unchecked, ..plain.clone() },
        plain,
    ]
}

#[test]
fn constant_dq_blend_weights_equal_lbs_dqs_and_blend() {
    for (share, same) in [(0.0, Method::Lbs), (1.0, Method::Dqs), (0.3, Method::Blend(0.3))] {
        let rig = tube(|_| share);
        for seed in 1..=3 {
            let still = Still::new(&rig, random_pose(&rig, seed));
            for (painted, same) in ways(Method::WeightedBlend).into_iter().zip(ways(same)) {
                let [painted, same] = [painted, same].map(|way| deformed(&still, way).remove(0));
                assert!(painted.tangents.is_some() && painted == same, "{share}, pose {seed}");
            }
        }
    }
}

#[test]
fn each_vertex_uses_its_dq_blend_weight_on_all_threads() {
    let large = with_first_primitive(&rigs::painted_tube(), |primitive| {
        *primitive = rigs::tube_primitive(800, 32, |x| vec![(0, 0.5 - 0.5 * x), (1, 0.5 + 0.5 * x)]);
    });
    let rig = with_first_primitive(&large, |primitive| {
        primitive.dq_weights = (0..primitive.positions.len()).map(|vertex| (vertex % 5) as f32 * 0.25).collect();
    });
    let still = Still::new(&rig, random_pose(&rig, 4));
    let [painted, lbs, dqs] =
        [Method::WeightedBlend, Method::Lbs, Method::Dqs].map(|method| deformed(&still, method).remove(0).positions);
    for (vertex, painted) in painted.into_iter().enumerate() {
        let expected = lbs[vertex].lerp(dqs[vertex], rig.meshes[0].primitives[0].dq_weights[vertex]);
        assert!(painted.distance(expected) < 1e-6, "vertex {vertex}");
    }
}

#[test]
fn primitive_without_dq_blend_weights_uses_the_skins_method() {
    let linear = rigs::painted_tube();
    for (said, same) in [
        (AuthoredMethod::Linear, Method::Lbs),
        (AuthoredMethod::Blended, Method::Lbs),
        (AuthoredMethod::DualQuaternion, Method::Dqs),
    ] {
        let rig = authored(&linear, said);
        let still = Still::new(&rig, random_pose(&rig, 2));
        let [painted, same] = [Method::WeightedBlend, same].map(|method| deformed(&still, method));
        assert_eq!(painted[1], same[1], "{said:?}");
        assert_ne!(painted[0], same[0], "{said:?}: the first has shares of its own");
    }
}

#[test]
fn joints_own_method_scales_the_dq_blend_weight() {
    let rig = tube(|_| 0.4);
    let still = Still::new(&rig, random_pose(&rig, 3));
    let joint = rig.skins[0].joints[1];
    for own in [JointMethod::Lbs, JointMethod::Dqs] {
        let by_joint = vec![(joint, own)];
        let [painted, blend] = [Method::WeightedBlend, Method::Blend(0.4)]
            .map(|method| deformed(&still, Skinning { by_joint: by_joint.clone(), ..method.into() }).remove(0));
        assert_eq!(painted, blend, "{own:?}");
        assert_ne!(painted, deformed(&still, Method::WeightedBlend)[0], "{own:?}");
    }
}

#[test]
fn a_few_vertices_go_where_they_go_among_all() {
    let rig = authored(&rigs::painted_tube(), AuthoredMethod::DualQuaternion);
    let still = Still::new(&rig, random_pose(&rig, 5));
    let all = deformed(&still, Method::WeightedBlend);
    let skinning = Skinning::new(Method::WeightedBlend);
    for (primitive, all) in all.iter().enumerate() {
        let vertices = [700, 3, 41];
        let part = PrimitiveIndex { instance: 0, primitive };
        let way = RigSkinning { skinning: &skinning, centers: None };
        let some = deform_some(&rig, part, &vertices, still.skin_pose(), way);
        let apart = some.iter().zip(vertices).map(|(p, v)| p.distance(all.positions[v as usize]));
        assert!(some.len() == 3 && apart.fold(0.0, f32::max) < 1e-6, "primitive {primitive}");
    }
}

#[test]
fn file_without_dq_blend_weights_is_reported() {
    let plain = rigs::twisted_tube(0.8);
    let refused = Skinner::new(&plain, &Method::WeightedBlend.into()).unwrap_err();
    assert_eq!(refused, UnsupportedSkinning::NoDqWeights);
    assert!(refused.to_string().contains("no vertex of this file has a DQ blend weight"), "{refused}");
    assert!(Skinner::new(&authored(&plain, AuthoredMethod::DualQuaternion), &Method::WeightedBlend.into()).is_ok());
}

/// Writes the built-in tube with a skinning method declared on its skin, and with DQ blend weights that rise from 0 to
/// 1.
fn tube_file(path: &Path, method: &str) {
    let (mut json, bin) = glb::split(BuiltIn::Tube.bytes());
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    let accessor = usize::try_from(attributes["POSITION"].as_u64().unwrap()).unwrap();
    let count = json["accessors"][accessor]["count"].as_u64().unwrap();
    let weights: Vec<f32> = (0..count).map(|vertex| vertex as f32 / (count - 1) as f32).collect();
    let bin = [bin, &glb::f32_bytes(&weights)].concat();
    let list = |json: &Value, name: &str| json[name].as_array().unwrap().len();
    let (view, accessor) = (list(&json, "bufferViews"), list(&json, "accessors"));
    let start = bin.len() - weights.len() * 4;
    let mut add = |list: &str, value: Value| json[list].as_array_mut().unwrap().push(value);
    add("bufferViews", json!({"buffer": 0, "byteOffset": start, "byteLength": weights.len() * 4}));
    add("accessors", json!({"bufferView": view, "componentType": 5126, "type": "SCALAR", "count": count}));
    json["buffers"][0]["byteLength"] = json!(bin.len());
    json["meshes"][0]["primitives"][0]["attributes"]["_DQ_WEIGHT"] = json!(accessor);
    json["skins"][0]["extras"] = json!({"rigscope": {"method": method}});
    std::fs::write(path, glb::container(json.to_string().as_bytes(), &bin)).unwrap();
}

#[test]
fn the_commands_go_by_the_file_unless_a_method_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out, picture] = ["tube.glb", "out.json", "out.png"].map(|name| folder.path().join(name));
    let [file_name, out_name, picture_name] = [&file, &out, &picture].map(|path| path.to_str().unwrap());
    let baked = |further: &[&str]| {
        rigscope(&[&["bake", file_name, "-o", out_name], further].concat()).ok();
        JsonFile::read(&out).method
    };
    let compared = |further: &[&str]| {
        let run = rigscope(&[&["compare", "--json"], further].concat()).ok();
        serde_json::from_str::<Value>(&run.stdout).unwrap()["pose"]["methods"].clone()
    };
    let drawn = |further: &[&str]| {
        rigscope(&[&["render", file_name, "-o", picture_name, "--size", "64x64"], further].concat()).ok();
        std::fs::read(&picture).unwrap()
    };
    tube_file(&file, "dual-quaternion");
    assert_eq!([baked(&[]), baked(&["--method", "lbs"])], ["dqs", "lbs"]);
    assert_eq!(compared(&[file_name]), json!(["dqs", "lbs"]));
    tube_file(&file, "blended");
    assert_eq!(
        [baked(&[]), baked(&["--method", "lbs"]), baked(&["--backend", "gpu"])],
        ["weighted-blend", "lbs", "weighted-blend"]
    );
    assert_eq!(compared(&[file_name]), json!(["weighted-blend", "dqs"]));
    assert_eq!(compared(&["builtin:tube"]), json!(["lbs", "dqs"]));
    assert_ne!(drawn(&["--overlay", "dqs-share"]), drawn(&[]));
    let refused = rigscope(&["bake", "builtin:tube", "-o", out_name, "--method", "painted"]);
    assert!(refused.stderr.contains("no vertex of this file has a DQ blend weight"), "{}", refused.stderr);
}

/// Maya's twisted box with a DQ blend weight for each vertex, compared with ufbx's evaluation of the file.
#[cfg(feature = "fbx")]
#[test]
fn weights_of_an_fbx_file_mix_as_another_evaluation_of_it_does() {
    use rigscope::import::{Job, import_bytes};
    use rigscope::rig::Pose;

    let Some(samples) = common::samples() else { return };
    let text = std::fs::read_to_string(samples.join("ufbx/maya_dual_quaternion_7500_ascii.fbx")).unwrap();
    let list = |value: &dyn Fn(u8) -> String| (0..44).map(value).collect::<Vec<_>>().join(",");
    let blended = format!(
        "SkinningType: \"Blend\"\nIndexes: *44 {{\na: {}\n}}\nBlendWeights: *44 {{\na: {}\n}}",
        list(&|vertex| vertex.to_string()),
        list(&|vertex| (f32::from(vertex % 5) * 0.25).to_string())
    );
    let text = text.replace("SkinningType: \"DualQuaternion\"", &blended);
    let scene = ufbx::load_memory(text.as_bytes(), ufbx::LoadOpts::default()).unwrap();
    let (mesh, skin) = (&scene.meshes[0], &scene.skin_deformers[0]);
    assert_eq!(mesh.vertices.len(), 44);
    let expected = mesh.vertices.iter().enumerate().map(|(vertex, &bound)| {
        let p = ufbx::transform_position(&skin.get_skin_vertex_matrix(vertex, &ufbx::Matrix::default()), bound);
        (glam::DVec3::new(p.x, p.y, p.z) * scene.settings.unit_meters).as_vec3()
    });
    let expected: Vec<Vec3> = expected.collect();
    let rig = Arc::new(import_bytes(text.as_bytes(), &Job::default()).unwrap().rig);
    assert_eq!(Method::authored(&rig), Some(Method::WeightedBlend));
    let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
    let farthest = |method: Method| {
        let found: Vec<Vec3> = deformed(&still, method).into_iter().flat_map(|part| part.positions).collect();
        let nearest = |p: &Vec3, others: &[Vec3]| others.iter().map(|o| o.distance(*p)).fold(f32::MAX, f32::min);
        let [a, b] = [(&found, &expected), (&expected, &found)];
        [a, b].into_iter().flat_map(|(points, others)| points.iter().map(|p| nearest(p, others))).fold(0.0, f32::max)
    };
    let [painted, lbs, dqs] =
        [Method::WeightedBlend, Method::Lbs, Method::Dqs].map(|method| farthest(method) / rig.size());
    assert!(painted < 2e-5 && lbs > 1e-2 && dqs > 1e-2, "{painted} {lbs} {dqs}");
}

fn assert_card_agrees(scene: &mut Scene) {
    let by_joint = |rig: &Rig| vec![(rig.skins[0].joints[1], JointMethod::Lbs)];
    let painted = tube(|vertex| (vertex % 7) as f32 / 6.0);
    for (name, rig) in
        [("shares", painted.clone()), ("shares and DQS", authored(&painted, AuthoredMethod::DualQuaternion))]
    {
        let further = Skinning { by_joint: by_joint(&rig), ..Skinning::new(Method::WeightedBlend) };
        for way in ways(Method::WeightedBlend).into_iter().chain([further]) {
            let skinner = Skinner::new(&rig, &way).unwrap();
            for seed in 1..=4 {
                assert_skinner_agrees(scene, name, &Still::new(&rig, random_pose(&rig, seed)), &skinner);
            }
        }
    }
}

#[test]
fn the_card_mixes_as_the_cpu_does() {
    with_scene(assert_card_agrees);
}

// Windows has no OpenGL ES without a driver's extension.
#[cfg(not(windows))]
#[test]
fn so_it_does_with_opengl_es() {
    let headless = rigscope::render::Headless::embedded().unwrap();
    assert_card_agrees(&mut headless.scene().unwrap());
}
