use std::collections::BTreeSet;

use crate::posing::{AxisLimit, JointLimits, Limits};
use crate::rig::{
    DisabledBehaviours, Expression, ExpressionIndex, FacePose, LookAtTarget, NodeIndex, Pin, Pose, Rig, Trs,
};
use crate::skinning::{Antipodality, JointMethod, Method, Normals, ScaleHandling, Skinning, WeightPrecision};
use crate::stage::Stage;
use crate::state::edit::choices::{Difference, SideDifference, Undoable};
use crate::view::{PerSide, SideView, signed, significant};

struct JointChange {
    before: Trs,
    after: Trs,
}

/// Returns the label of a step: what changed, for which joint, morph target or side (or how many), and by how much.
pub(in crate::state) fn step_label(stage: &Stage, changes: &Difference) -> String {
    let (rig, document) = (stage.rig(), &stage.document);
    if changes.clip_corrections.is_some() {
        return if document.clip_corrections.is_empty() { "Remove clip correction" } else { "Correct clips" }
            .to_owned();
    }
    match (&*changes.pose.joints(&document.pose), &*changes.pose.morphs, &changes.pose.face) {
        ([], [], Some(before)) => return face_label(rig, before, document.pose.face()),
        ([], [], None) => {}
        ([], [(morph, _)], _) => {
            let after = document.pose.morph_weight(*morph);
            return format!("{} {}", rig.morphs()[morph.index()].name, signed(after, 2));
        }
        ([], morphs, _) => return format!("Move {} morph targets", morphs.len()),
        (joints, ..) => return pose_label(rig, joints, &document.pose),
    }
    if let Some(before) = &changes.limits {
        return limits_label(rig, before, &document.limits);
    }
    if let Some(before) = &changes.pins {
        return pin_label(rig, before, &document.pins);
    }
    match (&changes.sides, changes.disabled_behaviours.as_deref()) {
        (Some(before), _) => sides_label(rig, before, &stage.view.sides),
        (None, Some(before)) => behaviours_label(*before, document.switched_off),
        (None, None) => "Edit".to_owned(),
    }
}

fn face_label(rig: &Rig, before: &FacePose, after: &FacePose) -> String {
    let moved = |(at, expression): (ExpressionIndex, &Expression)| {
        let weight = after.expression(at);
        (weight != before.expression(at)).then(|| format!("{} {weight:.2}", expression.name))
    };
    let mut moved = rig.indexed_expressions().filter_map(moved);
    match (moved.next(), moved.count(), after.look_at()) {
        (Some(one), 0, _) => one,
        (Some(_), others, _) => format!("Set {} expressions", others + 1),
        (None, _, None) => "Clear the gaze".to_owned(),
        (None, _, Some(LookAtTarget::Camera)) => "Look at the camera".to_owned(),
        (None, _, Some(LookAtTarget::Angles { yaw_deg, pitch_deg })) => {
            format!("Look {}°, {}°", signed(yaw_deg, 0), signed(pitch_deg, 0))
        }
        (None, _, Some(LookAtTarget::Point(_))) => "Look at a point".to_owned(),
    }
}

fn behaviours_label(before: DisabledBehaviours, after: DisabledBehaviours) -> String {
    let kinds = [
        ("Constraints", before.constraints, after.constraints),
        ("Expressions", before.expressions, after.expressions),
        ("Gaze", before.look_at, after.look_at),
        ("Springs", before.springs, after.springs),
    ];
    let changed = kinds.into_iter().filter(|(_, before, after)| before != after);
    let changed = changed.map(|(name, _, is_off)| format!("{name} {}", if is_off { "off" } else { "on" }));
    changed.collect::<Vec<_>>().join(", ")
}

fn called(rig: &Rig, mut nodes: impl ExactSizeIterator<Item = NodeIndex>) -> String {
    match (nodes.len(), nodes.next()) {
        (1, Some(node)) => rig.hierarchy.name(node).to_owned(),
        (count, _) => format!("{count} joints"),
    }
}

