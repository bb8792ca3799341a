//! Demonstration poses of the built-in characters.

use glam::{Quat, Vec3};

use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};
use crate::skinning::Method;
use crate::stage::{BuiltIn, Source, Stage};
use crate::state::{Notice, OpenDocument};
use crate::view::{Layout, PerSide};

/// Camera yaw and pitch, radians, for looking into the crook of the figure's left elbow when it is bent by 130°.
pub(in crate::state) const INSIDE_OF_ELBOW: [f32; 2] = [-0.09, 1.05];

/// Camera distance as a fraction of the distance that shows the whole bone.
const CLOSE: f32 = 0.45;

/// A pose that demonstrates a skinning artifact at a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowMe {
    /// A tube twisted by 170° with LBS.
    CandyWrapper,
    /// A strongly bent elbow with LBS.
    ElbowCollapse,
    /// A strongly bent tube with DQS.
    DqsBulge,
}

impl ShowMe {
    pub const ALL: [Self; 3] = [Self::CandyWrapper, Self::ElbowCollapse, Self::DqsBulge];

    pub fn label(self) -> &'static str {
        match self {
            Self::CandyWrapper => "Candy wrapper",
            Self::ElbowCollapse => "Elbow collapse",
            Self::DqsBulge => "DQS bulge",
        }
    }

    pub fn explanation(self) -> &'static str {
        match self {
            Self::CandyWrapper => {
                "Candy wrapper: the tube is twisted by 170°. The mean of the two rotation matrices keeps the axis and shrinks everything \
                 across it, so LBS leaves cos 85° = 9 % of the radius in the middle. Press M: DQS keeps all of it."
            }
            Self::ElbowCollapse => {
                "Elbow collapse: the left elbow is bent by 130° and seen from inside the bend. From crook to tip the arm is 82 mm thick. \
                 LBS, on the left, leaves 36 mm of that, because the mean of two rotation matrices shrinks what lies across their axis; \
                 DQS, on the right, keeps 82 mm."
            }
            Self::DqsBulge => {
                "DQS bulge: the tube is bent by 120°. DQS keeps skin at its distance from the joint and moves it on arcs, so the outside \
                 of the bend lifts off the bone. Press M: LBS doesn't bulge, but collapses."
            }
        }
    }

    pub fn character(self) -> BuiltIn {
        match self {
            Self::CandyWrapper | Self::DqsBulge => BuiltIn::Tube,
            Self::ElbowCollapse => BuiltIn::Figure,
        }
    }

    pub(in crate::state) fn opens_character(self, stage: &Stage) -> bool {
        stage.document.source != Source::BuiltIn(self.character())
    }

    pub fn method(self) -> Method {
        match self {
            Self::CandyWrapper | Self::ElbowCollapse => Method::Lbs,
            Self::DqsBulge => Method::Dqs,
        }
    }

    /// Returns yaw and pitch in radians for viewing the artifact, as in [`crate::view::Camera`]; `None` keeps the
    /// camera.
    pub(in crate::state) fn inside(self) -> Option<[f32; 2]> {
        (self == Self::ElbowCollapse).then_some(INSIDE_OF_ELBOW)
    }

    /// Returns the rotated joint, its local axis, and the angle in degrees.
    fn turn(self) -> (&'static str, Vec3, f32) {
        match self {
            Self::CandyWrapper => ("Middle", Vec3::X, 170.0),
            Self::ElbowCollapse => ("LeftLowerArm", Vec3::X, 130.0),
            Self::DqsBulge => ("Middle", Vec3::Z, 120.0),
        }
    }

    pub fn joint(self, hierarchy: &Hierarchy) -> Option<NodeIndex> {
        let name = self.turn().0;
        hierarchy.node_named(name)
    }

    pub fn pose(self, hierarchy: &Hierarchy) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        let (_, axis, degrees) = self.turn();
        if let Some(joint) = self.joint(hierarchy) {
            let rotation = Quat::from_axis_angle(axis, degrees.to_radians());
            pose.set_user_local(joint, Trs::from_rotation(rotation));
        }
        pose
    }
}

impl OpenDocument {
    /// Shows the demonstration's pose as one undo step. The demonstration's character must be open. Returns a notice
    /// about the artifact.
    pub(in crate::state) fn show_demo(&mut self, show_me: ShowMe) -> Notice {
        let rig = self.stage.document.rig.clone();
        self.history.cancel_edit(&mut self.stage);
        self.stage.set_clip(None);
        self.demo_method = Some(show_me.method());
        self.history.as_step_called(&mut self.stage, show_me.label(), |stage| {
            stage.edit_pose(|pose| *pose = show_me.pose(&rig.hierarchy));
            let PerSide { a, b } = &mut stage.view.sides;
            a.skinning.method = show_me.method();
            if show_me.inside().is_some() {
                b.skinning = show_me.method().next().into();
            } else {
                stage.view.ensure_different_methods();
            }
        });
        self.saved.pose = self.stage.pose().clone();
        self.stage.view.select(show_me.joint(&rig.hierarchy), &rig.hierarchy);
        if let Some([yaw, pitch]) = show_me.inside() {
            self.stage.set_layout(Layout::SideBySide);
            self.stage.refresh();
            self.stage.view.camera.look_from(yaw, pitch);
            self.stage.frame_selected();
            self.stage.view.camera.distance *= CLOSE;
            // Gizmos would hide the artifact.
            self.stage.view.select(None, &self.stage.document.rig.hierarchy);
        } else {
            self.stage.refresh();
            self.stage.frame_all();
        }
        Notice::info(show_me.explanation())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::rig::{Posed, evaluate};
    use crate::skinning::{Skinner, Skinning};
    use crate::stage::{Document, Source};
    use crate::state::{Action, AppState, Command, Settings};
    use crate::view::Side;

    fn state() -> AppState {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::ShowMe(ShowMe::ElbowCollapse));
        state.open.stage.refresh();
        state
    }

