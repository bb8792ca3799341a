use glam::Affine3;

use crate::rig::{Constraint, NodeIndex, Rig, SpringJoint, Trs, polar};
use crate::state::AppState;
use crate::view::significant;

/// One matrix of a joint's equations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub symbol: &'static str,
    /// Spaces that the matrix maps between, written `a from b`: it maps points from b to a.
    pub space: &'static str,
    pub meaning: &'static str,
    pub matrix: Affine3,
    /// Translation, rotation and scale of the matrix, without shear.
    pub trs: Trs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SkinJoint {
    pub skin: usize,
    pub joint: usize,
}

pub(super) fn skins_with_joint(rig: &Rig, node: NodeIndex) -> impl Iterator<Item = (usize, usize)> {
    let place = move |(s, skin): (usize, &crate::rig::Skin)| Some((s, skin.joints.iter().position(|&j| j == node)?));
    rig.skins.iter().enumerate().filter_map(place)
}

/// Returns the terms from `L_j` to `T_j` in file coordinates. Includes clip and skin terms if a clip is chosen or the
/// joint has a skin.
pub(super) fn terms(state: &AppState, node: NodeIndex, place: Option<SkinJoint>) -> Vec<Term> {
    let (rig, posed) = (state.open.stage.rig(), state.open.stage.posed());
    let new = |symbol, space, meaning, matrix: Affine3| {
        let trs = Trs::from_affine(&matrix);
        Term { symbol, space, meaning, matrix, trs }
    };
    let user = *state.open.stage.pose().user_local(node);
    let world = posed.world_from_node[node.index()];
    let mut terms = vec![new(
        "L_j",
        "parent from joint",
        "The rest transform, as the file stores it.",
        *rig.hierarchy.rest_local(node),
    )];
    if state.open.stage.playback.sample().is_some() {
        let matrix = posed.before_behaviours(node);
        terms.push(new(
            "A_j",
            "parent from joint",
            "Local transform from the clip at this time. Replaces L_j.",
            matrix,
        ));
    }
    let by = if active_spring(state, node).is_some() {
        Some("Local transform after the joint's spring, which sets the rotation. Replaces L_j and A_j.")
    } else if posed.pinned.iter().any(|joint| joint.node == node) {
        Some("Local transform after the pins, which move the joint. Replaces L_j and A_j.")
    } else if active_constraint(state, node).is_some() {
        Some("Local transform after the joint's constraint, which sets the rotation. Replaces L_j and A_j.")
    } else {
        state
            .open
            .stage
            .posed()
            .is_rotated_by_look_at(state.open.stage.rig(), node)
            .then_some("Local transform after the gaze, which sets the rotation. Replaces L_j and A_j.")
    };
    if let Some(meaning) = by {
        terms.push(new("C_j", "parent from joint", meaning, posed.clip_local[node.index()]));
    }
    let meaning = "Your edit, on top of the rest pose or the clip. Identity until you edit the joint.";
    terms.push(Term { trs: user, ..new("Ul_j", "joint from posed joint", meaning, user.to_affine()) });
    let in_file = |matrix| rig.hierarchy.matrix_in_file(matrix);
    let meaning = if by.is_some() {
        "Current world transform: W_parent * C_j * Ul_j."
    } else {
        "Current world transform: W_parent * L_j * Ul_j."
    };
    terms.push(new("W_j", "world from joint", meaning, in_file(world)));
    if let Some(inverse_bind) = place.map(|p| rig.skins[p.skin].inverse_bind[p.joint]) {
        let bind = inverse_bind.as_daffine3().inverse().as_affine3();
        let meaning = "World transform when the mesh was bound: inverse of the file's inverse bind matrix.";
        terms.push(new("B_j", "world from joint", meaning, bind));
        let meaning = "Skinning matrix, which moves the vertices: W_j * IB_j, where IB_j = inverse(B_j).";
        terms.push(new("T_j", "world from skin", meaning, in_file(world * inverse_bind)));
    }
    terms
}

pub(super) fn active_constraint(state: &AppState, node: NodeIndex) -> Option<&Constraint> {
    state.open.stage.rig().behaviours().active_constraint(node, state.open.stage.document.switched_off)
}

pub(super) fn active_spring(state: &AppState, node: NodeIndex) -> Option<&SpringJoint> {
    state.open.stage.rig().behaviours().active_spring(node, state.open.stage.document.switched_off)
}

/// Returns text such as `by its spring: stiffness 0.5, gravity 0.2, drag 0.4, hit radius 0.02`.
pub(super) fn spring_text(spring: &SpringJoint) -> String {
    let SpringJoint { stiffness, gravity, drag, hit_radius, .. } = spring;
    let [stiffness, gravity, drag, hit_radius] = [*stiffness, gravity.length(), *drag, *hit_radius].map(significant);
    format!("by its spring: stiffness {stiffness}, gravity {gravity}, drag {drag}, hit radius {hit_radius}")
}

