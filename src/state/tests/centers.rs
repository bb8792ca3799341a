use std::sync::Arc;

use crate::jobs::Progress;
use crate::rig::{Mesh, Rig, RigData};
use crate::skinning::{Centers, Method};
use crate::stage::{BuiltIn, CentersPlan, Derived, DerivedResult, Document};
use crate::state::{AfterLoad, AppState, Command, JobResult, Settings};
use crate::view::Side;

fn document() -> Document {
    Document::built_in(BuiltIn::Tube)
}

fn unskinned() -> Document {
    let tube = document();
    let mut instances = tube.rig.instances.clone();
    instances[0].skin = None;
    let meshes: Vec<Mesh> = tube.rig.meshes.clone();
    let rig = Arc::new(Rig::new(RigData { meshes, instances, ..RigData::clone(&tube.rig) }));
    Document { rig, ..tube }
}

#[test]
fn centers_are_wanted_once_and_belong_to_their_character() {
    let mut state = AppState::new(document(), Settings::default());
    assert!(CentersPlan::wanted(&state.open.stage).is_none());
    state.apply(Command::SetSkinning(Side::B, Method::Cor.into()));
    assert!(CentersPlan::wanted(&state.open.stage).is_some());
    let (rig, version) = (Arc::clone(state.open.stage.rig()), state.open.stage.characters.version());
    let centers = Arc::new(Centers::new(&rig, &Progress::default()).unwrap());
    state.receive(JobResult::Derived(DerivedResult::new(
        CentersPlan(Arc::new(Rig::clone(&rig))),
        Some(Arc::clone(&centers)),
    )));
    assert!(CentersPlan::wanted(&state.open.stage).is_some(), "those of another rig are not taken");
    state.receive(JobResult::Derived(DerivedResult::new(CentersPlan(rig), Some(centers))));
    state.open.stage.refresh();
    assert!(CentersPlan::wanted(&state.open.stage).is_none() && state.open.stage.centers(Side::B).is_some());
    assert_ne!(state.open.stage.characters.version(), version, "the picture is drawn again");
    state.receive(JobResult::Document(Box::new(document()), AfterLoad::Show));
    assert!(CentersPlan::wanted(&state.open.stage).is_some(), "another character has others");
}

#[test]
fn a_method_that_does_not_serve_the_character_is_refused_in_words() {
    let mut state = AppState::new(unskinned(), Settings::default());
    state.apply(Command::SetMethod(Method::Cor));
    assert_eq!(state.open.stage.view.sides.a.skinning.method, Method::Lbs);
    assert!(state.notices.dismiss().unwrap().text.contains("choose LBS"));
    let mut state = AppState::new(document(), Settings::default());
    state.apply(Command::SetMethod(Method::DqsCompensated));
    assert_eq!(
        (state.open.stage.view.sides.a.skinning.method, state.notices.dismiss()),
        (Method::DqsCompensated, None)
    );
    state.receive(JobResult::Document(Box::new(unskinned()), AfterLoad::Show));
    assert_eq!(state.open.stage.view.sides.a.skinning.method, Method::Lbs);
    assert!(state.notices.newest().unwrap().text.contains("Switched to LBS"));
}
