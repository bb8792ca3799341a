//! Comparison of two skeletons whose joints have the same names.

use std::collections::HashSet;

use glam::{Affine3, DMat3, DQuat, DVec3, Quat};

use super::stays;
use crate::rig::{NodeIndex, Posed, Property, Rig, bind_matrices, polar_f64, singular_values};

/// Joint axes that differ by less than this, radians, count as the same.
const SAME_AXES: f64 = 0.09;
/// Bones whose directions differ by less than this, radians, are in the same pose.
const SAME_POSE: f64 = 0.18;
/// Skeletons whose sizes differ by less than this share count as the same size: 2 mm on a leg of 1 m.
const SAME_SIZE: f32 = 2e-3;
/// Angle by which two skeletons must agree better than at rest, radians, for another pose to be used.
const BETTER: f64 = 0.01;
/// A joint higher over the lowest joint below it than this share of the skeleton's height stands on legs.
const LEGS: f32 = 0.15;
/// Most joints moved by clips that are examined for standing on legs.
const SEARCHED: usize = 64;
/// Soles or meshes that are no farther from the ground (height 0) than this share of the height over legs stand on it.
const ON_GROUND: f32 = 0.2;
/// Directions whose second singular value is a smaller share of the first are all parallel.
const PARALLEL: f32 = 0.02;

/// Difference between two skeletons with the same joints.
pub(super) struct Difference {
    /// For each node of the first, the rotation from its partner's axes to its own, where both are joints.
    pub axes: Vec<Option<Quat>>,
    /// Size of the second skeleton relative to the first.
    pub size: f32,
    /// The first skeleton's joint that carries the figure, and by how much the second one's is higher than the sizes suggest, metres: feet and legs
    /// need not have the same proportions. `None` as height where either does not stand on the ground at rest.
    pub lead: Option<(NodeIndex, Option<f32>)>,
    /// True where both are in the same pose at rest.
    pub agrees_at_rest: bool,
}

/// World matrices of a rig's joints at one time.
type Stand = Vec<Option<Affine3>>;

impl Difference {
    /// Compares two rigs at rest; `partners` are those of the first one's nodes.
    ///
    /// Axes are compared in a pose that both skeletons share: as bound to their meshes or at rest, whichever fits better.
    pub(super) fn between([from, onto]: [&Rig; 2], rest: [&Posed; 2], partners: &[Option<NodeIndex>]) -> Self {
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
        let at_rest = rest.map(|posed| posed.world_from_node.iter().copied().map(Some).collect::<Stand>());
        let bound = [from, onto].map(bind_matrices);
        let mut axes = vec![None; partners.len()];
        for &node in &joints {
            axes[node.index()] = Some(Quat::IDENTITY);
        }
        let resting = [&at_rest[0], &at_rest[1]];
        let choices = [resting, [&bound[0], &bound[1]], [&at_rest[0], &bound[1]], [&bound[0], &at_rest[1]]];
        let fits: Vec<_> = choices.into_iter().filter_map(|stands| Some((stands, Fit::of(stands, &bones)?))).collect();
        let best = fits.into_iter().reduce(|best, next| {
            let margin =
                if std::ptr::eq(best.0[0], resting[0]) && std::ptr::eq(best.0[1], resting[1]) { BETTER } else { 0.0 };
            if next.1.bend + margin < best.1.bend { next } else { best }
        });
        let best = best.filter(|(_, fit)| fit.bend < SAME_POSE);
        if let Some((stands, fit)) = &best {
            turn_axes(&mut axes, *stands, fit.turn, partners);
        }
        let legs = Legs::of([from, onto], rest, &joints, partners);
        let stands = best.map_or(resting, |(stands, _)| stands);
        let size_on_legs = legs.as_ref().and_then(|legs| legs.size(stands, resting));
        let size = size_on_legs.unwrap_or_else(|| size(rest, &bones));
        let size = if size.is_finite() && size > 0.0 && (size - 1.0).abs() > SAME_SIZE { size } else { 1.0 };
        let lead = legs.filter(|_| size_on_legs.is_some()).map(|legs| (legs.lead[0], legs.rise(stands, resting, size)));
        Self { axes, size, lead, agrees_at_rest: are_same(stands, resting) }
    }
}

