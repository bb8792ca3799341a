//! Real files open with the expected content.

use crate::common;

use glam::Vec3;
use rigscope::import::{ImportError, Imported, Job, import_file};
use rigscope::rig::{CoordSet, Interpolation, Property, Texture, Wrap};

fn open(file: &str) -> Option<Imported> {
    let path = common::samples()?.join(file);
    Some(import_file(&path, &Job::default()).unwrap_or_else(|e| panic!("{file}: {e}")))
}

/// Returns a row of the table: the file's content, or why it doesn't open.
fn row(name: &str, imported: &Result<Imported, ImportError>) -> String {
    let Imported { rig, warnings, .. } = match imported {
        Ok(imported) => imported,
        Err(reason) => return format!("{name:<64} {reason}"),
    };
    let influences = rig.primitives().filter_map(|(_, p)| Some(p.influences.as_ref()?.per_vertex())).max();
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    format!(
        "{name:<64} {:>6} {:>8} {:>10} {:>5}  {}",
        rig.joint_count(),
        rig.vertex_count(),
        influences.unwrap_or(0),
        rig.clips.len(),
        told.join(" ")
    )
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is worth reading")]
fn all_samples_open() {
    let Some(samples) = common::samples() else { return };
    println!("{:<64} {:>6} {:>8} {:>10} {:>5}  warnings", "file", "joints", "vertices", "influences", "clips");
    let mut opened = 0;
    for path in common::files_below(&samples, &rigscope::import::format::endings()) {
        let name = path.strip_prefix(&samples).unwrap().display().to_string();
        if name.starts_with("bad-") {
            continue;
        }
        let imported = import_file(&path, &Job::default());
        println!("{}", row(&name, &imported));
        // This file contains only a skeleton.
        let is_skeleton = path.ends_with("fbx/maya_character_7500_binary.fbx");
        assert!(imported.is_ok_and(|i| is_skeleton || i.rig.vertex_count() > 0), "{name}");
        opened += 1;
    }
    assert_eq!(opened, if cfg!(feature = "fbx") { 93 + 17 } else { 93 });
}

#[test]
fn ten_influences_of_a_vertex_all_count() {
    let Some(quad) = open("assimp/quad_skin.glb") else { return };
    let (_, primitive) = quad.rig.primitives().next().unwrap();
    assert_eq!(primitive.influences.as_ref().unwrap().per_vertex(), 10);
}

#[test]
fn normalised_integers_are_eight_influences() {
    let Some(man) = open("derived/CesiumMan_8influences_u16.glb") else { return };
    let (_, primitive) = man.rig.primitives().next().unwrap();
    let influences = primitive.influences.as_ref().unwrap();
    assert_eq!(influences.per_vertex(), 8);
    for vertex in 0..influences.len() {
        let sum: f32 = influences.vertex(vertex).map(|(_, w)| w).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert!(influences.vertex(vertex).is_sorted_by(|a, b| a.1 >= b.1));
    }
}

#[test]
fn the_robot_has_two_skins_fourteen_clips_and_heavy_weights() {
    let Some(robot) = open("threejs/RobotExpressive.glb") else { return };
    assert_eq!((robot.rig.skins.len(), robot.rig.clips.len()), (2, 14));
    let worst = robot.warnings.iter().filter_map(|w| w.worst_sum).find(|worst| *worst > 1.7);
    assert!((worst.unwrap() - 1.755).abs() < 1e-3);
    let morphs = robot.rig.clips.iter().flat_map(|c| &c.channels).filter(|c| c.property == Property::MorphWeights);
    assert!(morphs.count() > 0);
}

#[test]
fn the_boy_has_113_joints_and_textures() {
    let Some(boy) = open("boy/scene.gltf") else { return };
    assert_eq!((boy.rig.joint_count(), boy.rig.images.len()), (113, 13));
    assert!((21_000..23_000).contains(&boy.rig.vertex_count()), "{}", boy.rig.vertex_count());
}

#[test]
fn one_mesh_stands_under_84_skins() {
    let Some(recursive) = open("khronos/RecursiveSkeletons/RecursiveSkeletons.glb") else { return };
    assert_eq!((recursive.rig.skins.len(), recursive.rig.instances.len(), recursive.rig.meshes.len()), (84, 84, 1));
}

#[test]
fn all_interpolations_are_read() {
    let Some(test) = open("khronos/InterpolationTest/InterpolationTest.glb") else { return };
    for wanted in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let mut channels = test.rig.clips.iter().flat_map(|c| &c.channels);
        assert!(channels.any(|c| c.interpolation == wanted), "{wanted:?}");
    }
    assert_eq!((test.rig.clips.len(), test.warnings.len()), (9, 0));
}

