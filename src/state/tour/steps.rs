use glam::Vec3;

use crate::skinning::Method;
use crate::stage::BuiltIn;
use crate::state::compare::show_me::INSIDE_OF_ELBOW;
use crate::view::{Layout, Overlay};

#[derive(Debug)]
pub struct TourStep {
    pub title: &'static str,
    /// What the step shows, and why.
    pub text: &'static str,
    pub formula: &'static str,
    pub character: BuiltIn,
    /// Joint rotations as joint name, local axis and degrees.
    pub turns: &'static [(&'static str, Vec3, f32)],
    /// Name of the selected joint.
    pub joint: &'static str,
    pub a: Method,
    pub b: Method,
    pub layout: Layout,
    /// Overlay on side A.
    pub overlay: Option<Overlay>,
    pub shows_bones: bool,
    /// Camera yaw about +Y, radians.
    pub yaw: f32,
    /// Camera pitch above the horizon, radians.
    pub pitch: f32,
    /// True to frame the joint instead of the whole character.
    pub is_close: bool,
    /// A wrong result on side B whose mistake is to be guessed.
    pub quiz: Option<TourQuiz>,
}

/// A wrong result to guess.
#[derive(Debug)]
pub struct TourQuiz {
    /// Identifier of the mistake that side B shows.
    pub mistake: &'static str,
    pub answers: [TourAnswer; 3],
}

#[derive(Debug)]
pub struct TourAnswer {
    pub text: &'static str,
    pub is_right: bool,
    /// Why the answer is right or wrong.
    pub why: &'static str,
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
    quiz: None,
};