    fn mean(points: impl Iterator<Item = Vec3>) -> Vec3 {
        let (sum, count) = points.fold((Vec3::ZERO, 0.0), |(sum, count), p| (sum + p, count + 1.0));
        sum / count
    }

    #[test]
    fn elbow_thickness_matches_the_explanation_from_inside_the_bend() {
        let state = state();
        let rig = state.open.stage.rig();
        let positions = |method: Method, posed: &Posed| -> Vec<Vec3> {
            let skinner = Skinner::new(rig, &Skinning::new(method)).unwrap();
            skinner.deform(posed).concat().into_iter().flat_map(|d| d.positions).collect()
        };
        let at_rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let [rest, lbs, dqs] = [
            positions(Method::Lbs, &at_rest),
            positions(Method::Lbs, state.open.stage.posed()),
            positions(Method::Dqs, state.open.stage.posed()),
        ];
        let at = |name: &str| {
            let node = rig.hierarchy.node_named(name).unwrap();
            at_rest.world_from_node[node.index()].translation
        };
        // Finds the vertex where the methods differ most, and the ring of vertices around the arm there.
        let apart = |v: &usize| lbs[*v].distance(dqs[*v]);
        let tip = (0..rest.len()).max_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        let along = (at("LeftLowerArm") - at("LeftUpperArm")).normalize_or_zero();
        let is_near = |v: &usize| (rest[*v] - rest[tip]).dot(along).abs() < 3e-3 && rest[*v].distance(rest[tip]) < 0.15;
        let ring: Vec<usize> = (0..rest.len()).filter(is_near).collect();
        let outward =
            (rest[tip] - mean(ring.iter().map(|&v| rest[v]))).reject_from_normalized(along).normalize_or_zero();
        let out = |v: usize| rest[v].dot(outward);
        let [outer, inner] =
            [1.0, -1.0].map(|side| ring.iter().map(|&v| side * out(v)).fold(f32::NEG_INFINITY, f32::max));
        let ends = |positions: &[Vec3]| {
            let of =
                |is_end: &dyn Fn(f32) -> bool| mean(ring.iter().filter(|&&v| is_end(out(v))).map(|&v| positions[v]));
            [of(&|out| out < 4e-3 - inner), of(&|out| out > outer - 4e-3)]
        };
        let thickness = |positions: &[Vec3]| {
            let [crook, tip] = ends(positions);
            crook.distance(tip) * 1e3
        };
        let told = [thickness(&rest), thickness(&lbs), thickness(&dqs)];
        assert!(told[0] - 82.0 < 1.5 && (told[1] - 36.0).abs() < 1.5 && (told[2] - 82.0).abs() < 1.5, "{told:?} mm");
        for number in ["82 mm", "36 mm"] {
            assert!(ShowMe::ElbowCollapse.explanation().contains(number));
        }
        let [crook, tip] = ends(&dqs);
        let camera = state.open.stage.view.camera;
        assert!((camera.eye() - camera.target).normalize_or_zero().dot((crook - tip).normalize_or_zero()) > 0.5);
        assert_eq!(state.open.stage.view.compare.layout, Layout::SideBySide);
        assert_eq!(Side::ALL.map(|side| state.open.stage.view.sides[side].skinning.method), [Method::Lbs, Method::Dqs]);
    }
    #[test]
    fn undo_gives_the_sides_back_and_redo_chooses_no_method() {
        for show_me in ShowMe::ALL {
            let source = Source::BuiltIn(show_me.character());
            let document = Document::open(&source, &Job::default()).unwrap();
            let mut state = AppState::new(document, Settings { method: Method::Sclerp, ..Settings::default() });
            state.apply(Command::SetLayout(Layout::Wipe));
            state.apply(Command::SetSkinning(Side::B, show_me.method().into()));
            let (before, steps) = (state.open.stage.view.sides.clone(), state.open.history.done());
            state.apply(Command::ShowMe(show_me));
            let shown = state.open.stage.view.sides.clone();
            assert_eq!(state.open.history.done(), steps + 1, "one step");
            state.apply(Command::Do(Action::Undo));
            assert!(state.open.stage.view.sides == before && !state.open.stage.pose().is_any_posed(), "{show_me:?}");
            state.apply(Command::Do(Action::Redo));
            assert_eq!((&state.open.stage.view.sides, state.settings.method), (&shown, Method::Sclerp), "{show_me:?}");
        }
    }
}
