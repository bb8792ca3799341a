use std::collections::HashSet;

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::facing::{about_vertical, turn_between};
use super::pairs::{SkeletonPairs, chains, spine};
use super::retarget_pose::{self, LimbKind, NodeMatrices, PairedJoint};
use super::stays;
use crate::matching::{HumanBone, Humanoid};
use crate::rig::{NodeIndex, Posed, Property, Rig, bind_matrices, polar_f64, singular_values};

/// Two skeletons are in the same pose if the median angle between their bones is below this, radians.
const SAME_POSE: f64 = 0.18;
/// Sizes that differ by at most this fraction count as equal: 2 mm on a 1 m leg.
const SAME_SIZE: f32 = 2e-3;
/// An axis counts as vertical if the cosine of its angle to +Y is above this.
const VERTICAL: f64 = 0.98;
const PARTS: [(LimbKind, &[&str]); 4] = [
    (LimbKind::Arm, &["UpperArm", "LowerArm", "Hand", "Thumb", "Index", "Middle", "Ring", "Little"]),
    (LimbKind::Leg, &["UpperLeg", "LowerLeg"]),
    (LimbKind::Foot, &["Foot", "Toes"]),
    (LimbKind::Shoulder, &["Shoulder"]),
];
/// Other poses are preferred to the rest poses only if they reduce the median angle by more than this, radians.
const BETTER: f64 = 0.01;
/// The lead joint must be higher than this above its lowest descendant, as a fraction of the skeleton's height.
const LEGS: f32 = 0.15;
/// Skeletons have the same proportions if the median angle between their bones is at most this, radians.
const SAME_PROPORTIONS: f64 = 0.02;
/// A skeleton without a mesh counts as standing if its feet are this close to the expected height, as a fraction of its
/// leg height.
const FLOATS: f32 = 0.05;
/// Rotations this close to quarter turns snap to them, radians, because characters are upright in files.
const QUARTER_REACH: f64 = 0.35;
const SEARCHED: usize = 64;
/// Soles and meshes up to this height count as on the ground, as a fraction of leg height.
const ON_GROUND: f32 = 0.2;
/// Directions count as parallel if their second singular value is at most this fraction of the first.
const PARALLEL: f32 = 0.02;

pub(super) struct SkeletonDifference {
    /// Rotation from target to source axes, indexed by source node; `None` without a counterpart.
    pub axes: Vec<Option<Quat>>,
    /// Ratio of target to source size.
    pub size: f32,
    /// Rotation about the vertical from the source's front to the target's.
    pub facing: Quat,
    /// Source joint that carries the body, such as the hips, and the height in metres to add to its counterpart after
    /// scaling. The height is `None` if either skeleton doesn't stand on the ground at rest.
    pub lead: Option<(NodeIndex, Option<f32>)>,
    pub is_human: Vec<bool>,
    pub agrees_at_rest: bool,
}

