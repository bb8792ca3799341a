//! Contents of a rig, collected once for many rules.

use super::super::LintedPrimitive;
use super::measure::RuleScope;
use super::{Pattern, Rule};
use rigscope_core::matching::Humanoid;
use rigscope_core::rig::{MeshInstance, Pose, Posed, Primitive, PrimitiveIndex, Rig, evaluate};

/// Contents of a rig, collected once for many rules.
pub struct Inventory<'a> {
    pub(super) rig: &'a Rig,
    pub(super) file_bytes: Option<u64>,
    pub(super) parts: Vec<InventoryPrimitive<'a>>,
    pub(super) humanoid: Humanoid,
    pub(super) rest: Posed,
}

pub(super) struct InventoryPrimitive<'a> {
    pub place: PrimitiveIndex,
    pub instance: &'a MeshInstance,
    pub primitive: &'a Primitive,
    pub linted: LintedPrimitive<'a>,
    pub influences: usize,
}

impl<'a> Inventory<'a> {
    /// Collects the contents of a rig in linear time. `file_bytes` is the size of the rig's file, if known.
    pub fn new(rig: &'a Rig, file_bytes: Option<u64>) -> Self {
        let part = |(place, (instance, primitive)): (PrimitiveIndex, (&'a MeshInstance, &'a Primitive))| {
            let skin = instance.skin.and_then(|skin| rig.skins.get(skin));
            let linted =
                LintedPrimitive { hierarchy: &rig.hierarchy, mesh: &rig.meshes[instance.mesh], primitive, skin };
            InventoryPrimitive { place, instance, primitive, linted, influences: max_influences(primitive) }
        };
        Self {
            rig,
            file_bytes,
            parts: rig.parts().zip(rig.primitives()).map(part).collect(),
            humanoid: Humanoid::from_rig(rig),
            rest: evaluate(rig, None, &Pose::rest(&rig.hierarchy)),
        }
    }

    pub(super) fn parts<'b>(&'b self, rule: &'b Rule) -> impl Iterator<Item = &'b InventoryPrimitive<'a>> {
        let under = self.under(rule);
        self.parts.iter().filter(move |part| {
            let hangs = under.as_ref().is_none_or(|under| under[part.instance.node.index()]);
            hangs && self.is_selected(part, &rule.meshes) && !self.is_excluded(part, rule)
        })
    }

    /// Marks the nodes that match `rule.under`, and their descendants; returns `None` if `rule.under` is empty.
    pub(super) fn under(&self, rule: &Rule) -> Option<Vec<bool>> {
        let hierarchy = &self.rig.hierarchy;
        let is_top = |node| rule.under.iter().any(|pattern| pattern.fits(hierarchy.name(node)));
        (!rule.under.is_empty()).then(|| {
            let mut under = vec![false; hierarchy.len()];
            for node in hierarchy.nodes() {
                let hangs = hierarchy.parent(node).is_some_and(|above| under[above.index()]);
                under[node.index()] = hangs || is_top(node);
            }
            under
        })
    }

    /// Checks that the meshes and nodes named by the rule exist. *Errors*: a message for the user.
    pub(super) fn check_selection(&self, rule: &Rule) -> Result<(), String> {
        let texts = |patterns: &[Pattern]| patterns.iter().map(Pattern::text).collect::<Vec<_>>().join(" or ");
        if self.under(rule).is_some_and(|under| !under.contains(&true)) {
            return Err(format!("no node is called {}", texts(&rule.under)));
        }
        if !rule.meshes.is_empty() && !self.parts.iter().any(|part| self.is_selected(part, &rule.meshes)) {
            return Err(format!("no mesh is called {}", texts(&rule.meshes)));
        }
        Ok(())
    }

    /// Returns each selected primitive once, however many instances its mesh has.
    pub(super) fn distinct<'b>(&'b self, rule: &'b Rule) -> impl Iterator<Item = &'b InventoryPrimitive<'a>> {
        let mut seen = std::collections::HashSet::new();
        self.parts(rule).filter(move |part| seen.insert((part.linted.mesh.source, part.primitive.source)))
    }

    fn is_selected(&self, part: &InventoryPrimitive<'a>, meshes: &[Pattern]) -> bool {
        meshes.is_empty()
            || meshes.iter().any(|pattern| self.primitive_names(part).iter().any(|name| pattern.fits(name)))
    }

    fn is_excluded(&self, part: &InventoryPrimitive<'a>, rule: &Rule) -> bool {
        rule.measure.scope() == RuleScope::Meshes && self.primitive_names(part).iter().any(|name| rule.excludes(name))
    }

    pub(super) fn primitive_names(&self, part: &InventoryPrimitive<'a>) -> [&'a str; 2] {
        [&part.linted.mesh.name, self.rig.hierarchy.name(part.instance.node)]
    }
}

fn max_influences(primitive: &Primitive) -> usize {
    let count = |influences: &rigscope_core::rig::Influences, vertex: usize| {
        influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).count()
    };
    let influences = primitive.influences.as_ref();
    influences.map_or(0, |found| (0..found.len()).map(|vertex| count(found, vertex)).max().unwrap_or(0))
}
