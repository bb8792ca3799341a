//! Objects on the graphics card for the light of panoramas.

use std::path::Path;

use super::*;
use crate::jobs::Progress;
use crate::surroundings::EnvironmentMap;
use crate::view::EnvironmentFile;

fn file(path: &Path) -> EnvironmentFile {
    let map = EnvironmentMap::read(path, &Progress::default()).unwrap();
    EnvironmentFile { wanted: Some(path.to_owned()), shown: Some(Arc::new(map)) }
}

#[test]
fn a_panorama_takes_the_place_of_the_one_before_and_orbiting_before_it_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grey.hdr");
    std::fs::write(&path, b"#?RADIANCE\n\n-Y 1 +X 2\n\x40\x40\x40\x80\x40\x40\x40\x80").unwrap();
    let headless = Headless::new().unwrap();
    let mut scene = headless.scene().unwrap();
    let (rig, mut view) = (many_parts(), View::default());
    view.display.light.backdrop = true;
    let pose = Pose::rest(&rig.hierarchy);
    draw(&mut scene, &rig, &pose, &view, 0);
    for environment_file in [file(&path), file(&path), EnvironmentFile::default()] {
        view.environment_file = environment_file;
        let calls = calls_of(|| draw(&mut scene, &rig, &pose, &view, 0));
        assert_eq!((calls.get("glGenTextures"), calls.get("glDeleteTextures")), (Some(&1), Some(&1)), "{calls:#?}");
        view.camera.orbit(0.1, 0.0);
        view.display.light.turn += 0.1;
        let calls = calls_of(|| draw(&mut scene, &rig, &pose, &view, 0));
        let wasted: Vec<_> = ASKING_OR_MAKING.iter().filter(|&call| calls.contains_key(call)).collect();
        assert!(wasted.is_empty(), "{wasted:?}");
    }
}