pub const STEPS: &[TourStep] = &[
    TourStep {
        title: "Bones and joints",
        text: "A rig is a tree of joints. Each joint is a coordinate frame, an origin and three axes, placed relative to its parent. A \
               bone is the segment from a joint to its child. The Tree tab lists the same joints: click a bone, and its row \
               is selected too.",
        formula: "L_j : joint j relative to its parent",
        joint: "LeftLowerArm",
        ..PLAIN
    },
    TourStep {
        title: "Forward kinematics",
        text: "Rotate the upper arm, and the lower arm, hand and fingers follow: every joint inherits the motion of its parent. \
               Your own rotation of a joint, Ul_j, is stored separately and leaves the file alone. Drag a ring and watch the \
               numbers in the Joint tab.",
        formula: "W_j = W_parent · L_j · Ul_j",
        turns: &[("LeftUpperArm", Vec3::Z, 40.0), ("LeftLowerArm", Vec3::X, 35.0)],
        joint: "LeftUpperArm",
        ..PLAIN
    },
    TourStep {
        title: "What a weight is",
        text: "The skin is a mesh, and each vertex follows a few joints, each with a weight. The colours show the weight of the \
               lower arm: 1 on the forearm, 0 on the upper arm, and a band in between that follows both. Nearly every skinning \
               problem is in such a band.",
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
        text: "The matrix T_j moves a point from its bound position to where joint j alone would put it. A vertex that follows several \
               joints goes to the weighted mean of these positions. That is one mean of matrices: fast, and good enough for \
               small angles. IB_j is the inverse of the joint's matrix at bind time.",
        formula: "v′ = ( Σ_j w_j T_j ) v,   T_j = W_j · IB_j",
        turns: &[("LeftLowerArm", Vec3::X, 45.0)],
        joint: "LeftLowerArm",
        is_close: true,
        ..PLAIN
    },
    TourStep {
        title: "The mean of two rotations is not a rotation",
        text: "The far half of this tube is twisted by 120° about its axis. In the middle, the mean of a rotation by 0° and one by 120° \
               also shrinks, because the straight line between two points of a circle runs inside the circle. \
               The colours show the determinant: the fraction of the volume that is left.",
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
        text: "The same happens where a limb bends. You are looking into the crook of an elbow bent by 130°. From crook to tip the arm is \
               82 mm thick. Linear blending, on the left, leaves 36 mm of that (44 %), like a kink in a garden hose; the formula gives 42 % for \
               equal weights and skin exactly across the axis. Dual quaternions, on the right, keep all 82 mm.",
        formula: "| v′ − c | = | v − c | · cos(θ/2),   at 130°: 42 %",
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
        text: "Twist by 180°, and the mean of the two rotations keeps only the axis: everything across it is flattened, so the ring in \
               the middle collapses to a point, like a twisted candy wrapper. It is the best-known failure of linear blending. The tube is \
               at 175°; turn the red ring a little further.",
        formula: "½ I + ½ Rx(180°) = diag(1, 0, 0),   radius · |cos(θ/2)|",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::X, 175.0)],
        joint: "Middle",
        ..PLAIN
    },
    TourStep {
        title: "Dual quaternions",
        text: "A unit quaternion is a rotation; a unit dual quaternion is a rotation and a translation. The sum of several, divided by \
               the length of its rotation part b₀, is again a rigid motion, so nothing can shrink. The line separates linear blending from \
               dual quaternion skinning at 170° of twist.",
        formula: "b = Σ_j w_j s_j q_j,   q = b / |b₀|,   s_j = ±1 so that no two quaternions cancel",
        character: BuiltIn::Tube,
        turns: &[("Middle", Vec3::X, 170.0)],
        joint: "Middle",
        layout: Layout::Wipe,
        shows_bones: false,
        ..PLAIN
    },
    TourStep {
        title: "Its own price: the bulge",
        text: "Both bones share the joint c, so every blend of them leaves c in place, and a rigid blend keeps each vertex at its distance \
               from c. Skin moves on an arc about the joint, and the outside of a bend lifts off the bone. The colours on A show the distance \
               between the methods. Neither is right; they fail in different places.",
        formula: "| v′ − c | = | v − c |",
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
        text: "Most game engines blend linearly, usually with the four heaviest influences of a vertex, and riggers hide the collapse with \
               helper joints and corrective shapes. Maya offers dual quaternions and a blend of both; Blender calls dual quaternions \
               Preserve Volume. Open your own file and compare: C changes the layout, M the method, and holding B shows side B.",
        formula: "w′_j = w_j / ( w_1 + w_2 + w_3 + w_4 )   for the four heaviest",
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
    TourStep {
        title: "Debug your own skinning, 1 of 3",
        text: "Now it is your turn. On the right are the points of somebody's engine, in the pose of the left side, with one mistake: \
               the mesh explodes. The feet are nearly in place, but the higher a joint is, the farther away are its vertices. What \
               is wrong?",
        turns: &[("LeftUpperArm", Vec3::Z, 30.0), ("LeftLowerArm", Vec3::X, 40.0), ("RightUpperLeg", Vec3::X, -30.0)],
        layout: Layout::SideBySide,
        shows_bones: false,
        quiz: Some(TourQuiz {
            mistake: "ibm-missing",
            answers: [
                TourAnswer {
                    text: "Weights that don't sum to 1",
                    is_right: false,
                    why: "No. A sum of weights above 1 moves vertices away from the origin too, but only where the sum is wrong. Here \
                          even vertices that follow one joint, with a weight of 1, are wrong.",
                },
                TourAnswer {
                    text: "No inverse bind matrices",
                    is_right: true,
                    why: "Right. v is where the vertex was bound, and W_j alone adds the joint's place once more. IB_j takes it to the \
                          joint's own coordinates first: T_j = W_j · IB_j, one for each entry of skin.joints.",
                },
                TourAnswer {
                    text: "Matrices by rows read by columns",
                    is_right: false,
                    why: "No. A transposed matrix loses its translation to the last row. Joints that don't move have T_j = I, which \
                          is its own transpose: the legs would be right.",
                },
            ],
        }),
        ..PLAIN
    },
    TourStep {
        title: "Debug your own skinning, 2 of 3",
        text: "Another engine. Head and spine, which nothing rotates, are right. But each joint that the file or the pose rotates \
               turns the wrong way: arms, feet and the bent knee. What is wrong?",
        turns: &[
            ("LeftUpperArm", Vec3::Z, 40.0),
            ("LeftLowerArm", Vec3::X, 70.0),
            ("RightUpperLeg", Vec3::X, -40.0),
            ("RightLowerLeg", Vec3::X, 70.0),
        ],
        layout: Layout::SideBySide,
        shows_bones: false,
        quiz: Some(TourQuiz {
            mistake: "quat-conjugate",
            answers: [
                TourAnswer {
                    text: "Quaternions read as w, x, y, z",
                    is_right: false,
                    why: "No. Read with w first, the quaternion of no rotation, (0, 0, 0, 1), is half a turn about Z. Joints that are \
                          not rotated would be wrong too, and the mesh would fold up.",
                },
                TourAnswer {
                    text: "A left-handed space",
                    is_right: false,
                    why: "No. A mirrored space mirrors the whole figure, face and all, so that its left hand is on the other \
                          side. Here head and spine are right.",
                },
                TourAnswer {
                    text: "Inverted rotations",
                    is_right: true,
                    why: "Right. The conjugate (-x, -y, -z, w), or a transposed 3x3 matrix, turns by the same angle the other way. No \
                          rotation is its own inverse, so head and spine are right.",
                },
            ],
        }),
        ..PLAIN
    },
    TourStep {
        title: "Debug your own skinning, 3 of 3",
        text: "The last one. Every limb is where it should be, but the bent elbow has a hard crease: the skin of the upper arm ends, \
               and that of the lower arm begins. What is wrong? Diagnose in the Compare tab gives the answer too, for the points \
               of your own engine as well.",
        turns: &[("LeftLowerArm", Vec3::X, 75.0)],
        joint: "LeftLowerArm",
        layout: Layout::SideBySide,
        shows_bones: false,
        is_close: true,
        quiz: Some(TourQuiz {
            mistake: "one-influence",
            answers: [
                TourAnswer {
                    text: "One influence per vertex",
                    is_right: true,
                    why: "Right. Each vertex follows its heaviest joint alone, so nothing is blended across the elbow. Sum over all \
                          influences: v′ = Σ_j w_j T_j v, with as many as the file has.",
                },
                TourAnswer {
                    text: "DQS in place of LBS",
                    is_right: false,
                    why: "No. Dual quaternions blend as smoothly as matrices. They keep the elbow thicker, without a crease.",
                },
                TourAnswer {
                    text: "Children before their parents",
                    is_right: false,
                    why: "No. A joint that is updated before its parent has the parent's matrix of the frame before: whole limbs would \
                          lag behind, and their skin would still be smooth.",
                },
            ],
        }),
        ..PLAIN
    },
];