impl SkeletonDifference {
    /// Compares the skeletons in the combination of rest and bind poses that matches best. If these poses differ, the
    /// target's limbs are posed like the source's.
    pub(super) fn between([from, onto]: [&Rig; 2], rest: [&Posed; 2], pairs: &SkeletonPairs) -> Self {
        let SkeletonPairs { partners, humans, .. } = pairs;
        let joints = paired_joints([from, onto], pairs);
        let bones: Vec<[[NodeIndex; 2]; 2]> = joints
            .iter()
            .filter_map(|joint| {
                let above = &joints[joint.above?];
                Some([0, 1].map(|side| [above.nodes[side], joint.nodes[side]]))
            })
            .collect();
        let at_rest = rest.map(|posed| posed.world_from_node.iter().copied().map(Some).collect::<NodeMatrices>());
        let bound = [from, onto].map(bind_matrices);
        let resting = [&at_rest[0], &at_rest[1]];
        let facing = humans.as_ref().map_or_else(|| facing_of_bones(resting, &bones), |h| turn_between(h, rest));
        let (stands, turn) = shared_stands(resting, [&bound[0], &bound[1]], facing, &bones);
        let mut axes = vec![None; partners.len()];
        for (joint, turned) in joints.iter().zip(retarget_pose::axes(&joints, stands, turn)) {
            axes[joint.nodes[0].index()] = Some(turned.unwrap_or_default().as_quat());
        }
        let mut is_human = vec![false; partners.len()];
        for joint in &joints {
            is_human[joint.nodes[0].index()] = joint.part != LimbKind::Other;
        }
        if facing != Quat::IDENTITY {
            turn_holders(&mut axes, resting, facing, partners);
        }
        let nodes: Vec<NodeIndex> = joints.iter().map(|joint| joint.nodes[0]).collect();
        let legs = Legs::new([from, onto], rest, &nodes, partners);
        let of_legs = humans.as_ref().and_then(|humans| leg_ratio([from, onto], humans, rest));
        let size_on_legs = of_legs.or_else(|| legs.as_ref().and_then(|legs| legs.size(stands, resting)));
        let size = size_on_legs.unwrap_or_else(|| size(rest, &bones));
        let size = if size.is_finite() && size > 0.0 && (size - 1.0).abs() > SAME_SIZE { size } else { 1.0 };
        let lead = legs.filter(|_| size_on_legs.is_some()).map(|legs| {
            let standing = GroundPlacement { rigs: [from, onto], rest, axes: &axes, partners, facing, size };
            let on_feet = humans.as_ref().and_then(|humans| standing.rise(&legs, humans));
            (legs.lead[0], on_feet.or_else(|| legs.rise(stands, resting, size)))
        });
        Self { axes, size, facing, lead, is_human, agrees_at_rest: are_same(stands, resting) }
    }
}

pub(super) fn paired_joints([from, onto]: [&Rig; 2], pairs: &SkeletonPairs) -> Vec<PairedJoint> {
    let human = pairs.humans.as_ref().map(|humans| &humans[0]);
    let mut parts = vec![LimbKind::Other; from.hierarchy.len()];
    if let Some(human) = human {
        let trunk = spine(from, human, "hips", "head").unwrap_or_default();
        for node in trunk {
            parts[node.index()] = LimbKind::Trunk;
        }
        for (part, words) in PARTS {
            bones_with(human, words).for_each(|node| parts[node.index()] = part);
        }
    }
    let mut number_of = vec![None; from.hierarchy.len()];
    let mut joints: Vec<PairedJoint> = Vec::new();
    for node in from.hierarchy.nodes() {
        let Some(partner) = pairs.partners[node.index()].filter(|&partner| onto.counts_as_joint(partner)) else {
            continue;
        };
        let above = from.hierarchy.ancestors(node).find_map(|above| number_of[above.index()]);
        number_of[node.index()] = Some(joints.len());
        let part = parts[node.index()];
        joints.push(PairedJoint { nodes: [node, partner], above, tip: None, part, own_tips: Default::default() });
    }
    for chain in human.map(|human| chains(from, human)).unwrap_or_default() {
        let numbers: Vec<usize> = chain.iter().filter_map(|node| number_of[node.index()]).collect();
        numbers.windows(2).for_each(|bone| joints[bone[0]].tip = Some(bone[1]));
    }
    if let Some(humans) = &pairs.humans {
        let chains = [0, 1].map(|side| chains([from, onto][side], &humans[side]));
        for joint in joints.iter_mut().filter(|joint| joint.tip.is_none() && joint.part.is_limb()) {
            joint.own_tips = [0, 1].map(|side| own_tips([from, onto][side], joint.nodes[side], &chains[side]));
        }
    }
    joints
}

fn own_tips(rig: &Rig, node: NodeIndex, chains: &[Vec<NodeIndex>]) -> Vec<NodeIndex> {
    let bones = chains.iter().flat_map(|chain| chain.windows(2));
    let next = bones.filter(|bone| bone[0] == node).map(|bone| bone[1]).next();
    let is_child = |child: &NodeIndex| rig.hierarchy.parent(*child) == Some(node) && rig.counts_as_joint(*child);
    next.map_or_else(|| rig.hierarchy.nodes().filter(is_child).collect(), |next| vec![next])
}