fn are_same(a: [&Stand; 2], b: [&Stand; 2]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| std::ptr::eq(a, b))
}

/// Legs of both figures: the first joint that clips move (or the first joint, if they move none), such as the hips, and the lowest joint below it in either skeleton.
struct Legs {
    lead: [NodeIndex; 2],
    lowest: [NodeIndex; 2],
    /// Heights of the lowest points of the meshes at rest, metres; `None` without meshes.
    floors: [Option<f32>; 2],
    /// Heights of the lowest joints below the leads at rest, metres.
    bottoms: [f32; 2],
}

impl Legs {
    /// Legs of both skeletons; `None` where no joint stands on anything in both.
    fn of(
        [from, onto]: [&Rig; 2],
        rest: [&Posed; 2],
        joints: &[NodeIndex],
        partners: &[Option<NodeIndex>],
    ) -> Option<Self> {
        let both = |node: NodeIndex| Some([node, partners[node.index()]?]);
        let height = |nodes: [NodeIndex; 2], side: usize| rest[side].world_from_node[nodes[side].index()].translation.y;
        let all: Vec<[NodeIndex; 2]> = joints.iter().filter_map(|&node| both(node)).collect();
        let tallness = [0, 1].map(|side| {
            let heights = all.iter().map(|&nodes| height(nodes, side));
            heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min)
        });
        let channels =
            from.clips.iter().flat_map(|clip| &clip.channels).filter(|c| c.property == Property::Translation);
        let moving = channels.filter(|c| !stays(c, &from.hierarchy.rest(c.node).translation.to_array()));
        let moved: HashSet<NodeIndex> = moving.map(|channel| channel.node).collect();
        // Nodes that the other rig lacks move the joints below them.
        let lacking = |node| from.hierarchy.ancestors(node).take_while(|above| partners[above.index()].is_none());
        let is_moved = |node: NodeIndex| moved.contains(&node) || lacking(node).any(|above| moved.contains(&above));
        let (moved, still): (Vec<_>, Vec<_>) = all.iter().partition(|nodes| is_moved(nodes[0]));
        let floors = [from, onto].map(|rig| Some(rig.rest_bounds()).filter(|b| !b.is_empty()).map(|b| b.min.y));
        let leads = if moved.is_empty() { still } else { moved };
        let mut standing = leads.into_iter().take(SEARCHED).filter_map(|lead: &[NodeIndex; 2]| {
            let [theirs, ours] = [from.hierarchy.subtree(lead[0]), onto.hierarchy.subtree(lead[1])];
            let below = all.iter().filter(|[a, b]| theirs.contains(&a.index()) || ours.contains(&b.index()));
            let lowest = *below.clone().min_by(|a, b| height(**a, 0).total_cmp(&height(**b, 0)))?;
            let bottoms = [0, 1].map(|side| below.clone().map(|nodes| height(*nodes, side)).fold(f32::MAX, f32::min));
            let stands = |side: usize| height(*lead, side) - height(lowest, side) > LEGS * tallness[side];
            (stands(0) && stands(1)).then_some(Self { lead: *lead, lowest, floors, bottoms })
        });
        standing.next()
    }

    /// Size of the second skeleton relative to the first: by heights at rest or, where they agree in another pose, by distances there, in world units.
    fn size(&self, stands: [&Stand; 2], resting: [&Stand; 2]) -> Option<f32> {
        let are_resting = are_same(stands, resting);
        let length = |side: usize| {
            let at = |stand: &Stand, node: [NodeIndex; 2]| stand[node[side].index()];
            let (lead, lowest) = (at(stands[side], self.lead)?, at(stands[side], self.lowest)?);
            let world = at(resting[side], self.lead)? * lead.inverse();
            let apart = lead.translation - lowest.translation;
            let length = if are_resting { apart.y } else { apart.length() * super::mean_scale(&world) };
            (length.is_finite() && length > 0.0).then_some(length)
        };
        Some(length(1)? / length(0)?)
    }

    /// Height of the second above the first one's scaled height; `None` where either does not stand on the ground. If they differ in pose at rest,
    /// the soles' thickness is the height of the lowest joints over the meshes' lowest points.
    fn rise(&self, stands: [&Stand; 2], resting: [&Stand; 2], size: f32) -> Option<f32> {
        let height = |side: usize, node: [NodeIndex; 2]| Some(resting[side][node[side].index()]?.translation.y);
        let are_resting = are_same(stands, resting);
        let sole = |side: usize| {
            let (lowest, lead) = (height(side, self.lowest)?, height(side, self.lead)?);
            let is_near = |height: &f32| height.abs() <= ON_GROUND * (lead - lowest);
            let floor = self.floors[side].filter(is_near);
            let over_origin = Some(lowest).filter(|lowest| is_near(lowest) || floor.is_some());
            if are_resting { over_origin } else { Some(self.bottoms[side] - floor?) }
        };
        if are_resting || size != 1.0 { Some(sole(1)? - size * sole(0)?) } else { Some(0.0) }
    }
}

