//! Twist helpers: joints along a limb's bone that distribute its twist and share its weights.

use std::collections::BTreeMap;

use glam::Vec3;

use super::body::{Body, bones};
use super::bone_weights::PointWeights;
use super::helpers::is_twist_helper;
use super::segment::Segment;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Pose, Rig, evaluate};

/// Maximum distance of a twist helper from its bone, relative to the bone's length.
const BESIDE: f32 = 0.2;

/// If the first helper is nearer to the bone's start than this fraction of the bone's length, it counteracts the twist
/// at the start, and the limb's joint twists the end.
const AT_BEGINNING: f32 = 0.1;

/// Maps each twist helper along a limb's bone to the limb's joint.
pub(super) fn twist_helpers(rig: &Rig, is_left_out: impl Fn(NodeIndex) -> bool) -> BTreeMap<NodeIndex, NodeIndex> {
    let is_twist = |node: NodeIndex| rig.is_joint(node) && is_twist_helper(rig.hierarchy.name(node));
    let twists = rig.hierarchy.nodes().filter(|&node| is_twist(node) && !is_left_out(node));
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let place = |node: NodeIndex| posed.world_from_node[node.index()].translation;
    let limb = |twist: NodeIndex| {
        let mut limb = rig.hierarchy.parent(twist)?;
        while is_twist(limb) {
            limb = rig.hierarchy.parent(limb)?;
        }
        let ends = rig.hierarchy.children(limb).iter().filter(|&&end| rig.is_joint(end) && !is_twist(end));
        let leads_past = |end: &NodeIndex| {
            let bone = Segment { head: place(limb), tail: place(*end) };
            lies_along(&bone, place(twist))
        };
        let moves_only_twists =
            rig.hierarchy.children(twist).iter().all(|&child| !rig.is_joint(child) || is_twist(child));
        let is_bound = rig.skins.iter().all(|skin| !skin.joints.contains(&twist) || skin.joints.contains(&limb));
        let is_along = rig.is_joint(limb) && !is_left_out(limb) && is_bound && moves_only_twists;
        (is_along && ends.copied().any(|end| leads_past(&end))).then_some((twist, limb))
    };
    twists.filter_map(limb).collect()
}

/// Adds twist helpers as bones. Divides each limb's weights among its joint and helpers, linearly by position along the
/// bone. Appends a note to `notes` for each limb that was divided.
pub(super) fn divided(
    rig: &Rig,
    body: &mut Body,
    shares: PointWeights,
    limb_of: &BTreeMap<NodeIndex, NodeIndex>,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<PointWeights> {
    let bones_by_node = body.bones_by_node();
    let mut spans: BTreeMap<u16, TwistSpan> = BTreeMap::new();
    for twist in bones(rig, &body.skins(), |node| !limb_of.contains_key(&node)) {
        let (Some(&limb), Ok(number)) = (bones_by_node.get(&limb_of[&twist.node]), u16::try_from(body.bones.len()))
        else {
            continue;
        };
        let place = twist.segments[0].head;
        // The limb has a segment to each child. Take the longest that passes the helper; if none does, the longest of
        // all.
        let segments = body.bones[usize::from(limb)].segments.iter();
        let whole = segments.max_by(|a, b| {
            let [a, b] = [a, b].map(|way| (lies_along(way, place), way.length()));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let Some(&along) = whole else { continue };
        spans
            .entry(limb)
            .or_insert_with(|| TwistSpan { along, joints: Vec::new() })
            .joints
            .push((along.share(place), number));
        body.bones.push(twist);
    }
    if spans.is_empty() {
        return Some(shares);
    }
    for (&limb, span) in &mut spans {
        span.joints.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at_end = span.joints[0].0 < AT_BEGINNING;
        let name = |bone: u16| rig.hierarchy.name(body.bones[usize::from(bone)].node).to_owned();
        let helpers: Vec<String> = span.joints.iter().map(|(_, twist)| name(*twist)).collect();
        let helpers = helpers.join(", ");
        notes.push(format!(
            "{} shares its weights with its twist helpers by position along the bone: {helpers}.",
            name(limb)
        ));
        span.joints.insert(if at_end { span.joints.len() } else { 0 }, (f32::from(u8::from(at_end)), limb));
    }
    PointWeights::computed(body.points.len(), progress, |point, row| {
        for (bone, share) in shares.row(point) {
            match spans.get(&bone) {
                Some(span) => row.add(span.parts(span.along.share(body.points[point])), share),
                None => row.add([(bone, share)], 1.0),
            }
        }
    })
}

fn lies_along(bone: &Segment, place: Vec3) -> bool {
    bone.distance(place) <= BESIDE * bone.length()
}

struct TwistSpan {
    along: Segment,
    /// Joints with their position along the bone, as a fraction of its length, ascending.
    joints: Vec<(f32, u16)>,
}

impl TwistSpan {
    fn parts(&self, share: f32) -> [(u16, f32); 2] {
        let after = self.joints.partition_point(|(at, _)| *at <= share).clamp(1, self.joints.len() - 1);
        let [(low, before), (high, next)] = [self.joints[after - 1], self.joints[after]];
        let part = if high > low { ((share - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        [(before, 1.0 - part), (next, part)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_joint_has_all_at_its_place_and_an_even_part_between() {
        let span = TwistSpan { along: Segment::default(), joints: vec![(0.0, 3), (0.25, 8), (0.75, 9)] };
        let parts = |share: f32| span.parts(share).map(|(bone, part)| (bone, (part * 100.0).round() as i32));
        assert_eq!(parts(0.0), [(3, 100), (8, 0)]);
        assert_eq!(parts(0.05), [(3, 80), (8, 20)]);
        assert_eq!(parts(0.5), [(8, 50), (9, 50)]);
        assert_eq!(parts(1.0), [(8, 0), (9, 100)]);
    }
}