fn bones_with<'a>(human: &'a Humanoid, words: &'a [&str]) -> impl Iterator<Item = NodeIndex> {
    human.bones().filter(|(bone, _)| words.iter().any(|word| bone.to_string().contains(word))).map(|(_, node)| node)
}

/// Chooses the rest or the bind pose for each skeleton so that both match best. Also returns the rotation from source
/// to target.
fn shared_stands<'a>(
    resting: [&'a NodeMatrices; 2],
    bound: [&'a NodeMatrices; 2],
    facing: Quat,
    bones: &[[[NodeIndex; 2]; 2]],
) -> ([&'a NodeMatrices; 2], DQuat) {
    let facing = facing.as_dquat();
    let mut best = (resting, facing);
    let mut bend = bend(&directions(resting, bones), facing) - BETTER;
    // For rest poses, prefer the alignment of the characters' fronts, unless a front is wrong.
    let choices = [(resting, SAME_POSE), (bound, 0.0), ([resting[0], bound[1]], 0.0), ([bound[0], resting[1]], 0.0)];
    for (stands, margin) in choices {
        let fit = OrientationFit::new(stands, bones).filter(|fit| fit.bend < SAME_POSE && fit.bend + margin < bend);
        if let Some(fit) = fit {
            (best, bend) = ((stands, fit.turn), fit.bend);
        }
    }
    best
}

fn facing_of_bones(resting: [&NodeMatrices; 2], bones: &[[[NodeIndex; 2]; 2]]) -> Quat {
    let fit =
        OrientationFit::new(resting, bones).filter(|fit| fit.bend < SAME_POSE && (fit.turn * DVec3::Y).y > VERTICAL);
    let front = fit.map_or(DVec3::Z, |fit| fit.turn * DVec3::Z);
    about_vertical(front.x.atan2(front.z) as f32)
}

/// Sets the axes of paired nodes that aren't joints, such as nodes above a rotated character, from their rest
/// rotations.
fn turn_holders(axes: &mut [Option<Quat>], resting: [&NodeMatrices; 2], facing: Quat, partners: &[Option<NodeIndex>]) {
    for (node, partner) in partners.iter().enumerate() {
        if let (None, Some(partner)) = (axes[node], partner)
            && let [Some(theirs), Some(ours)] = [resting[0][node], resting[1][partner.index()]]
        {
            let [theirs, ours] = [theirs, ours].map(|world| retarget_pose::rotation(&world).as_quat());
            axes[node] = Some((facing * theirs).inverse() * ours);
        }
    }
}

fn leg_ratio(rigs: [&Rig; 2], humans: &[Humanoid; 2], rest: [&Posed; 2]) -> Option<f32> {
    let length = |which: usize, side: &str| {
        let node = |bone: &str| humans[which].node(HumanBone::named(&format!("{side}{bone}"))?);
        let nodes = [node("UpperLeg")?, node("LowerLeg")?, node("Foot")?];
        // Feet driven by controls may not be descendants of the shin.
        let hangs = |pair: &[NodeIndex]| rigs[which].hierarchy.subtree(pair[0]).contains(&pair[1].index());
        let place = |node: NodeIndex| rest[which].world_from_node[node.index()].translation;
        let [hip, knee, ankle]: [Vec3; 3] = nodes.windows(2).all(hangs).then(|| nodes.map(place))?;
        Some(hip.distance(knee) + knee.distance(ankle))
    };
    let legs = |which: usize| Some(length(which, "left")? + length(which, "right")?);
    Some(legs(1)? / legs(0)?).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
}

fn are_same(a: [&NodeMatrices; 2], b: [&NodeMatrices; 2]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| std::ptr::eq(a, b))
}

/// For each of the two skeletons, the lead joint (the first animated joint, such as the hips) and the lowest joint
/// below it.
struct Legs {
    lead: [NodeIndex; 2],
    lowest: [NodeIndex; 2],
    /// Height of the lowest mesh point at rest, metres; `None` without meshes.
    floors: [Option<f32>; 2],
    bottoms: [f32; 2],
}

impl Legs {
    fn new(
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

    /// Returns the ratio of target to source size, from heights at rest or from distances in another shared pose.
    fn size(&self, stands: [&NodeMatrices; 2], resting: [&NodeMatrices; 2]) -> Option<f32> {
        let are_resting = are_same(stands, resting);
        let length = |side: usize| {
            let at = |stand: &NodeMatrices, node: [NodeIndex; 2]| stand[node[side].index()];
            let (lead, lowest) = (at(stands[side], self.lead)?, at(stands[side], self.lowest)?);
            let world = at(resting[side], self.lead)? * lead.inverse();
            let apart = lead.translation - lowest.translation;
            let length = if are_resting { apart.y } else { apart.length() * super::mean_scale(&world) };
            (length.is_finite() && length > 0.0).then_some(length)
        };
        Some(length(1)? / length(0)?)
    }

    /// Returns the height to add to the scaled lead joint, metres; `None` if either skeleton doesn't stand on the
    /// ground. If the rest poses differ, sole thickness is measured from the lowest joint to the lowest point of the
    /// mesh.
    fn rise(&self, stands: [&NodeMatrices; 2], resting: [&NodeMatrices; 2], size: f32) -> Option<f32> {
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

/// Inputs for placing the target on its feet in the source's rest pose.
struct GroundPlacement<'a> {
    rigs: [&'a Rig; 2],
    rest: [&'a Posed; 2],
    axes: &'a [Option<Quat>],
    partners: &'a [Option<NodeIndex>],
    facing: Quat,
    size: f32,
}

impl GroundPlacement<'_> {
    /// Returns the height to add to the target's lead joint so that the soles keep their scaled height, metres; `None`
    /// without feet.
    fn rise(&self, legs: &Legs, humans: &[Humanoid; 2]) -> Option<f32> {
        let place = |side: usize, node: NodeIndex| self.rest[side].world_from_node[node.index()].translation;
        let feet = [0, 1].map(|side| bones_with(&humans[side], PARTS[2].1).collect::<Vec<NodeIndex>>());
        let lowest = |side: usize| feet[side].iter().map(|&node| place(side, node).y).reduce(f32::min);
        let [theirs, ours] = [lowest(0)?, lowest(1)?];
        let lead = legs.lead.map(NodeIndex::index);
        let lead_height = place(0, legs.lead[0]).y;
        let tallness = (lead_height - theirs).abs();
        let is_near = |side: usize, height: f32| {
            let scale = if side == 0 { 1.0 } else { self.size };
            height.abs() <= ON_GROUND * tallness * scale
        };
        let our_sole =
            legs.floors[1].map(|floor| ours - floor).or_else(|| Some(ours).filter(|&low| is_near(1, low)))?;
        // A skeleton without a mesh may float at rest; assume the other's sole thickness.
        let assumed = our_sole / self.size;
        let is_like = |low: &f32| (low - assumed).abs() < FLOATS * tallness;
        let their_sole = match legs.floors[0] {
            Some(floor) => theirs - floor,
            None => Some(theirs).filter(is_like).unwrap_or(assumed),
        };
        let drops = feet[1].iter().map(|&foot| self.drop(foot, lead[1])).collect::<Option<Vec<f32>>>()?;
        let drop = drops.into_iter().reduce(f32::max)?;
        Some(drop + our_sole + self.size * (theirs - their_sole - lead_height))
    }

    fn drop(&self, foot: NodeIndex, lead: usize) -> Option<f32> {
        let hierarchy = &self.rigs[1].hierarchy;
        let at_rest = &self.rest[1].world_from_node;
        let turned = |node: NodeIndex| {
            let theirs = self.partners.iter().position(|partner| *partner == Some(node))?;
            let theirs_now = retarget_pose::rotation(&self.rest[0].world_from_node[theirs]).as_quat();
            let now = self.facing * theirs_now * self.axes[theirs]?;
            Some(now * retarget_pose::rotation(&at_rest[node.index()]).as_quat().inverse())
        };
        let (mut below, mut offset) = (foot, Vec3::ZERO);
        for above in hierarchy.ancestors(foot) {
            if let Some(turn) = turned(above) {
                offset += turn * (at_rest[below.index()].translation - at_rest[above.index()].translation);
                below = above;
            }
            if above.index() == lead {
                return (below == above).then_some(-offset.y);
            }
        }
        None
    }
}

struct OrientationFit {
    turn: DQuat,
    /// Median angle between corresponding bones after `turn`, radians.
    bend: f64,
}

impl OrientationFit {
    /// Fits the rotation from source to target bones; `None` if fewer than half of the bones are known in both poses.
    fn new(stands: [&NodeMatrices; 2], bones: &[[[NodeIndex; 2]; 2]]) -> Option<Self> {
        let found = directions(stands, bones);
        if found.is_empty() || 2 * found.len() < bones.len() {
            return None;
        }
        // If all bones lie in a plane, cross products distinguish its sides.
        let crossed = found.windows(2).map(|pair| [0, 1].map(|side| pair[0][side].cross(pair[1][side])));
        let outer = |[theirs, ours]: [DVec3; 2]| DMat3::from_cols(ours * theirs.x, ours * theirs.y, ours * theirs.z);
        let products = found.iter().copied().chain(crossed).fold(DMat3::ZERO, |sum, pair| sum + outer(pair));
        let spread = singular_values(products.as_mat3());
        let turn = if spread.y > PARALLEL * spread.x { polar_f64(products).0 } else { DQuat::IDENTITY };
        let bent = bend(&found, turn);
        // Different proportions tilt the fit, but both characters stand upright along the axes of their files.
        let turn = along_axes(turn).filter(|_| bent > SAME_PROPORTIONS).unwrap_or(turn);
        Some(Self { turn, bend: bend(&found, turn) })
    }
}

/// Snaps a rotation to quarter turns about the axes; `None` if no such rotation is close.
fn along_axes(turn: DQuat) -> Option<DQuat> {
    let matrix = DMat3::from_quat(turn);
    let snapped = DMat3::from_cols_array(&matrix.to_cols_array().map(f64::round));
    let is_rotation = (snapped * snapped.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9) && snapped.determinant() > 0.0;
    let quarters = is_rotation.then(|| DQuat::from_mat3(&snapped))?;
    (turn.angle_between(quarters) < QUARTER_REACH).then_some(quarters)
}

fn directions(stands: [&NodeMatrices; 2], bones: &[[[NodeIndex; 2]; 2]]) -> Vec<[DVec3; 2]> {
    let place = |side: usize, node: NodeIndex| Some(stands[side][node.index()]?.translation.as_dvec3());
    let direction =
        |side: usize, [head, tail]: [NodeIndex; 2]| (place(side, tail)? - place(side, head)?).try_normalize();
    bones.iter().filter_map(|bone| Some([direction(0, bone[0])?, direction(1, bone[1])?])).collect()
}

fn bend(directions: &[[DVec3; 2]], turn: DQuat) -> f64 {
    median(directions.iter().map(|&[theirs, ours]| (turn * theirs).angle_between(ours)))
}

fn size(rest: [&Posed; 2], bones: &[[[NodeIndex; 2]; 2]]) -> f32 {
    let length = |side: usize| -> f32 {
        let place = |node: NodeIndex| rest[side].world_from_node[node.index()].translation;
        bones.iter().map(|bone| place(bone[side][0]).distance(place(bone[side][1]))).sum()
    };
    length(1) / length(0)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
