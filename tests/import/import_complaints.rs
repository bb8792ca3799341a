//! Common complaints about viewers that fail to open a file or open it incorrectly: one test each.

use crate::common;

use std::path::Path;

use common::glb::{Builder, U8, make_skinned_glb, triangle};
use glam::Vec3;
use rigscope::analysis::lint::Target;
use rigscope::import::{ImportError, Imported, Job, SceneChoice, import_bytes, import_file};
use rigscope::rig::{ClipMoment, NodeIndex, Pose, Rig, bones, evaluate};
use rigscope::skinning::{Method, deform, palettes};
use serde_json::{Value, json};

fn open(builder: Builder) -> Imported {
    import_bytes(&builder.build(), &Job::default()).expect("the file opens")
}

/// Returns the positions of all vertices in world space, at rest or at a time of the first clip.
fn skinned(rig: &Rig, time: Option<f32>) -> Vec<Vec3> {
    let posed = evaluate(rig, time.map(|time_secs| ClipMoment::new(0, time_secs)), &Pose::rest(&rig.hierarchy));
    let palettes = palettes(rig, &posed);
    let deformed = rig.instances.iter().zip(&palettes).flat_map(|(instance, palette)| {
        rig.meshes[instance.mesh].primitives.iter().map(|p| deform(p, palette, &[], Method::Lbs).positions)
    });
    deformed.flatten().collect()
}

fn assert_near(found: &[Vec3], expected: &[Vec3]) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!(f.distance(*e) < 1e-5, "{found:?} is not {expected:?}");
    }
}

fn node(rig: &Rig, name: &str) -> NodeIndex {
    rig.hierarchy.node_named(name).expect("a node of that name")
}

/// `three-gltf-viewer#390`, `f3d#2710`.
#[test]
fn a_skeleton_with_a_clip_and_no_mesh_shows_its_bones_and_they_move() {
    let mut b = make_skinned_glb(3, 4, 4, 0);
    b.json["nodes"][0] = json!({"name": "empty"});
    b.json["meshes"] = json!([]);
    let rig = open(b).rig;
    assert_eq!((rig.joint_count(), rig.instances.len(), rig.clips.len()), (3, 0, 1));
    let at = |time_secs| bones(&rig, &evaluate(&rig, Some(ClipMoment::new(0, time_secs)), &Pose::rest(&rig.hierarchy)));
    let (start, end) = (at(0.0), at(1.0));
    assert_eq!(start.len(), 3);
    assert!(start[1].head.distance(Vec3::X) < 1e-5 && end[1].head.distance(Vec3::Y) < 1e-5, "a quarter turn");
    assert!(rig.rest_bounds().center().distance(Vec3::X) < 1e-5 && rig.size() > 1.9, "framed by its joints");
}

#[cfg(feature = "gl")]
#[test]
fn a_picture_of_a_skeleton_alone_shows_it_without_being_asked() {
    let mut b = make_skinned_glb(3, 4, 4, 0);
    b.json["nodes"][0] = json!({"name": "empty"});
    b.json["meshes"] = json!([]);
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("bones.glb"), folder.path().join("bones.png"));
    std::fs::write(&file, b.build()).unwrap();
    let size = ["--size", "400x400", "--no-grid"];
    let args = [&["render", file.to_str().unwrap(), "-o", picture.to_str().unwrap()], &size[..]].concat();
    common::command::rigscope(&args).ok();
    let picture = image::open(&picture).unwrap().to_rgba8();
    assert!(picture.pixels().filter(|p| p.0[0] > 90).count() > 10, "bones are light, what is behind them dark");
}

#[test]
fn nodes_with_a_clip_and_neither_skin_nor_mesh_show_bones_too() {
    let mut b = make_skinned_glb(3, 4, 4, 0);
    b.json["nodes"][0] = json!({"name": "empty"});
    (b.json["meshes"], b.json["skins"]) = (json!([]), json!([]));
    let rig = open(b).rig;
    assert_eq!(bones(&rig, &evaluate(&rig, Some(ClipMoment::new(0, 0.5)), &Pose::rest(&rig.hierarchy))).len(), 4);
}

