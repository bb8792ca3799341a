//! What a rig has, counted once and judged by many rules.

use super::super::LintedPrimitive;
use super::{Pattern, Rule};
use crate::matching::Humanoid;
use crate::rig::{MeshInstance, PartIndex, Pose, Posed, Primitive, Rig, evaluate};

/// Numbers of a rig that several rules ask for.
pub struct Inventory<'a> {
    pub(super) rig: &'a Rig,
    pub(super) file_bytes: Option<u64>,
    /// Counts of each part that is drawn.
    pub(super) parts: Vec<Part<'a>>,
    pub(super) humanoid: Humanoid,
    pub(super) rest: Posed,
}

/// A part that is drawn, with its counts.
pub(super) struct Part<'a> {
    pub place: PartIndex,
    pub instance: &'a MeshInstance,
    pub primitive: &'a Primitive,
    pub linted: LintedPrimitive<'a>,
    /// Most joints that move one of its vertices.
    pub influences: usize,
}

impl<'a> Inventory<'a> {
    /// Counts what a rig has, whose file has so many bytes.
    ///
    /// *Cost*: linear in nodes and vertices.
    pub fn of(rig: &'a Rig, file_bytes: Option<u64>) -> Self {
        let part = |(place, (instance, primitive)): (PartIndex, (&'a MeshInstance, &'a Primitive))| {
            let skin = instance.skin.and_then(|skin| rig.skins.get(skin));
            let linted =
                LintedPrimitive { hierarchy: &rig.hierarchy, mesh: &rig.meshes[instance.mesh], primitive, skin };
            Part { place, instance, primitive, linted, influences: most_influences(primitive) }
        };
        Self {
            rig,
            file_bytes,
            parts: rig.parts().zip(rig.primitives()).map(part).collect(),
            humanoid: Humanoid::of(rig),
            rest: evaluate(rig, None, &Pose::rest(&rig.hierarchy)),
        }
    }

    /// The parts that a rule looks at.
    pub(super) fn parts<'b>(&'b self, rule: &'b Rule) -> impl Iterator<Item = &'b Part<'a>> {
        self.parts.iter().filter(move |part| self.is_meant(part, &rule.meshes) && !self.is_left_out(part, rule))
    }

    /// Each primitive once, however often its mesh is placed.
    pub(super) fn distinct<'b>(&'b self, rule: &'b Rule) -> impl Iterator<Item = &'b Part<'a>> {
        let mut seen = std::collections::HashSet::new();
        self.parts(rule).filter(move |part| seen.insert((part.linted.mesh.source, part.primitive.source)))
    }

    fn is_meant(&self, part: &Part<'a>, meshes: &[Pattern]) -> bool {
        meshes.is_empty() || meshes.iter().any(|pattern| self.names_of(part).iter().any(|name| pattern.fits(name)))
    }

    fn is_left_out(&self, part: &Part<'a>, rule: &Rule) -> bool {
        rule.measure.is_of_meshes() && self.names_of(part).iter().any(|name| rule.leaves_out(name))
    }

    /// Names of the mesh and of the node that carries it.
    pub(super) fn names_of(&self, part: &Part<'a>) -> [&'a str; 2] {
        [&part.linted.mesh.name, self.rig.hierarchy.name(part.instance.node)]
    }
}

fn most_influences(primitive: &Primitive) -> usize {
    let count = |influences: &crate::rig::Influences, vertex: usize| {
        influences.of(vertex).filter(|(_, weight)| *weight > 0.0).count()
    };
    let influences = primitive.influences.as_ref();
    influences.map_or(0, |found| (0..found.len()).map(|vertex| count(found, vertex)).max().unwrap_or(0))
}
