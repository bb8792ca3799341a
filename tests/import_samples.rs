//! Real files open, and hold what is known of them.

mod common;

use std::collections::BTreeMap;

use rigscope::import::{ImportError, ImportWarning, Imported, Job, PrimitiveFault, TextureFault, import_file};
use rigscope::rig::{Interpolation, Property};

const FOLDERS: [&str; 7] = ["khronos", "asset-generator", "kaykit", "boy", "threejs", "assimp", "derived"];

fn open(file: &str) -> Option<Imported> {
    let path = common::samples()?.join(file);
    Some(import_file(&path, &Job::default()).unwrap_or_else(|e| panic!("{file}: {e}")))
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are worth reading")]
fn all_sample_folders_open() {
    let Some(samples) = common::samples() else { return };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for folder in FOLDERS {
        for path in common::files_below(&samples.join(folder), &["gltf", "glb"]) {
            if path.components().any(|c| c.as_os_str() == "draco") {
                continue;
            }
            let imported = import_file(&path, &Job::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let rig = &imported.rig;
            println!(
                "{}: {} nodes, {} joints, {} skins, {} vertices, {} primitives, {} clips, {} images",
                path.strip_prefix(&samples).unwrap_or(&path).display(),
                rig.hierarchy.len(),
                rig.joint_count(),
                rig.skins.len(),
                rig.vertex_count(),
                rig.primitives().count(),
                rig.clips.len(),
                rig.images.len()
            );
            for warning in &imported.warnings {
                println!("    {warning}");
            }
            assert!(rig.vertex_count() > 0, "{}", path.display());
            *counts.entry(folder).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert_eq!(counts.values().sum::<usize>(), 83);
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
        let sum: f32 = influences.of(vertex).map(|(_, w)| w).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert!(influences.of(vertex).is_sorted_by(|a, b| a.1 >= b.1));
    }
}

#[test]
fn the_robot_has_two_skins_fourteen_clips_and_heavy_weights() {
    let Some(robot) = open("threejs/RobotExpressive.glb") else { return };
    assert_eq!((robot.rig.skins.len(), robot.rig.clips.len()), (2, 14));
    let worst = robot.warnings.iter().find_map(|w| match w {
        ImportWarning::WeightsRenormalized { worst, .. } if *worst > 1.7 => Some(*worst),
        _ => None,
    });
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
fn the_knight_has_76_clips() {
    let Some(knight) = open("kaykit/Knight.glb") else { return };
    assert_eq!((knight.rig.clips.len(), knight.rig.joint_count()), (76, 41));
}

#[test]
fn a_ktx2_texture_becomes_a_checker() {
    let Some(man) = open("derived/CesiumMan_ktx2_etc1s.glb") else { return };
    let fault = man.warnings.iter().find_map(|w| match w {
        ImportWarning::TextureReplaced { fault, .. } => Some(fault),
        _ => None,
    });
    assert_eq!(fault, Some(&TextureFault::Extension { extension: "KHR_texture_basisu".to_owned() }));
    assert_eq!(man.rig.images.len(), 1);
}

#[test]
fn compressed_files_say_what_to_do() {
    let Some(samples) = common::samples() else { return };
    let error = |file| import_file(&samples.join(file), &Job::default()).expect_err("not read yet");
    let ImportError::NothingUsable { reason } = error("khronos/CesiumMan/draco/CesiumMan.gltf") else { panic!() };
    assert!(matches!(*reason, ImportWarning::PrimitiveSkipped { fault: PrimitiveFault::Draco, .. }));
    let text = error("viverse/mannequin.glb").to_string();
    assert!(text.contains("EXT_meshopt_compression") && text.contains("export again"), "{text}");
}

#[test]
fn a_git_lfs_pointer_is_recognised() {
    let Some(samples) = common::samples() else { return };
    let error = import_file(&samples.join("bad-lfs-pointer/RainbowCuboid.gltf"), &Job::default());
    let text = error.expect_err("the buffer is not there").to_string();
    assert!(text.contains("git lfs pull") && text.contains("RainbowCuboid.bin"), "{text}");
}