/// `three-gltf-viewer#408`, `glTF-Blender-IO#324`.
#[test]
fn a_leaf_joint_has_half_of_its_parents_bone_in_the_same_direction() {
    let rig = open(make_skinned_glb(3, 4, 4, 0)).rig;
    let bones = bones(&rig, &evaluate(&rig, None, &Pose::rest(&rig.hierarchy)));
    let leaf = bones.iter().find(|b| b.joint == node(&rig, "joint 3")).unwrap();
    assert!(leaf.head.distance(Vec3::X * 2.0) < 1e-5 && leaf.tail.distance(Vec3::X * 2.5) < 1e-5, "{leaf:?}");
}

/// `three-gltf-viewer#101`, `glTF#1403`: nodes between two joints and above all joints move the joints.
#[test]
fn nodes_between_joints_and_above_them_count() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    let between = b.push("nodes", json!({"name": "between", "translation": [0, 5, 0], "children": [2]}));
    b.json["nodes"][1]["children"] = json!([between]);
    let above = b.push("nodes", json!({"name": "above", "translation": [0, 0, 7], "children": [1]}));
    b.json["scenes"][0]["nodes"] = json!([0, above]);
    let rig = open(b).rig;
    assert_eq!(rig.hierarchy.path(node(&rig, "joint 2")), "above/joint 1/between/joint 2");
    assert!(!rig.is_joint(node(&rig, "between")));
    assert_near(&skinned(&rig, None)[..1], &[Vec3::new(0.0, 5.0, 7.0)]);
}

/// `glTF#1403`.
#[test]
fn a_skin_may_have_several_roots_and_lie_outside_of_the_scene() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    b.json["nodes"][1].as_object_mut().unwrap().remove("children");
    b.json["scenes"][0]["nodes"] = json!([0]);
    let rig = open(b).rig;
    assert_eq!(rig.hierarchy.parent(node(&rig, "joint 2")), None);
    assert_near(&skinned(&rig, None)[..1], &[Vec3::ZERO]);
}

#[test]
fn one_skin_may_move_several_meshes_and_one_mesh_stand_under_several_skins() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    b.json["skins"] = json!([b.json["skins"][0], {"joints": [3, 3]}]);
    b.json["nodes"].as_array_mut().unwrap().push(json!({"translation": [0, 0, 9]}));
    let both = b.json["nodes"][0].clone();
    let again = b.root(both);
    let other = b.root(json!({"mesh": 0, "skin": 1}));
    assert_eq!((again, other), (4, 5));
    let rig = open(b).rig;
    let positions = skinned(&rig, None);
    assert_eq!((rig.instances.len(), rig.meshes.len()), (3, 1));
    assert_near(&[positions[0], positions[4], positions[8]], &[Vec3::ZERO, Vec3::ZERO, Vec3::Z * 9.0]);
}

/// `glTF-Sample-Renderer#29`.
#[test]
fn the_skinned_nodes_own_transform_and_its_parents_are_ignored() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    let plain = skinned(&open(make_skinned_glb(2, 4, 4, 1)).rig, None);
    b.json["nodes"][0]["translation"] = json!([100, 0, 0]);
    b.json["nodes"][0]["scale"] = json!([3, 3, 3]);
    let parent = b.push("nodes", json!({"rotation": [0, 1, 0, 0], "children": [0]}));
    b.json["scenes"][0]["nodes"] = json!([parent, 1]);
    assert_near(&skinned(&open(b).rig, None), &plain);
}

