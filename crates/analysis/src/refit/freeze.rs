//! Operations that change the frames of nodes, or the world.

use std::fmt;

use glam::{DQuat, DVec3, Vec3};

use super::error::RefitError;
use super::frames::FrameChange;
use super::refitted::Refitted;
use super::similarity::{Similarity, is_even};
use super::skeleton::{SkeletonNodes, rest_worlds};
use rigscope_core::matching::{HumanBone, Humanoid};
use rigscope_core::rig::{Bounds, NodeIndex, PointUnit, Property, Rig};
use rigscope_core::text::listed;

const NAMED: usize = 3;

/// Makes the scale of every joint, and of every node above joints, 1.
pub(super) fn freeze_scale(rig: &Rig) -> Result<Refitted, RefitError> {
    const NAME: &str = "freeze-scale";
    let skeleton = SkeletonNodes::new(rig);
    let uneven: Vec<&str> =
        skeleton.iter().filter(|n| !is_even(rig.hierarchy.rest(*n).scale)).map(|n| rig.hierarchy.name(n)).collect();
    if !uneven.is_empty() {
        let reason = format!(
            "{} an uneven or mirrored scale, which the nodes below can't take over without shear",
            listed_with(&uneven, "has", "have")
        );
        return Err(RefitError::new(NAME, reason));
    }
    let mut change = FrameChange::identity(rig);
    let mut scale = vec![1.0; rig.hierarchy.len()];
    let mut frozen = Vec::new();
    for node in skeleton.iter() {
        let own = rig.hierarchy.rest(node).scale;
        let own = f64::from(own.x + own.y + own.z) / 3.0;
        let above = rig.hierarchy.parent(node).map_or(1.0, |parent| scale[parent.index()]);
        scale[node.index()] = if is_one(own) { above } else { above * own };
        if !is_one(own) {
            frozen.push(rig.hierarchy.name(node));
        }
        if scale[node.index()] != 1.0 {
            change.nodes[node.index()] = Similarity::from_scale(scale[node.index()].recip());
        }
    }
    let note = match &*frozen {
        [] => "every scale is 1".to_owned(),
        names => format!("froze the scale of {}", listed(names, NAMED)),
    };
    Refitted::with_frames(rig, &change, NAME, &note)
}

fn is_one(scale: f64) -> bool {
    (scale - 1.0).abs() <= 1e-6
}

fn listed_with(names: &[&str], one: &str, many: &str) -> String {
    format!("{} {}", listed(names, NAMED), if names.len() == 1 { one } else { many })
}

/// Makes the transform of each node above the joints the identity. Nodes that clips move keep their position.
pub(super) fn freeze_root(rig: &Rig) -> Result<Refitted, RefitError> {
    const NAME: &str = "freeze-root";
    if rig.skins.is_empty() {
        return Err(RefitError::new(NAME, "the file has no skin, so no node is above joints"));
    }
    // Nodes between joints are part of the skeleton.
    let is_above = |node: &NodeIndex| {
        !rig.is_joint(*node)
            && rig.human_bone(*node).is_none()
            && !rig.hierarchy.ancestors(*node).any(|ancestor| rig.is_joint(ancestor))
    };
    let roots: Vec<NodeIndex> = SkeletonNodes::new(rig).iter().filter(is_above).collect();
    if let Some(node) = roots.iter().find(|node| !is_even(rig.hierarchy.rest(**node).scale)) {
        let reason = format!("\"{}\" has an uneven or mirrored scale", rig.hierarchy.name(*node));
        return Err(RefitError::new(NAME, reason));
    }
    let moves = |node: NodeIndex| {
        let channels = rig.clips.iter().flat_map(|clip| &clip.channels);
        channels.filter(|channel| channel.property != Property::MorphWeights).any(|channel| channel.node == node)
    };
    let mut change = FrameChange::identity(rig);
    let mut world = vec![Similarity::IDENTITY; rig.hierarchy.len()];
    let mut frozen = Vec::new();
    for &node in &roots {
        let rest = rig.hierarchy.rest(node);
        let local = Similarity {
            translation: rest.translation.as_dvec3(),
            rotation: rest.rotation.as_dquat().normalize(),
            scale: f64::from(rest.scale.element_sum()) / 3.0,
        };
        let above = rig.hierarchy.parent(node).map_or(Similarity::IDENTITY, |parent| world[parent.index()]);
        let here = above.then(local);
        world[node.index()] = here;
        if here.is_identity() {
            continue;
        }
        let own = if moves(node) { Similarity { translation: DVec3::ZERO, ..here } } else { here };
        change.nodes[node.index()] = own.inverse();
        frozen.push(rig.hierarchy.name(node));
    }
    let note = match &*frozen {
        [] => "no node above the joints has a transform".to_owned(),
        names => format!("froze the transform of {}", listed(names, NAMED)),
    };
    Refitted::with_frames(rig, &change, NAME, &note)
}

