use super::*;
use rigscope_core::environment::EnvironmentMap;
use rigscope_core::view::EnvironmentFile;

fn file() -> EnvironmentFile {
    let map = EnvironmentMap::grey();
    EnvironmentFile { wanted: Some(map.path().to_owned()), shown: Some(Arc::new(map)) }
}

#[test]
fn an_environment_map_takes_the_place_of_the_one_before_and_orbiting_before_it_makes_nothing() {
    let headless = Headless::new().unwrap();
    let mut scene = headless.scene().unwrap();
    let (rig, mut view) = (many_parts(), View::default());
    view.display.light.backdrop = true;
    let pose = Pose::rest(&rig.hierarchy);
    draw(&mut scene, &rig, &pose, &view, 0);
    for environment_file in [file(), file(), EnvironmentFile::default()] {
        view.environment_file = environment_file;
        let calls = count_calls(|| draw(&mut scene, &rig, &pose, &view, 0));
        assert_eq!((calls.get("glGenTextures"), calls.get("glDeleteTextures")), (Some(&1), Some(&1)), "{calls:#?}");
        view.camera.orbit(0.1, 0.0);
        view.display.light.angle += 0.1;
        let calls = count_calls(|| draw(&mut scene, &rig, &pose, &view, 0));
        let wasted: Vec<_> = ASKING_OR_MAKING.iter().filter(|&call| calls.contains_key(call)).collect();
        assert!(wasted.is_empty(), "{wasted:?}");
    }
}