/// `glTF#1275`, `filament#4236`.
#[test]
fn eight_influences_of_a_vertex_all_pull() {
    let mut b = make_skinned_glb(8, 4, 4, 0);
    for set in 0..2_u8 {
        let slots: Vec<u8> = (set * 4..set * 4 + 4).collect();
        let joints = b.accessor(&slots.repeat(4), U8, "VEC4", 4);
        let weights = b.floats(&[0.125; 16], "VEC4");
        let attributes = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("JOINTS_{set}")] = json!(joints);
        attributes[format!("WEIGHTS_{set}")] = json!(weights);
    }
    // The last joint, whose weight is 1/8, is one metre higher than its bind position.
    b.json["nodes"][8]["translation"] = json!([1, 1, 0]);
    let imported = open(b);
    assert_eq!(imported.warnings, []);
    assert_near(&skinned(&imported.rig, None)[..1], &[Vec3::Y * 0.125]);
}

/// `glTF#1213`, `flutter_scene#414`: spikes in places where a vertex's weights sum to more or less than 1.
#[test]
fn weights_that_do_not_sum_to_one_make_no_spikes() {
    for sum in [0.5_f32, 1.7] {
        let mut b = make_skinned_glb(1, 4, 4, 0);
        let weights = b.floats(&[sum, 0.0, 0.0, 0.0].repeat(4), "VEC4");
        b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        b.json["nodes"][1]["translation"] = json!([0, 0, 4]);
        let imported = open(b);
        let [warning] = &imported.warnings[..] else { panic!("{:?}", imported.warnings) };
        assert!(warning.worst_sum.is_some(), "{warning}");
        let Target::Primitive { vertices, .. } = &warning.finding.target else { panic!("{warning}") };
        assert_eq!(vertices.count(), 4);
        assert_near(&skinned(&imported.rig, None)[..1], &[Vec3::Z * 4.0]);
    }
}

/// `glTF-Sample-Assets#132`, `assimp#3465`.
#[test]
fn a_skin_without_inverse_binds_is_bound_at_the_origin() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    b.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let imported = open(b);
    let message = "Skin 0 has no inverse bind matrices; they count as the identity.";
    assert_eq!(common::messages(&imported.warnings), [message]);
    assert_near(&skinned(&imported.rig, None)[..1], &[Vec3::X]);
}

/// `gltf-rs#400`, `rerun#12858`: the file opens, and the missing extensions are always reported.
#[test]
fn file_with_an_unknown_required_extension_opens_with_a_warning() {
    let mut b = triangle();
    b.json["extensionsUsed"] = json!(["ACME_hair", "ACME_dust"]);
    b.json["extensionsRequired"] = json!(["ACME_hair"]);
    let imported = open(b);
    assert_eq!(imported.rig.vertex_count(), 3);
    let told: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    assert!(told.len() == 2 && told[0].contains("requires the extension ACME_hair") && told[1].contains("ACME_dust"));
}

/// `gltf-rs#427`.
#[test]
fn quantised_positions_are_read_as_the_numbers_that_they_are() {
    let mut b = triangle();
    b.json["accessors"] = json!([]);
    let positions = b.accessor(&[0, 0, 0, 0, 200, 0, 0, 0, 0, 100, 0, 0], U8, "VEC3", 3);
    b.json["bufferViews"][1]["byteStride"] = json!(4);
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    b.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    b.json["nodes"][0]["scale"] = json!([0.01, 0.01, 0.01]);
    let imported = open(b);
    assert_eq!(common::of_reading(&imported.warnings), []);
    assert_near(&skinned(&imported.rig, None), &[Vec3::ZERO, Vec3::X * 2.0, Vec3::Y]);
}