/// A unit, and the unit that the file has now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitChange {
    /// Unit of the file's numbers afterwards.
    pub to: PointUnit,
    /// Unit of the file's numbers now; `None` to infer it from the height of a humanoid.
    pub from: Option<PointUnit>,
}

/// Plausible heights of humanoid characters, metres.
const HEIGHTS_M: [f64; 2] = [0.25, 4.0];

/// Scales the character so that its numbers are lengths in another unit.
pub(super) fn change_unit(rig: &Rig, unit: UnitChange) -> Result<Refitted, RefitError> {
    const NAME: &str = "to-unit";
    let from = unit.from.or_else(|| inferred_unit(rig)).ok_or_else(|| {
        let now = if unit.to == PointUnit::METRE { "cm" } else { "m" };
        RefitError::new(NAME, format!("the size doesn't tell the present unit; state it, as in {}:{now}", unit.to))
    })?;
    let factor = from.metres() / unit.to.metres();
    let mut change = FrameChange::identity(rig);
    change.world = Similarity::from_scale(factor);
    // The scale is moved into the translations, so that every node keeps its own scale.
    change.nodes = vec![Similarity::from_scale(factor.recip()); rig.hierarchy.len()];
    if factor == 1.0 {
        change = FrameChange::identity(rig);
    }
    Refitted::with_frames(rig, &change, NAME, &format!("{} to {}", from.title(), unit.to.title()))
}

fn inferred_unit(rig: &Rig) -> Option<PointUnit> {
    let bounds: Bounds = rig.rest_bounds();
    let height = f64::from((bounds.max - bounds.min).max_element());
    let is_humanoid = Humanoid::from_rig(rig).bones().count() >= 8;
    let is_plausible = |unit: &PointUnit| (HEIGHTS_M[0]..HEIGHTS_M[1]).contains(&(height * unit.metres()));
    PointUnit::named().filter(|_| is_humanoid).find(is_plausible)
}

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedAxis {
    /// 0 to 2 for x to z.
    pub axis: usize,
    /// Whether the axis points the other way.
    pub is_negative: bool,
}

impl SignedAxis {
    /// Returns the unit vector.
    pub fn unit(self) -> Vec3 {
        Vec3::AXES[self.axis] * if self.is_negative { -1.0 } else { 1.0 }
    }

    /// Returns the axis of a name such as `y` or `-z`.
    pub fn named(name: &str) -> Option<Self> {
        let (is_negative, name) = name.strip_prefix('-').map_or((false, name), |name| (true, name));
        let axis = ["x", "y", "z"].into_iter().position(|axis| axis.eq_ignore_ascii_case(name))?;
        Some(Self { axis, is_negative })
    }

    fn nearest(direction: Vec3) -> Option<Self> {
        let axis = direction.abs().max_position();
        let is_clear = direction.length() > 0.0 && direction.abs().max_element() > 0.85 * direction.length();
        is_clear.then(|| Self { axis, is_negative: direction[axis] < 0.0 })
    }
}

impl fmt::Display for SignedAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negative { "-" } else { "" }, ["x", "y", "z"][self.axis])
    }
}

/// The axis that points up afterwards, and the one that does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpChange {
    /// The axis that is up afterwards.
    pub to: SignedAxis,
    /// The axis that is up now; `None` to infer it from the hips and the head of a humanoid.
    pub from: Option<SignedAxis>,
}

/// Turns the character upright.
pub(super) fn change_up(rig: &Rig, up: UpChange) -> Result<Refitted, RefitError> {
    const NAME: &str = "up";
    let from = up.from.or_else(|| inferred_up(rig)).ok_or_else(|| {
        RefitError::new(NAME, "the names of the joints don't tell which axis is up; state it, as in y:z")
    })?;
    let mut change = FrameChange::identity(rig);
    if from != up.to {
        let rotation = DQuat::from_rotation_arc(from.unit().as_dvec3(), up.to.unit().as_dvec3());
        change.world = Similarity::from_rotation(rotation);
    }
    Refitted::with_frames(rig, &change, NAME, &format!("{from} was up, now {} is", up.to))
}

fn inferred_up(rig: &Rig) -> Option<SignedAxis> {
    let (bones, worlds) = (Humanoid::from_rig(rig), rest_worlds(rig));
    let position = |name: &str| Some(worlds[bones.node(HumanBone::named(name)?)?.index()].translation);
    let direction = position("head")? - position("hips")?;
    SignedAxis::nearest(direction.as_vec3())
}
