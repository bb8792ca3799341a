use super::loader::FbxLoader;
use super::nodes::index;
use crate::import::warning::short;
use rigscope_core::rig::{Hierarchy, UnsupportedConstraint};

impl FbxLoader<'_> {
    pub(super) fn constraints(&self, hierarchy: &Hierarchy) -> Vec<UnsupportedConstraint> {
        let constraint = |constraint: &ufbx::Constraint| {
            let node = index(hierarchy, constraint.node.as_ref()?)?;
            let share = |weight: f64| if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
            let whole = share(constraint.weight);
            let targets = constraint.targets.iter();
            let targets =
                targets.filter_map(|target| Some((index(hierarchy, &target.node)?, whole * share(target.weight))));
            let effector = constraint.ik_effector.as_ref().and_then(|node| Some((index(hierarchy, node)?, whole)));
            let kind = short(constraint.type_name.trim());
            Some(UnsupportedConstraint { node, kind, sources: targets.chain(effector).collect() })
        };
        let active = self.scene.constraints.iter().filter(|constraint| constraint.active);
        active.filter_map(|found| constraint(found)).collect()
    }
}

pub(super) fn describe(constraints: &[UnsupportedConstraint], hierarchy: &Hierarchy) -> String {
    const MAX_LISTED: usize = 4;
    let told = |constraint: &UnsupportedConstraint| {
        format!("{} follows {}", short(hierarchy.name(constraint.node)), short(&constraint.followed(hierarchy)))
    };
    let mut phrases: Vec<String> = constraints.iter().take(MAX_LISTED).map(told).collect();
    let more = constraints.len().saturating_sub(phrases.len());
    phrases.extend((more > 0).then(|| format!("{more} more")));
    phrases.join("; ")
}