/// Returns the label of a step that changed joints. Includes the amount if all joints changed equally.
fn pose_label(rig: &Rig, joints: &[(NodeIndex, Trs)], after: &Pose) -> String {
    let what = called(rig, joints.iter().map(|(node, _)| *node));
    let change = |&(node, before): &(NodeIndex, Trs)| JointChange { before, after: *after.user_local(node) };
    let any = |differs: fn(&JointChange) -> bool| joints.iter().map(change).any(|joint| differs(&joint));
    let is_moved = any(|c| c.before.translation != c.after.translation);
    let is_scaled = any(|c| c.before.scale != c.after.scale);
    let is_turned = any(|c| c.before.rotation != c.after.rotation);
    let (verb, amount): (_, fn(&JointChange) -> String) = match (is_moved, is_scaled, is_turned) {
        (true, false, false) => ("Move", distance),
        (false, true, false) => ("Scale", factor),
        (false, false, true) => ("Rotate", angle),
        _ => return format!("Edit {what}"),
    };
    let mut amounts = joints.iter().map(|joint| amount(&change(joint)));
    let first = amounts.next().unwrap_or_default();
    if amounts.all(|other| other == first) { format!("{verb} {what} {first}") } else { format!("{verb} {what}") }
}

/// A rotation counts as a rotation about a joint axis if the cosine of the angle between the two axes is at least this.
const ALONG: f32 = 0.999;

/// Formats a rotation angle, with a sign only if the rotation is about a joint axis.
fn angle(change: &JointChange) -> String {
    let JointChange { before, after } = change;
    let axis = (before.rotation.inverse() * after.rotation).normalize().to_scaled_axis().normalize_or_zero();
    let largest = axis[axis.abs().max_position()];
    let sign = if largest < -ALONG { -1.0 } else { 1.0 };
    degrees(sign * before.rotation.angle_between(after.rotation))
}

/// Formats a translation distance in the unit of `Ul_j`, as in the inspector.
fn distance(change: &JointChange) -> String {
    format!("{} m", significant(change.before.translation.distance(change.after.translation)))
}

fn factor(change: &JointChange) -> String {
    let factor = (change.after.scale / change.before.scale).to_array().map(significant);
    let [x, y, z] = &factor;
    if x == y && y == z { format!("×{x}") } else { format!("×{}", factor.join(", ")) }
}

fn degrees(radians: f32) -> String {
    format!("{}°", signed(radians.to_degrees(), 0))
}

fn limits_label(rig: &Rig, before: &Limits, after: &Limits) -> String {
    let limits = |limits: &Limits, node| limits.get(node).copied().unwrap_or_default();
    let limited: BTreeSet<NodeIndex> = before.iter().chain(after.iter()).map(|(node, _)| node).collect();
    let changed: Vec<_> = limited.into_iter().filter(|node| before.get(*node) != after.get(*node)).collect();
    match changed.as_slice() {
        [node] => {
            let change = limit_change(&limits(before, *node), &limits(after, *node));
            format!("Limit {} {change}", rig.hierarchy.name(*node))
        }
        _ => format!("Limit {} joints", changed.len()),
    }
}

fn limit_change(before: &JointLimits, after: &JointLimits) -> String {
    let axis =
        |i: usize| (before.axes[i] != after.axes[i]).then(|| format!("{} {}", ["X", "Y", "Z"][i], freedom(after, i)));
    let order = (before.order != after.order).then(|| format!("order {}", after.order.name()));
    let parts: Vec<String> = (0..3).filter_map(axis).chain(order).collect();
    parts.join(", ")
}

fn freedom(limits: &JointLimits, axis: usize) -> String {
    match limits.axes[axis] {
        AxisLimit::Free => "free".to_owned(),
        AxisLimit::Limited { min, max } => format!("{} to {}", degrees(min), degrees(max)),
        AxisLimit::Locked(angle) => format!("locked at {}", degrees(angle)),
    }
}

fn pin_label(rig: &Rig, before: &[Pin], after: &[Pin]) -> String {
    let old = |pin: &Pin| before.iter().find(|old| old.node == pin.node);
    let nodes = |is_it: &dyn Fn(&Pin) -> bool| -> Vec<NodeIndex> {
        after.iter().filter(|pin| is_it(pin)).map(|pin| pin.node).collect()
    };
    let label =
        |verb: &str, nodes: Vec<NodeIndex>, end: &str| format!("{verb} {}{end}", called(rig, nodes.into_iter()));
    let pinned = nodes(&|pin| old(pin).is_none());
    if !pinned.is_empty() {
        return label("Pin", pinned, "");
    }
    let held = nodes(&|pin| pin.rotation.is_some() && old(pin).is_some_and(|old| old.rotation.is_none()));
    if !held.is_empty() {
        return label("Pin", held, " with rotation");
    }
    let is_gone = |old: &&Pin| !after.iter().any(|pin| pin.node == old.node);
    let freed: Vec<NodeIndex> = before.iter().filter(is_gone).map(|pin| pin.node).collect();
    if !freed.is_empty() {
        return label("Unpin", freed, "");
    }
    let moved = nodes(&|pin| old(pin).is_some_and(|old| old.position != pin.position));
    if moved.is_empty() {
        return label("Rotate the pin of", nodes(&|pin| old(pin) != Some(pin)), "");
    }
    let by = |node: &NodeIndex| {
        let position = |pins: &[Pin]| pins.iter().find(|pin| pin.node == *node).map(|pin| pin.position);
        position(before).zip(position(after)).map_or(0.0, |(before, after)| before.distance(after))
    };
    let end = if let [one] = moved.as_slice() { format!(" {} m", significant(by(one) as f32)) } else { String::new() };
    label("Move the pin of", moved, &end)
}