#[test]
fn every_scene_can_be_shown_by_number_or_name() {
    let mut b = triangle();
    b.root(json!({"name": "other", "mesh": 0, "translation": [0, 0, 3]}));
    b.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [1], "name": "far"}, {"nodes": []}]);
    let file = b.build();
    let shown = |scene| {
        let imported = import_bytes(&file, &Job::default().with_scene(scene)).unwrap();
        assert_eq!(imported.scenes, ["Scene 0", "far", "Scene 2"]);
        (imported.scene, imported.rig.instances.iter().map(|i| i.node).collect::<Vec<_>>())
    };
    let named = |name: &str| Some(SceneChoice::Named(name.to_owned()));
    let (near, far) = (NodeIndex(0), NodeIndex(1));
    assert_eq!(shown(None), (Some(0), vec![near]));
    assert_eq!(shown(named("far")), (Some(1), vec![far]));
    assert_eq!(shown(named("1")), (Some(1), vec![far]));
    assert_eq!(shown(Some(SceneChoice::Number(0))), (Some(0), vec![near]));
    assert_eq!(shown(Some(SceneChoice::Number(2))), (Some(2), vec![]));
    assert_eq!(shown(Some(SceneChoice::LastSeen(3))), (Some(0), vec![near]), "the default one where it is gone");
    for (scene, told) in
        [(named("near"), "near"), (Some(SceneChoice::Number(3)), "3"), (Some(SceneChoice::Number(-1)), "-1")]
    {
        let error = import_bytes(&file, &Job::default().with_scene(scene)).unwrap_err();
        assert!(matches!(&error, ImportError::NoScene { .. }));
        assert_eq!(error.to_string(), format!("There is no scene \"{told}\"; there are Scene 0, far, Scene 2."));
    }
}

#[test]
fn the_command_line_takes_a_scene_by_name_and_names_those_that_there_are() {
    let mut b = triangle();
    b.root(json!({"mesh": 0, "translation": [0, 0, 3]}));
    b.json["scenes"] = json!([{"nodes": [0], "name": "near"}, {"nodes": [1], "name": "far"}]);
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("two.glb"), folder.path().join("out.json"));
    std::fs::write(&file, b.build()).unwrap();
    let bake = |scene: &str| {
        let args = ["bake", file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--scene", scene];
        common::command::rigscope(&args)
    };
    bake("far").ok();
    let baked = common::formats::JsonFile::read(&out);
    assert_eq!(baked.primitives.iter().map(|p| p.positions[0]).collect::<Vec<_>>(), [[0.0, 0.0, 3.0]]);
    let refused = bake("middle");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("There is no scene \"middle\"; there are near, far."), "{}", refused.stderr);
}

/// Returns a file as a VRM with this extension and these humanoid bones.
fn vrm(bytes: &[u8], extension: &str, humanoid: &Value) -> Vec<u8> {
    let (mut json, bin) = common::glb::split(bytes);
    json["extensionsUsed"] = json!([extension]);
    json["extensions"] = json!({extension: {"humanoid": {"humanBones": humanoid}}});
    common::glb::container(json.to_string().as_bytes(), bin)
}

#[test]
fn vrm_files_of_both_versions_open_and_name_their_human_bones() {
    let figure = rigscope::stage::BuiltIn::Figure.bytes();
    let plain = import_bytes(figure, &Job::default()).unwrap().rig;
    let number = |name: &str| plain.hierarchy.source(node(&plain, name));
    let zero = json!([{"bone": "hips", "node": number("Hips")}, {"bone": "head", "node": 9999}]);
    let one = json!({"leftLowerArm": {"node": number("LeftLowerArm")}});
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        import_file(Path::new(&path), &Job::default()).unwrap()
    };
    let imported = open("zero.vrm", &vrm(figure, "VRM", &zero));
    assert_eq!(imported.rig.human_bone(node(&imported.rig, "Hips")), Some("hips"));
    assert_eq!((plain.front(), imported.rig.front()), (Vec3::Z, Vec3::NEG_Z), "VRM 0 looks along -Z");
    let reason = format!("it is not one of the {} nodes", plain.hierarchy.len());
    let message = format!("The humanoid bone head was left out: {reason}.");
    assert_eq!(common::messages(&imported.warnings), [message]);
    let imported = open("one.vrm", &vrm(figure, "VRMC_vrm", &one));
    assert_eq!(imported.rig.human_bone(node(&imported.rig, "LeftLowerArm")), Some("leftLowerArm"));
    assert_eq!(imported.rig.human_bone(node(&imported.rig, "Hips")), None);
    assert_eq!(imported.rig.front(), Vec3::Z);
    assert_eq!(imported.warnings, []);
}
