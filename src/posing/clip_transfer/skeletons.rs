//! Two skeletons whose joints have the same names, held against each other.

use glam::{Affine3, DMat3, DQuat, DVec3, Quat};

use crate::rig::{NodeIndex, Posed, Rig, bind_matrices, polar_f64, singular_values};

/// Joint axes nearer than this, radians, are the same.
const SAME_AXES: f64 = 0.09;
/// Bones whose directions are nearer than this, radians, stand in one pose.
const SAME_POSE: f64 = 0.18;
/// Skeletons whose sizes differ by less than this share are one.
const SAME_SIZE: f32 = 0.02;
/// Directions of which the second singular value is a smaller share of the first are all parallel.
const PARALLEL: f32 = 0.02;

/// How one skeleton differs from another one of the same joints.
pub(super) struct Difference {
    /// Of each node of the first: from the axes of its partner to its own, where both are joints.
    pub axes: Vec<Option<Quat>>,
    /// Size of the second in sizes of the first.
    pub size: f32,
}

/// Where the joints of a rig stand at one time.
type Stand = Vec<Option<Affine3>>;

impl Difference {
    /// Of two rigs at rest; `partners` of the nodes of the first.
    ///
    /// Axes are compared where both skeletons stand in one pose: as they were bound to their meshes, or at rest, whichever fits best.
    pub fn between([from, onto]: [&Rig; 2], rest: [&Posed; 2], partners: &[Option<NodeIndex>]) -> Self {
        let counts = |node: NodeIndex| onto.skins.is_empty() || onto.is_joint(node);
        let joint = |node: NodeIndex| partners[node.index()].filter(|&partner| counts(partner));
        let joints: Vec<NodeIndex> = from.hierarchy.nodes().filter(|&node| joint(node).is_some()).collect();
        let bones: Vec<[[NodeIndex; 2]; 2]> = joints
            .iter()
            .filter_map(|&tail| {
                let head = from.hierarchy.ancestors(tail).find(|&head| joint(head).is_some())?;
                Some([[head, tail], [joint(head)?, joint(tail)?]])
            })
            .collect();
        let at_rest = |posed: &Posed| posed.world_from_node.iter().copied().map(Some).collect::<Stand>();
        let stands = [from, onto].map(bind_matrices).into_iter().zip(rest.map(at_rest));
        let stands: Vec<[Stand; 2]> = stands.map(|(bind, rest)| [bind, rest]).collect();
        let mut axes = vec![None; partners.len()];
        for &node in &joints {
            axes[node.index()] = Some(Quat::IDENTITY);
        }
        if let [theirs, ours] = &stands[..] {
            let choices = theirs.iter().flat_map(|theirs| ours.iter().map(move |ours| [theirs, ours]));
            let fits = choices.filter_map(|stands| Some((stands, Fit::of(stands, &bones)?)));
            let best = fits.min_by(|(_, a), (_, b)| a.bend.total_cmp(&b.bend));
            if let Some((stands, fit)) = best.filter(|(_, fit)| fit.bend < SAME_POSE) {
                turn_axes(&mut axes, stands, fit.turn, partners);
            }
        }
        Self { axes, size: size(rest, &bones) }
    }
}

/// Takes the axes as they are in two stands of one pose, unless they are the same.
fn turn_axes(axes: &mut [Option<Quat>], stands: [&Stand; 2], turn: DQuat, partners: &[Option<NodeIndex>]) {
    let turned = |node: usize| {
        let (theirs, ours) = (stands[0][node]?, stands[1][partners[node]?.index()]?);
        Some(rotation(&theirs).inverse() * turn.inverse() * rotation(&ours))
    };
    let turns: Vec<(usize, DQuat)> =
        (0..axes.len()).filter(|&node| axes[node].is_some()).filter_map(|node| Some((node, turned(node)?))).collect();
    if median(turns.iter().map(|(_, turn)| turn.angle_between(DQuat::IDENTITY))) > SAME_AXES {
        turns.into_iter().for_each(|(node, turn)| axes[node] = Some(turn.as_quat()));
    }
}

/// How two skeletons are laid over each other.
struct Fit {
    /// Of the first, so that its bones point as those of the second.
    turn: DQuat,
    /// Angle that is left between two bones, radians, the median.
    bend: f64,
}

impl Fit {
    /// `None` where either stand lacks half of the bones.
    fn of(stands: [&Stand; 2], bones: &[[[NodeIndex; 2]; 2]]) -> Option<Self> {
        let place = |side: usize, node: NodeIndex| Some(stands[side][node.index()]?.translation.as_dvec3());
        let direction =
            |side: usize, [head, tail]: [NodeIndex; 2]| (place(side, tail)? - place(side, head)?).try_normalize();
        let found: Vec<[DVec3; 2]> =
            bones.iter().filter_map(|bone| Some([direction(0, bone[0])?, direction(1, bone[1])?])).collect();
        if found.is_empty() || 2 * found.len() < bones.len() {
            return None;
        }
        // Crossed, they tell sides apart where all bones lie in a plane.
        let crossed = found.windows(2).map(|pair| [0, 1].map(|side| pair[0][side].cross(pair[1][side])));
        let outer = |[theirs, ours]: [DVec3; 2]| DMat3::from_cols(ours * theirs.x, ours * theirs.y, ours * theirs.z);
        let products = found.iter().copied().chain(crossed).fold(DMat3::ZERO, |sum, pair| sum + outer(pair));
        let spread = singular_values(products.as_mat3());
        let turn = if spread.y > PARALLEL * spread.x { polar_f64(products).0 } else { DQuat::IDENTITY };
        Some(Self { turn, bend: median(found.iter().map(|&[theirs, ours]| (turn * theirs).angle_between(ours))) })
    }
}

/// Size of the second skeleton in sizes of the first, by the lengths of their bones at rest; 1 where they are nearly of one size.
fn size(rest: [&Posed; 2], bones: &[[[NodeIndex; 2]; 2]]) -> f32 {
    let length = |side: usize| -> f32 {
        let place = |node: NodeIndex| rest[side].world_from_node[node.index()].translation;
        bones.iter().map(|bone| place(bone[side][0]).distance(place(bone[side][1]))).sum()
    };
    let size = length(1) / length(0);
    if size.is_finite() && size > 0.0 && (size - 1.0).abs() > SAME_SIZE { size } else { 1.0 }
}

/// The rotation of a matrix, without its scale and shear.
pub(super) fn rotation(matrix: &Affine3) -> DQuat {
    let (rotation, _) = polar_f64(matrix.matrix3.as_dmat3());
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}

/// 0 of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