fn sides_label(rig: &Rig, changes: &PerSide<SideDifference>, after: &PerSide<SideView>) -> String {
    let mut before = after.clone();
    before.exchange(&mut Some(Box::new(changes.clone())));
    if (&before.a, &before.b) == (&after.b, &after.a) {
        return "Swap A and B".to_owned();
    }
    let change = |before: &SideView, after: &SideView| (before != after).then(|| side_change(rig, before, after));
    let label = |of: &str, (what, value): (String, String)| format!("{what} {of}: {value}");
    match (change(&before.a, &after.a), change(&before.b, &after.b)) {
        (Some(a), Some(b)) if a == b => label("A and B", a),
        (Some(a), Some(b)) => format!("{}; {}", label("A", a), label("B", b)),
        (a, b) => a.map(|a| label("A", a)).or(b.map(|b| label("B", b))).unwrap_or_default(),
    }
}

/// Returns the name of the changed setting, such as "Weights of", and its new value. The side's name goes between the
/// two.
fn side_change(rig: &Rig, before: &SideView, after: &SideView) -> (String, String) {
    if before.weights != after.weights {
        return ("Weights of".to_owned(), after.weights.title());
    }
    if before.file != after.file {
        return ("File of".to_owned(), after.file.title());
    }
    if before.skinning != after.skinning {
        return skinning_change(rig, &before.skinning, &after.skinning);
    }
    let (what, value) = after.options.change(&before.options).unwrap_or_default();
    (what.to_owned(), value)
}

fn skinning_change(rig: &Rig, before: &Skinning, after: &Skinning) -> (String, String) {
    let (what, value) = if before.method != after.method {
        let share = if let Method::Blend(share) = after.method {
            format!(", {:.0} % DQS", share * 100.0)
        } else {
            String::new()
        };
        ("Method of", format!("{}{share}", after.method.label()))
    } else if before.scale != after.scale {
        let scale = match after.scale {
            ScaleHandling::TwoPhase => "two phases",
            ScaleHandling::AboutJoints => "about the joints",
            ScaleHandling::Drop => "dropped",
        };
        ("Scale of joints of", scale.to_owned())
    } else if before.antipodality != after.antipodality {
        let check = if after.antipodality == Antipodality::Checked { "on" } else { "off" };
        ("Antipodality check of", check.to_owned())
    } else if before.normals != after.normals {
        let normals = if after.normals == Normals::Recomputed { "recomputed" } else { "transformed" };
        ("Normals of", normals.to_owned())
    } else if before.influences != after.influences {
        let limit = &after.influences;
        let count = limit.count.map_or_else(|| "all".to_owned(), |count| count.to_string());
        let precision = match limit.precision {
            WeightPrecision::Float => "",
            WeightPrecision::Bits16 => ", 16 bit",
            WeightPrecision::Bits8 => ", 8 bit",
        };
        let rest = if limit.count.is_some() && !limit.renormalizes { ", not renormalised" } else { "" };
        ("Influences of", format!("{count}{precision}{rest}"))
    } else {
        return by_joint_change(rig, before, after);
    };
    (what.to_owned(), value)
}

fn by_joint_change(rig: &Rig, before: &Skinning, after: &Skinning) -> (String, String) {
    let differs = |one: &Skinning, other: &Skinning| -> Vec<(NodeIndex, JointMethod)> {
        one.by_joint.iter().copied().filter(|own| !other.by_joint.contains(own)).collect()
    };
    let (set, cleared) = (differs(after, before), differs(before, after));
    let (own, method) = match set.first() {
        Some((_, JointMethod::Lbs)) => (&set, "LBS"),
        Some((_, JointMethod::Dqs)) => (&set, "DQS"),
        None => (&cleared, "as the side"),
    };
    (format!("Method of {} on", called(rig, own.iter().map(|(node, _)| *node))), method.to_owned())
}