#[test]
fn the_boy_looks_along_minus_z_and_the_others_along_z() {
    for (file, front) in [
        ("boy/scene.gltf", Vec3::NEG_Z),
        ("kaykit/Knight.glb", Vec3::Z),
        ("khronos/CesiumMan/CesiumMan.glb", Vec3::Z),
        ("khronos/Fox/Fox.glb", Vec3::Z),
        ("khronos/RiggedFigure/RiggedFigure.glb", Vec3::Z),
        ("threejs/RobotExpressive.glb", Vec3::Z),
        ("viverse/mannequin.glb", Vec3::Z),
    ] {
        let Some(imported) = open(file) else { return };
        assert_eq!(imported.rig.front(), front, "{file}");
    }
}

#[test]
fn the_knight_has_76_clips() {
    let Some(knight) = open("kaykit/Knight.glb") else { return };
    assert_eq!((knight.rig.clips.len(), knight.rig.joint_count()), (76, 41));
}

#[test]
fn a_ktx2_texture_shows_what_the_jpeg_shows() {
    let (Some(ktx2), Some(jpeg)) = (open("derived/CesiumMan_ktx2_etc1s.glb"), open("khronos/CesiumMan/CesiumMan.glb"))
    else {
        return;
    };
    assert_eq!((ktx2.rig.images.len(), &ktx2.warnings[..]), (1, &[][..]));
    let (found, expected) = (&ktx2.rig.images[0], &jpeg.rig.images[0]);
    assert_eq!((found.width, found.height), (expected.width, expected.height));
    let distance: u64 = found.rgba.iter().zip(&*expected.rgba).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = distance as f64 / found.rgba.len() as f64;
    assert!(mean < 4.0, "{mean} of 255 a channel");
}

#[test]
fn files_compressed_with_draco_and_meshopt_are_the_same_as_uncompressed_ones() {
    for (compressed, plain) in [
        ("khronos/CesiumMan/draco/CesiumMan.gltf", "decoded/CesiumMan_draco.glb"),
        ("khronos/RiggedFigure/draco/RiggedFigure.gltf", "decoded/RiggedFigure_draco.glb"),
        ("viverse/mannequin.glb", "decoded/mannequin.glb"),
    ] {
        let (Some(compressed), Some(plain)) = (open(compressed), open(plain)) else { return };
        assert_eq!(compressed.warnings, plain.warnings);
        for ((_, a), (_, b)) in compressed.rig.primitives().zip(plain.rig.primitives()) {
            assert_eq!((&a.positions, &a.influences, &a.indices), (&b.positions, &b.influences, &b.indices));
        }
    }
}

#[test]
fn a_git_lfs_pointer_is_recognised() {
    let Some(samples) = common::samples() else { return };
    let error = import_file(&samples.join("bad-lfs-pointer/RainbowCuboid.gltf"), &Job::default());
    let text = error.expect_err("the buffer is not there").to_string();
    assert!(text.contains("git lfs pull") && text.contains("RainbowCuboid.bin"), "{text}");
}

/// Compares angle and handedness at every vertex of a file that stores `MikkTSpace` tangents.
#[test]
fn made_tangents_are_those_that_a_file_stores() {
    let Some(node) = open("asset-generator/Node_NegativeScale/Node_NegativeScale_10.gltf") else { return };
    let texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    let mut compared = 0;
    for (_, primitive) in node.rig.primitives() {
        let (stored, made) = (primitive.tangents.as_ref().unwrap(), primitive.tangents_for(&texture).unwrap());
        for (stored, made) in stored.iter().zip(made).filter(|(_, made)| made.w != 0.0) {
            let degrees = stored.truncate().angle_between(made.truncate()).to_degrees();
            assert!(degrees < 0.1 && stored.w == made.w, "{stored} stored, {made} made");
            compared += 1;
        }
    }
    assert_eq!(compared, 98, "each vertex is of one of the two primitives");
}