/// Returns text such as `by its constraint: roll 0.5 of LeftHand`.
pub(super) fn constraint_text(rig: &Rig, constraint: &Constraint) -> String {
    let Constraint { source, kind, weight, .. } = constraint;
    format!("by its constraint: {} {} of {}", kind.name(), significant(*weight), rig.hierarchy.name(*source))
}

/// Difference between a joint's rest pose and bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Residual {
    /// Distance between the two origins, metres.
    pub distance: f32,
    /// Angle of the rotation between the two poses, radians.
    pub angle: f32,
    /// Largest scale or shear factor, minus 1.
    pub stretch: f32,
}

/// Returns how far `T_j` in the rest pose differs from the identity; `None` if `IB_j` has no inverse.
pub(super) fn residual(rig: &Rig, node: NodeIndex, place: SkinJoint) -> Option<Residual> {
    let local = |n| *rig.hierarchy.rest_local(n);
    let rest = rig.hierarchy.ancestors(node).fold(local(node), |below, parent| local(parent) * below);
    let inverse_bind = rig.skins[place.skin].inverse_bind[place.joint];
    let bind = inverse_bind.as_daffine3().inverse();
    let (rotation, stretch) = polar((rest * inverse_bind).matrix3);
    let off = stretch - glam::Mat3::IDENTITY;
    bind.is_finite().then(|| Residual {
        distance: rest.translation.distance(bind.translation.as_vec3()),
        angle: 2.0 * rotation.xyz().length().min(1.0).asin(),
        stretch: off.to_cols_array().into_iter().fold(0.0, |m: f32, x| m.max(x.abs())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{RigData, Skin};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Command, Settings};
    use glam::{Quat, Vec3};

    /// Returns a chain of three joints whose bind pose is the rest pose, with the index of the middle joint.
    fn row() -> (AppState, NodeIndex) {
        let rest = Trs { translation: Vec3::Y, rotation: Quat::from_rotation_z(0.3), ..Trs::IDENTITY };
        let hierarchy = chain(3, rest);
        let inverse_bind =
            (1..=3).map(|n| (0..n).fold(Affine3::IDENTITY, |w, _| w * rest.to_affine()).inverse()).collect();
        let skins = vec![Skin { joints: hierarchy.nodes().collect(), inverse_bind, ..Skin::default() }];
        let rig = Rig::new(RigData { hierarchy, skins, ..RigData::default() });
        let document = Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new());
        (AppState::new(document, Settings::default()), NodeIndex(1))
    }

    #[test]
    fn the_terms_obey_the_equations() {
        let (mut state, node) = row();
        let user_local =
            Trs { translation: Vec3::X * 0.1, rotation: Quat::from_rotation_x(1.0), scale: Vec3::splat(1.5) };
        state.apply(Command::Edit { node, user_local });
        state.open.stage.refresh();
        let (skin, joint) = skins_with_joint(state.open.stage.rig(), node).next().unwrap();
        let terms = terms(&state, node, Some(SkinJoint { skin, joint }));
        assert_eq!(terms.iter().map(|t| t.symbol).collect::<Vec<_>>(), ["L_j", "Ul_j", "W_j", "B_j", "T_j"]);
        let [l, ul, w, b, t] = [0, 1, 2, 3, 4].map(|i| terms[i].matrix);
        let parent =
            state.open.stage.posed().world_from_node[state.open.stage.rig().hierarchy.parent(node).unwrap().index()];
        assert!((parent * l * ul).abs_diff_eq(w, 1e-5));
        assert!((t * b).abs_diff_eq(w, 1e-5));
        for term in &terms {
            assert!(term.trs.to_affine().abs_diff_eq(term.matrix, 1e-5), "{}", term.symbol);
        }
    }

    #[test]
    fn bind_pose_at_rest_has_no_residual_and_a_moved_bind_is_reported() {
        let (state, node) = row();
        let (skin, joint) = skins_with_joint(state.open.stage.rig(), node).next().unwrap();
        let place = SkinJoint { skin, joint };
        let none = residual(state.open.stage.rig(), node, place).unwrap();
        assert!(none.distance < 1e-6 && none.angle < 1e-3 && none.stretch < 1e-5, "{none:?}");
        let mut parts = crate::rig::RigData::clone(state.open.stage.rig());
        let moved = Affine3::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::X * 0.25);
        parts.skins[skin].inverse_bind[joint] = (parts.skins[skin].inverse_bind[joint].inverse() * moved).inverse();
        let told = residual(&Rig::new(parts.clone()), node, place).unwrap();
        assert!((told.distance - 0.25).abs() < 1e-5 && (told.angle - 0.5).abs() < 1e-4, "{told:?}");
        parts.skins[skin].inverse_bind[joint] = Affine3::ZERO;
        assert_eq!(residual(&Rig::new(parts), node, place), None);
    }
}