/// Takes the axes from two stands in the same pose, unless the axes are the same.
fn turn_axes(axes: &mut [Option<Quat>], stands: [&Stand; 2], turn: DQuat, partners: &[Option<NodeIndex>]) {
    let turned = |node: usize| {
        let (theirs, ours) = (stands[0][node]?, stands[1][partners[node]?.index()]?);
        Some(rotation(&theirs).inverse() * turn.inverse() * rotation(&ours))
    };
    let turns: Vec<(usize, DQuat)> =
        (0..axes.len()).filter(|&node| axes[node].is_some()).filter_map(|node| Some((node, turned(node)?))).collect();
    if median(turns.iter().map(|(_, turn)| turn.angle_between(DQuat::IDENTITY))) > SAME_AXES {
        for (node, turn) in turns {
            axes[node] = Some(turn.as_quat());
        }
    }
}

/// Best fit of two skeletons by rotation.
struct Fit {
    /// Rotation of the first that aligns its bones with those of the second.
    turn: DQuat,
    /// Angle that remains between two bones, radians, the median.
    bend: f64,
}

impl Fit {
    /// Best fit of two stands; `None` where either lacks half of the bones.
    fn of(stands: [&Stand; 2], bones: &[[[NodeIndex; 2]; 2]]) -> Option<Self> {
        let place = |side: usize, node: NodeIndex| Some(stands[side][node.index()]?.translation.as_dvec3());
        let direction =
            |side: usize, [head, tail]: [NodeIndex; 2]| (place(side, tail)? - place(side, head)?).try_normalize();
        let found: Vec<[DVec3; 2]> =
            bones.iter().filter_map(|bone| Some([direction(0, bone[0])?, direction(1, bone[1])?])).collect();
        if found.is_empty() || 2 * found.len() < bones.len() {
            return None;
        }
        // Cross products of bones distinguish the sides where all bones lie in a plane.
        let crossed = found.windows(2).map(|pair| [0, 1].map(|side| pair[0][side].cross(pair[1][side])));
        let outer = |[theirs, ours]: [DVec3; 2]| DMat3::from_cols(ours * theirs.x, ours * theirs.y, ours * theirs.z);
        let products = found.iter().copied().chain(crossed).fold(DMat3::ZERO, |sum, pair| sum + outer(pair));
        let spread = singular_values(products.as_mat3());
        let turn = if spread.y > PARALLEL * spread.x { polar_f64(products).0 } else { DQuat::IDENTITY };
        Some(Self { turn, bend: median(found.iter().map(|&[theirs, ours]| (turn * theirs).angle_between(ours))) })
    }
}

/// Size of the second skeleton relative to the first, by the lengths of their bones at rest.
fn size(rest: [&Posed; 2], bones: &[[[NodeIndex; 2]; 2]]) -> f32 {
    let length = |side: usize| -> f32 {
        let place = |node: NodeIndex| rest[side].world_from_node[node.index()].translation;
        bones.iter().map(|bone| place(bone[side][0]).distance(place(bone[side][1]))).sum()
    };
    length(1) / length(0)
}

/// The rotation of a matrix, without its scale and shear.
pub(super) fn rotation(matrix: &Affine3) -> DQuat {
    let (rotation, _) = polar_f64(matrix.matrix3.as_dmat3());
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}

/// Median of values; 0 of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
