use super::other_side;
use crate::rig::{FacePose, LookAtTarget, MorphIndex, Pose, Rig};

/// Finds a morph's counterpart on the other side by name, such as `blinkRight` for `blinkLeft`.
pub fn morph_partner(rig: &Rig, morph: MorphIndex) -> Option<MorphIndex> {
    let (_, other) = other_side(&rig.morphs().get(morph.index())?.name)?;
    rig.morph_named(&other)
}

/// Returns whether any morph has a partner on the other side.
pub fn has_morph_partners(rig: &Rig) -> bool {
    rig.indexed_morphs().any(|(morph, _)| morph_partner(rig, morph).is_some())
}

/// Swaps the weights of paired morphs and expressions, and mirrors the look-at if it is given by angles.
pub fn mirror_morphs(rig: &Rig, pose: &mut Pose) {
    let before = pose.clone();
    for (morph, _) in rig.indexed_morphs() {
        if let Some(partner) = morph_partner(rig, morph) {
            pose.set_morph_weight(partner, before.morph_weight(morph));
        }
    }
    *pose.face_mut() = mirrored_face(rig, before.face());
}

/// Returns the face with the weights of paired expressions swapped, and the look-at mirrored if it is given by angles.
pub fn mirrored_face(rig: &Rig, face: &FacePose) -> FacePose {
    let mut mirrored = face.clone();
    for (expression, of_rig) in rig.indexed_expressions() {
        if let Some(partner) = other_side(&of_rig.name).and_then(|(_, other)| rig.expression_named(&other)) {
            mirrored.set_expression(partner, face.expression(expression));
        }
    }
    if let Some(LookAtTarget::Angles { yaw_deg, pitch_deg }) = face.look_at() {
        mirrored.set_look_at(Some(LookAtTarget::Angles { yaw_deg: -yaw_deg, pitch_deg }));
    }
    mirrored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;
    use crate::rig::{Expression, ExpressionIndex, RigData};

    #[test]
    fn look_at_is_mirrored_with_the_face() {
        let named = |name: &str| Expression { name: name.to_owned(), ..Expression::default() };
        let expressions = ["blinkLeft", "blinkRight", "happy"].map(named).to_vec();
        let rig = Rig::new(RigData { expressions, ..RigData::default() });
        let mut face = FacePose::default();
        face.set_expression(ExpressionIndex(0), 0.5);
        face.set_expression(ExpressionIndex(2), 0.25);
        face.set_look_at(Some(LookAtTarget::Angles { yaw_deg: 10.0, pitch_deg: 5.0 }));
        let mirrored = mirrored_face(&rig, &face);
        assert_eq!([0, 1, 2].map(|at| mirrored.expression(ExpressionIndex(at))), [0.0, 0.5, 0.25]);
        assert_eq!(mirrored.look_at(), Some(LookAtTarget::Angles { yaw_deg: -10.0, pitch_deg: 5.0 }));
        assert_eq!(mirrored_face(&rig, &mirrored), face);
    }

    #[test]
    fn weights_of_left_and_right_are_exchanged_and_others_stay() {
        let rig = faces(&[&["blinkLeft", "smile", "blinkRight", "Brow.L"]]);
        let partners = [0, 1, 2, 3].map(|morph| morph_partner(&rig, MorphIndex(morph)));
        assert_eq!(partners, [Some(MorphIndex(2)), None, Some(MorphIndex(0)), None]);
        let mut pose = Pose::rest(&rig.hierarchy);
        for (morph, weight) in [(0, 0.25), (1, 0.5), (3, 1.0)] {
            pose.set_morph_weight(MorphIndex(morph), weight);
        }
        mirror_morphs(&rig, &mut pose);
        assert_eq!([0, 1, 2, 3].map(|morph| pose.morph_weight(MorphIndex(morph))), [0.0, 0.5, 0.25, 1.0]);
        assert!(has_morph_partners(&rig) && !has_morph_partners(&faces(&[&["blinkLeft", "smile"]])));
    }
}
