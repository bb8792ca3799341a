//! Content of each step of the tour.

use glam::Vec3;

use crate::skinning::Method;
use crate::stage::BuiltIn;
use crate::state::compare::show_me::INSIDE_OF_ELBOW;
use crate::view::{Layout, Overlay};

/// Texts and view of a step of the tour.
#[derive(Debug)]
pub struct TourStep {
    /// Title of a few words.
    pub title: &'static str,
    /// Explains what the step shows, and why.
    pub text: &'static str,
    /// The formula that the step is about.
    pub formula: &'static str,
    /// Character of the step.
    pub character: BuiltIn,
    /// Joint, local axis and degrees of each turn.
    pub turns: &'static [(&'static str, Vec3, f32)],
    /// Name of the selected joint.
    pub joint: &'static str,
    /// Method of side A.
    pub a: Method,
    /// Method of side B.
    pub b: Method,
    /// Layout of the two sides.
    pub layout: Layout,
    /// Overlay on side A.
    pub overlay: Option<Overlay>,
    /// True where bones are drawn.
    pub shows_bones: bool,
    /// Turn of the camera about +Y, radians.
    pub yaw: f32,
    /// Height of the camera above the horizon, radians.
    pub pitch: f32,
    /// True where the camera frames the joint, not the whole character.
    pub is_close: bool,
}

const PLAIN: TourStep = TourStep {
    title: "",
    text: "",
    formula: "",
    character: BuiltIn::Figure,
    turns: &[],
    joint: "",
    a: Method::Lbs,
    b: Method::Dqs,
    layout: Layout::Single,
    overlay: None,
    shows_bones: true,
    yaw: 0.45,
    pitch: 0.18,
    is_close: false,
};

