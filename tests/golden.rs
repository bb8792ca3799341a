//! Import, kinematics, sampling and skinning together against an independent implementation in double precision.
//!
//! The expected values are the output of `reference/reference.py` for poses of real files; see `samples/README.md`.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Quat, Vec3};
use rigscope::import::{Job, import_file};
use rigscope::rig::{Pose, Rig, Trs, evaluate};
use rigscope::skinning::{Deformed, Method, deform, palettes};
use serde::Deserialize;

/// Files that import does not read yet: Draco and meshopt compression.
const NOT_READ: [&str; 2] = ["khronos/RiggedFigure/draco/RiggedFigure.gltf", "viverse/mannequin.glb"];

/// 32 poses, two methods; without the two files that are not read.
const EXPECTED_CASES: usize = 60;

#[derive(Deserialize)]
struct Golden {
    file: String,
    clip: Option<usize>,
    time: f32,
    method: Method,
    pose: PoseFile,
    size: f32,
    primitives: Vec<GoldenPrimitive>,
}

#[derive(Deserialize)]
struct PoseFile {
    joints: BTreeMap<String, Joint>,
}

#[derive(Deserialize)]
struct Joint {
    rotation: [f32; 4],
}

#[derive(Deserialize)]
struct GoldenPrimitive {
    node: usize,
    mesh: usize,
    primitive: usize,
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    skip: Vec<usize>,
}

fn posed_by(file: &PoseFile, rig: &Rig) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    for (key, joint) in &file.joints {
        let source = key.strip_prefix('#').and_then(|n| n.parse().ok()).expect("keys are #INDEX");
        let node = rig.hierarchy.by_source(source).expect("the file has this node");
        pose.set_user_local(node, Trs::from_rotation(Quat::from_array(joint.rotation)));
    }
    pose
}

/// By the file's numbers of node, mesh and primitive.
fn deformed(golden: &Golden, rig: &Rig) -> BTreeMap<(usize, usize, usize), Deformed> {
    let posed = evaluate(rig, golden.clip.map(|c| (c, golden.time)), &posed_by(&golden.pose, rig));
    let palettes = palettes(rig, &posed);
    let mut all = BTreeMap::new();
    for (i, instance) in rig.instances.iter().enumerate() {
        let mesh = &rig.meshes[instance.mesh];
        for primitive in &mesh.primitives {
            let key = (rig.hierarchy.source(instance.node), mesh.source, primitive.source);
            all.insert(key, deform(primitive, &palettes[i], &posed.morph_weights[i], golden.method));
        }
    }
    all
}

/// The largest distance of positions as a share of the size, and of normals.
fn differences(expected: &GoldenPrimitive, size: f32, found: &Deformed) -> (f32, f32) {
    assert_eq!(found.positions.len(), expected.positions.len(), "number of vertices");
    assert_eq!(found.normals.is_some(), expected.normals.is_some(), "normals");
    let kept = |i: &usize| !expected.skip.contains(i);
    let largest = |found: &[Vec3], expected: &[[f32; 3]]| {
        let vertices = (0..expected.len()).filter(kept);
        vertices
            .map(|i| found[i].distance(Vec3::from(expected[i])))
            .fold(0.0, |a: f32, d| if d.is_nan() { d } else { a.max(d) })
    };
    let normals = found.normals.as_deref().zip(expected.normals.as_deref()).map_or(0.0, |(f, e)| largest(f, e));
    (largest(&found.positions, &expected.positions) / size, normals)
}

#[expect(clippy::print_stdout, reason = "shows how far from the limits the results are")]
fn check(path: &Path, samples: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a golden file");
    let golden: Golden = serde_json::from_str(&text).expect("the golden format");
    if NOT_READ.contains(&golden.file.as_str()) {
        return false;
    }
    let name = path.file_stem().expect("a name").to_string_lossy();
    let imported = import_file(&samples.join(&golden.file), &Job::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let deformed = deformed(&golden, &imported.rig);
    let mut worst = (0.0_f32, 0.0_f32);
    for expected in &golden.primitives {
        let key = (expected.node, expected.mesh, expected.primitive);
        let found = deformed.get(&key).unwrap_or_else(|| panic!("{name}: no primitive {key:?}"));
        let (position, normal) = differences(expected, golden.size, found);
        assert!(position <= 2e-5, "{name} {key:?}: positions differ by {position} of the size");
        assert!(normal <= 2e-3, "{name} {key:?}: normals differ by {normal}");
        worst = (worst.0.max(position), worst.1.max(normal));
    }
    println!("{name}: {} primitives, positions {:.1e}, normals {:.1e}", golden.primitives.len(), worst.0, worst.1);
    true
}

#[test]
fn poses_of_real_files_agree_with_the_reference() {
    let Some(samples) = common::samples() else { return };
    let golden = common::files_below(&samples.join("../reference/golden"), &["json"]);
    let compared = golden.iter().filter(|path| check(path, &samples)).count();
    assert_eq!(compared, EXPECTED_CASES);
    assert_eq!(golden.len(), EXPECTED_CASES + 2 * NOT_READ.len());
}
