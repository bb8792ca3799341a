//! Import, kinematics, sampling and skinning together, compared with an independent implementation in double precision.
//!
//! The expected values are the output of `reference/reference.py` for poses of real files; see `samples/README.md`.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::reference::{self, Golden};
use rigscope::export::PoseFile;
use rigscope::import::{Job, import_file};
use rigscope::rig::{ClipMoment, Rig, evaluate};
use rigscope::skinning::{Deformed, deform, palettes};

/// Returns the deformed primitives by the file's indices of node, mesh and primitive.
fn deformed(golden: &Golden, rig: &Rig) -> BTreeMap<(usize, usize, usize), Deformed> {
    let file = PoseFile::parse(golden.pose.to_string().as_bytes()).expect("a pose file");
    let (pose, warnings) = file.pose_for(rig);
    assert_eq!(warnings, [], "the file has these nodes");
    let posed = evaluate(rig, golden.clip.map(|clip| ClipMoment::new(clip, golden.time)), &pose);
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

#[expect(clippy::print_stdout, reason = "shows how far from the limits the results are")]
fn check(name: &str, golden: &Golden, samples: &Path) {
    let imported = import_file(&samples.join(&golden.file), &Job::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let deformed = deformed(golden, &imported.rig);
    let mut worst = [0.0_f32; 2];
    for expected in &golden.primitives {
        let key = (expected.node, expected.mesh, expected.primitive);
        let found = deformed.get(&key).unwrap_or_else(|| panic!("{name}: no primitive {key:?}"));
        let arrays = |v: &[glam::Vec3]| v.iter().map(glam::Vec3::to_array).collect::<Vec<_>>();
        let normals = found.normals.as_deref().map(arrays);
        let far = expected.assert_near(name, golden.size, &arrays(&found.positions), normals.as_deref());
        worst = [worst[0].max(far[0]), worst[1].max(far[1])];
    }
    println!("{name}: {} primitives, positions {:.1e}, normals {:.1e}", golden.primitives.len(), worst[0], worst[1]);
}

#[test]
fn poses_of_real_files_agree_with_the_reference() {
    let Some(samples) = common::samples() else { return };
    for (name, golden) in reference::all(&samples) {
        check(&name, &golden, &samples);
    }
}