pub const STEPS: &[TourStep] = &[
    TourStep {
        title: "Bones and joints",
        text: "A rig is a tree of joints. Each joint is a frame, with an origin and three axes, that hangs on the joint above it; a \
               bone is the segment from a joint to the next. The tree on the left is the same tree: click a bone, and its row \
               is selected too.",
        formula: "L_j : where joint j stands in the frame of its parent",
        joint: "LeftLowerArm",
        ..PLAIN
    },
    TourStep {
        title: "Forward kinematics",
        text: "Turn the upper arm, and the lower arm, the hand and the fingers go along: every joint inherits the motion of the \
               ones above. Your own rotation of a joint, Ul_j, is kept apart from what the file says. Drag a ring and watch the \
               numbers on the right.",
        formula: "W_j = W_parent · L_j · Ul_j",
        turns: &[("LeftUpperArm", Vec3::Z, 40.0), ("LeftLowerArm", Vec3::X, 35.0)],
        joint: "LeftUpperArm",
        ..PLAIN
    },
    TourStep {
        title: "What a weight is",
        text: "The skin is a mesh, and each of its vertices follows a few joints, each with a weight. Painted here is the weight of \
               the lower arm: all of it on the forearm, none on the upper arm, and in between a band that belongs to both. All \
               trouble of skinning lies in that band.",
        formula: "w_ij ≥ 0,   Σ_j w_ij = 1   for every vertex i",
        turns: &[("LeftLowerArm", Vec3::X, 35.0)],
        joint: "LeftLowerArm",
        overlay: Some(Overlay::Weight),
        shows_bones: false,
        is_close: true,
        ..PLAIN
    },
    TourStep {
        title: "Linear blend skinning",
        text: "T_j carries a point from where it was bound to where joint j would take it. A vertex that follows several joints goes \
               to the mean of the places to which each would take it. That is one mean of matrices: fast, and good enough for \
               small angles.",
        formula: "v′ = ( Σ_j w_j T_j ) v,   T_j = W_j · B_j⁻¹",
        turns: &[("LeftLowerArm", Vec3::X, 45.0)],
        joint: "LeftLowerArm",
        is_close: true,
        ..PLAIN
    },
    TourStep {
        title: "The mean of two rotations is no rotation",
        text: "The far half of this tube is turned by 120° about its axis. In the middle, half a rotation by 0° and half one by 120° \
               make a matrix that also shrinks, because a straight line between two points of a circle runs inside the circle. \
               Painted is its determinant: the share of volume that is left.",
        formula: "det( ½ I + ½ R(θ) ) = cos²(θ/2),   at 120°: 0.25",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::X, 120.0)],
        joint: "Middle",
        overlay: Some(Overlay::Determinant),
        shows_bones: false,
        ..PLAIN
    },
    TourStep {
        title: "Collapse at the elbow",
        text: "The same happens where a limb bends. Here you look into the crook of an elbow that is bent by 130°. From crook to tip the arm is \
               82 mm thick; linear blending, on the left, leaves 36 mm of them, like a folded garden hose. On the right is the same pose by dual \
               quaternions, which leave 82 mm.",
        formula: "radius · cos(θ/2),   at 130°: 42 %",
        turns: &[("LeftLowerArm", Vec3::X, 130.0)],
        joint: "LeftLowerArm",
        layout: Layout::SideBySide,
        shows_bones: false,
        yaw: INSIDE_OF_ELBOW[0],
        pitch: INSIDE_OF_ELBOW[1],
        is_close: true,
        ..PLAIN
    },
    TourStep {
        title: "The candy wrapper",
        text: "Twist by 180°, and the two rotations are opposite: their mean has no size at all, so the ring in the middle collapses \
               to a point, like the paper of a sweet. It is the best known failure of linear blending. Here it is at 175°; turn the \
               red ring a little further.",
        formula: "radius · |cos(θ/2)|,   at 180°: 0",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::X, 175.0)],
        joint: "Middle",
        ..PLAIN
    },
    TourStep {
        title: "Dual quaternions",
        text: "A unit quaternion is a rotation, and a unit dual quaternion q is a rotation with a translation. A mean of them, divided by \
               its length, is again a rigid motion: nothing can shrink. The line separates linear blending from dual quaternion \
               skinning at 170° of twist.",
        formula: "q = Σ_j w_j s_j q_j / ‖ Σ_j w_j s_j q_j ‖,   s_j = ±1 so that all point one way",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::X, 170.0)],
        joint: "Middle",
        layout: Layout::Wipe,
        shows_bones: false,
        ..PLAIN
    },
    TourStep {
        title: "Its own price: the bulge",
        text: "A rigid mean keeps every vertex at its distance from the joint, also where skin should fold: the outside of a bend \
               swells. Painted on A is how far apart the two methods are. Neither is right; they fail at different places.",
        formula: "turn of the ring: 2 · atan2( w sin(θ/2), (1−w) + w cos(θ/2) ),   radius 1",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::Z, 110.0)],
        joint: "Middle",
        layout: Layout::SideBySide,
        overlay: Some(Overlay::Distance),
        shows_bones: false,
        ..PLAIN
    },
    TourStep {
        title: "What engines use",
        text: "Game engines blend linearly, mostly with the four heaviest influences of a vertex, and rigs hide the collapse with \
               helper joints and corrective shapes. Maya offers dual quaternions and a blend of both; in Blender they are called \
               Preserve Volume. Open your own file and compare: press C for the layouts, M for the method, hold B to blink.",
        formula: "w′_j = w_j / ( w_1 + w_2 + w_3 + w_4 )   of the four heaviest",
        turns: &[
            ("LeftUpperArm", Vec3::Z, 30.0),
            ("LeftLowerArm", Vec3::X, 110.0),
            ("RightLowerArm", Vec3::X, 70.0),
            ("LeftUpperLeg", Vec3::X, -50.0),
            ("LeftLowerLeg", Vec3::X, 80.0),
        ],
        joint: "",
        layout: Layout::SideBySide,
        shows_bones: false,
        ..PLAIN
    },
];
