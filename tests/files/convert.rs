//! `rigscope convert`: valid glTF with the same deformation; converting the output again gives the same bytes.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::PathBuf;

use common::command::rigscope;
use common::conversion::{Conversion, complaints, surfaces};
use common::reference;
use rigscope::export::{ExportError, PoseFile, rig_glb};
use rigscope::import::{Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::{ClipMoment, Rig};
use rigscope::stage::BuiltIn;

/// Returns all samples that open, and the built-in characters, with their names.
fn rigs() -> Vec<(String, Rig)> {
    let files = common::samples().map_or_else(Vec::new, |folder| common::files_below(&folder, &["gltf", "glb", "fbx"]));
    let opened = files
        .iter()
        .filter_map(|file| Some((file.display().to_string(), import_file(file, &Job::default()).ok()?.rig)));
    let built_in = BuiltIn::ALL.map(|b| (b.name().to_owned(), import_bytes(b.bytes(), &Job::default()).unwrap().rig));
    let rigs: Vec<_> = opened.chain(built_in).collect();
    assert!(files.is_empty() || rigs.len() >= 100, "{} samples opened", rigs.len());
    rigs
}

#[test]
fn every_sample_is_kept_deforms_as_before_is_a_fixed_point_and_valid() {
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for (name, rig) in &rigs() {
        let conversion = Conversion::new(name, rig);
        conversion.assert_same_parts();
        conversion.assert_same_deformation();
        conversion.assert_fixed();
        files.push(folder.path().join(format!("{}.glb", files.len())));
        std::fs::write(&files[files.len() - 1], &conversion.bytes).unwrap();
    }
    if let Some(complaints) = complaints(&files) {
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

#[test]
fn converted_files_agree_with_the_reference() {
    let Some(samples) = common::samples() else { return };
    for (name, golden) in reference::all(&samples) {
        let rig = import_file(&samples.join(&golden.file), &Job::default()).unwrap().rig;
        let conversion = Conversion::new(&name, &rig);
        let file = PoseFile::parse(golden.pose.to_string().as_bytes()).unwrap();
        let (pose, warnings) = file.pose_for(&conversion.after);
        assert_eq!(warnings, [], "{name}: pose files mean the same nodes");
        let moment = golden.clip.map(|clip| ClipMoment::new(clip, golden.time));
        let found = surfaces(&conversion.after, moment, &pose, golden.method);
        for expected in &golden.primitives {
            let (instance, primitive) = place(&rig, expected);
            let part = &found[conversion.instances[instance]][primitive];
            let arrays = |v: &[glam::Vec3]| v.iter().map(glam::Vec3::to_array).collect::<Vec<_>>();
            let normals = part.normals.as_deref().map(arrays);
            expected.assert_near(&name, golden.size, &arrays(&part.positions), normals.as_deref());
        }
    }
}

/// Returns the instance and the primitive that a golden primitive refers to.
fn place(rig: &Rig, wanted: &reference::GoldenPrimitive) -> (usize, usize) {
    let find = |(at, instance): (usize, &rigscope::rig::MeshInstance)| {
        let mesh = &rig.meshes[instance.mesh];
        let is_it = (rig.hierarchy.source(instance.node), mesh.source) == (wanted.node, wanted.mesh);
        Some((at, mesh.primitives.iter().position(|p| is_it && p.source == wanted.primitive)?))
    };
    rig.instances.iter().enumerate().find_map(find).unwrap()
}

#[test]
fn cancelled_conversion_is_reported() {
    let rig = import_bytes(BuiltIn::Tube.bytes(), &Job::default()).unwrap().rig;
    assert!(matches!(rig_glb(&rig, &Progress::cancelled()), Err(ExportError::Cancelled)));
}

#[test]
fn failed_conversion_is_reported_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("tube.glb"), BuiltIn::Tube.bytes()).unwrap();
    std::fs::write(at("broken.glb"), &BuiltIn::Tube.bytes()[..100]).unwrap();
    std::fs::create_dir(at("folder.glb")).unwrap();
    for (file, output, told) in [
        ("tube.glb", "tube.glb", "another OUT"),
        ("tube.glb", "folder.glb/../tube.glb", "another OUT"),
        ("tube.glb", "gone/out.glb", "gone does not exist"),
        ("tube.glb", "folder.glb", "it is a folder"),
        ("tube.glb", "out.gltf", "must end in .glb"),
        ("gone.glb", "out.glb", "gone.glb"),
        ("broken.glb", "out.glb", "broken.glb"),
    ] {
        let run = rigscope(&["convert", &at(file), "-o", &at(output)]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{file} {output}");
        assert!(run.stderr.contains(told), "{file} {output}: {}", run.stderr);
    }
    assert!(rigscope(&["convert", &at("tube.glb"), "-o", &at("out.glb"), "--scene", "9"]).code == Some(2));
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["broken.glb", "folder.glb", "tube.glb"]);
    assert_eq!(std::fs::read(at("tube.glb")).unwrap(), BuiltIn::Tube.bytes());
}

#[test]
fn overwriting_a_file_reports_its_new_contents() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.glb");
    std::fs::write(&output, b"old").unwrap();
    let run = rigscope(&["convert", "builtin:figure", "-o", output.to_str().unwrap()]).ok();
    assert!(
        run.stderr.contains("saved:") && run.stderr.contains("joints, ") && run.stderr.contains("3 clips"),
        "{}",
        run.stderr
    );
    let rig = import_file(&output, &Job::default()).unwrap().rig;
    let figure = import_bytes(BuiltIn::Figure.bytes(), &Job::default()).unwrap().rig;
    assert_eq!((rig.joint_count(), rig.clips.len()), (figure.joint_count(), 3));
}
