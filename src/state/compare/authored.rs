//! The skinning method that the open file declares. Side A uses it until the user chooses another method.

use crate::skinning::Method;
use crate::stage::Stage;

/// Sets side A to the method that the open file declares. If the file declares none and side A still uses `before`, the
/// method of the previous file or a demonstration, sets the user's method `own`.
pub(in crate::state) fn follow_file(stage: &mut Stage, before: Option<Method>, own: Method) {
    let authored = stage.authored;
    let method = &mut stage.view.sides.a.skinning.method;
    match authored {
        Some(authored) => *method = authored,
        None if before == Some(*method) => *method = own,
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    use crate::rig::{AuthoredMethod, Rig, RigData};
    use crate::skinning::Skinning;
    use crate::stage::{BuiltIn, Document};
    use crate::state::{Action, AfterLoad, AppState, Command, JobResult, Settings, ShowMe};
    use crate::view::Side;

    fn document(authored: AuthoredMethod, weight: Option<f32>) -> Document {
        let tube = Document::built_in(BuiltIn::Tube);
        let (mut skins, mut meshes) = (tube.rig.skins.clone(), tube.rig.meshes.clone());
        for skin in &mut skins {
            skin.authored = authored;
        }
        for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.dq_weights = weight.map_or(Vec::new(), |weight| vec![weight; primitive.positions.len()]);
        }
        Document { rig: Arc::new(Rig::new(RigData { skins, meshes, ..RigData::clone(&tube.rig) })), ..tube }
    }

    fn blended() -> Document {
        document(AuthoredMethod::Blended, Some(0.5))
    }

    fn show(state: &mut AppState, document: Document, then: AfterLoad) -> Method {
        state.receive(JobResult::Document(Box::new(document), then));
        state.open.stage.view.sides.a.skinning.method
    }

    fn silent() -> Document {
        document(AuthoredMethod::Linear, None)
    }

    #[test]
    fn file_is_shown_with_its_authored_method() {
        use AuthoredMethod::{Blended, DualQuaternion, Linear, Rigid};
        for (document, method) in [
            (document(Linear, Some(0.5)), Method::Lbs),
            (document(Rigid, None), Method::Lbs),
            (document(DualQuaternion, None), Method::Dqs),
            (document(Blended, Some(0.5)), Method::WeightedBlend),
            (document(Blended, None), Method::Lbs),
        ] {
            let state = AppState::new(document, Settings::default());
            assert_eq!(state.open.stage.view.sides.a.skinning.method, method);
            assert_eq!(state.settings.method, Method::Lbs, "which the user did not choose");
        }
    }

    #[test]
    fn skins_with_different_methods_use_their_own() {
        let (mut skins, mut instances) = (silent().rig.skins.clone(), silent().rig.instances.clone());
        skins.push(crate::rig::Skin { authored: AuthoredMethod::DualQuaternion, ..skins[0].clone() });
        instances.push(crate::rig::MeshInstance { skin: Some(1), ..instances[0].clone() });
        let rig = Rig::new(RigData { skins, instances, ..RigData::clone(&silent().rig) });
        assert_eq!(Method::authored(&rig), Some(Method::WeightedBlend));
        assert_eq!(Skinning::new(Method::WeightedBlend).check(&rig), Ok(()));
    }

    #[test]
    fn the_next_file_is_shown_by_the_users_own_method() {
        let mut state = AppState::new(blended(), Settings { method: Method::Sclerp, ..Settings::default() });
        assert!(
            state.open.stage.authored == Some(state.open.stage.view.sides.a.skinning.method)
                && state.open.stage.authored != Some(state.open.stage.view.sides.b.skinning.method)
        );
        assert_eq!(show(&mut state, silent(), AfterLoad::Show), Method::Sclerp);
        assert_eq!(show(&mut state, document(AuthoredMethod::DualQuaternion, None), AfterLoad::Show), Method::Dqs);
        state.apply(Command::SetSkinning(Side::B, Method::Cor.into()));
        state.apply(Command::SetMethod(Method::DqsCompensated));
        assert_eq!(show(&mut state, silent(), AfterLoad::Show), Method::DqsCompensated);
    }

    #[test]
    fn a_telling_pose_chooses_no_method_for_the_next_file() {
        let mut state = AppState::new(silent(), Settings::default());
        state.apply(Command::ShowMe(ShowMe::DqsBulge));
        assert_eq!((state.open.stage.view.sides.a.skinning.method, state.settings.method), (Method::Dqs, Method::Lbs));
        assert_eq!(show(&mut state, silent(), AfterLoad::Show), Method::Lbs);
        assert_eq!(show(&mut state, silent(), AfterLoad::ShowMe(ShowMe::DqsBulge)), Method::Dqs);
        state.apply(Command::SetMethod(Method::Cor));
        assert_eq!(show(&mut state, silent(), AfterLoad::Show), Method::Cor, "which the user chose");
    }

    #[test]
    fn read_again_a_file_is_followed_unless_the_user_chose_otherwise() {
        let again = || AfterLoad::Reload { is_asked: false };
        let mut state = AppState::new(silent(), Settings::default());
        assert_eq!(show(&mut state, blended(), again()), Method::WeightedBlend);
        assert_eq!(show(&mut state, document(AuthoredMethod::DualQuaternion, None), again()), Method::Dqs);
        state.apply(Command::SetMethod(Method::Lbs));
        assert_eq!(show(&mut state, blended(), again()), Method::Lbs);
        state.apply(Command::SetMethod(Method::WeightedBlend));
        assert_eq!(show(&mut state, silent(), again()), Method::Lbs);
        assert_eq!(state.open.history.undo_label(), Some("Method of A: Weighted blend"));
        state.apply(Command::Do(Action::Undo));
        assert_eq!(state.open.stage.view.sides.a.skinning.method, Method::Lbs);
        state.apply(Command::Do(Action::Redo));
        assert_eq!(
            state.open.stage.view.sides.a.skinning.method,
            Method::Lbs,
            "what the file serves no longer is not shown again"
        );
    }

    #[test]
    fn a_session_has_the_last_word() {
        let mut state = AppState::new(blended(), Settings::default());
        state.apply(Command::SetMethod(Method::Dqs));
        let session = Box::new(state.open.snapshot().session());
        let mut other = AppState::new(silent(), Settings::default());
        assert_eq!(show(&mut other, blended(), AfterLoad::Restore(session)), Method::Dqs);
        state.apply(Command::SetMethod(Method::WeightedBlend));
        let session = Box::new(state.open.snapshot().session());
        assert_eq!(show(&mut other, blended(), AfterLoad::Restore(session)), Method::WeightedBlend);
    }
}
