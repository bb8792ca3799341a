//! Node constraints of `VRMC_node_constraint` 1.0. `vrm_rules` validates their data.

use serde_json::Value;

use super::loader::GltfLoader;
use crate::import::ImportWarning;
use crate::import::warning::Reason;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Constraint, ConstraintAxis, ConstraintKind, Hierarchy, NodeIndex};

impl GltfLoader<'_> {
    /// Returns constraints in node order. Warns about unreadable constraints and clamped values. `shown`: whether each
    /// node is shown.
    pub(super) fn constraints(&self, hierarchy: &Hierarchy, shown: &[bool]) -> Vec<Constraint> {
        let mut constraints = Vec::new();
        for (number, node) in self.source.document.nodes.iter().enumerate() {
            let extension =
                node.extensions.as_ref().and_then(|extensions| extensions.others.get(Constraint::EXTENSION));
            let Some((extension, node)) = extension.zip(hierarchy.by_source(number)) else { continue };
            let warn = |fault: Reason| {
                let message = format!("The constraint of node {number} {fault}.");
                let target = Target::for_nodes([number]);
                self.report.warn(ImportWarning::new(Code::ConstraintUnusable, target, message));
            };
            match constraint(extension, node, hierarchy) {
                Ok((constraint, weight)) => {
                    if !(0.0..=1.0).contains(&weight) {
                        let clamped = weight.clamp(0.0, 1.0);
                        warn(format!("has the weight {weight} (allowed: 0 to 1); it counts as {clamped}"));
                    }
                    if !shown.get(constraint.source.index()).is_some_and(|is_shown| *is_shown) {
                        let source = hierarchy.source(constraint.source);
                        let outside = format!("follows node {source}, which is not in the scene");
                        warn(format!("{outside}; programs that load only the scene do not evaluate it"));
                    }
                    constraints.push(constraint);
                }
                Err(fault) => warn(fault),
            }
        }
        constraints
    }
}

/// Returns a constraint and its unclamped weight. *Errors*: unknown kind or version; missing axis or source.
pub(super) fn constraint(
    extension: &Value,
    node: NodeIndex,
    hierarchy: &Hierarchy,
) -> Result<(Constraint, f64), Reason> {
    if extension.get("specVersion").and_then(Value::as_str) != Some("1.0") {
        return Err("is not evaluated: its version is not 1.0".to_owned());
    }
    let named = |key: &str| extension.get("constraint")?.get(key).filter(|of_kind| of_kind.is_object());
    let (kind, of_kind) = if let Some(roll) = named("roll") {
        (roll.get("rollAxis").and_then(Value::as_str).and_then(axis).map(ConstraintKind::Roll), roll)
    } else if let Some(aim) = named("aim") {
        (aim.get("aimAxis").and_then(Value::as_str).and_then(aimed), aim)
    } else {
        (
            Some(ConstraintKind::Rotation),
            named("rotation").ok_or("is not evaluated: it is not a roll, aim or rotation constraint")?,
        )
    };
    let kind = kind.ok_or("is not evaluated: its axis is missing or unknown")?;
    let source = of_kind.get("source").and_then(Value::as_u64).and_then(|source| usize::try_from(source).ok());
    let missing = || format!("is not evaluated: its source is not one of the {} nodes", hierarchy.len());
    let source = source.and_then(|source| hierarchy.by_source(source)).ok_or_else(missing)?;
    let weight = of_kind.get("weight").and_then(Value::as_f64).unwrap_or(1.0);
    Ok((Constraint { node, source, kind, weight: weight.clamp(0.0, 1.0) as f32 }, weight))
}

fn axis(name: &str) -> Option<ConstraintAxis> {
    [("X", ConstraintAxis::X), ("Y", ConstraintAxis::Y), ("Z", ConstraintAxis::Z)]
        .into_iter()
        .find(|(known, _)| *known == name)
        .map(|(_, axis)| axis)
}

fn aimed(name: &str) -> Option<ConstraintKind> {
    let negative = name.strip_prefix("Negative");
    let axis = axis(negative.or_else(|| name.strip_prefix("Positive"))?)?;
    Some(ConstraintKind::Aim { axis, is_negative: negative.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::NodeDescription;
    use serde_json::json;

    fn read(constraint: &Value) -> Result<(ConstraintKind, f32), Reason> {
        let hierarchy = Hierarchy::new(&vec![NodeDescription::default(); 2]).unwrap();
        let extension = json!({"specVersion": "1.0", "constraint": constraint});
        super::constraint(&extension, NodeIndex(0), &hierarchy).map(|(read, _)| {
            assert_eq!((read.node, read.source), (NodeIndex(0), NodeIndex(1)));
            (read.kind, read.weight)
        })
    }

    #[test]
    fn each_kind_is_read_with_its_axis_and_weight() {
        let aim = |axis, is_negative| ConstraintKind::Aim { axis, is_negative };
        for (constraint, expected) in [
            (
                json!({"roll": {"source": 1, "rollAxis": "Y", "weight": 0.25}}),
                (ConstraintKind::Roll(ConstraintAxis::Y), 0.25),
            ),
            (json!({"aim": {"source": 1, "aimAxis": "PositiveX"}}), (aim(ConstraintAxis::X, false), 1.0)),
            (json!({"aim": {"source": 1, "aimAxis": "NegativeZ", "weight": 7}}), (aim(ConstraintAxis::Z, true), 1.0)),
            (json!({"rotation": {"source": 1, "weight": -1}}), (ConstraintKind::Rotation, 0.0)),
        ] {
            assert_eq!(read(&constraint), Ok(expected), "{constraint}");
        }
    }

    #[test]
    fn invalid_constraints_are_reported() {
        for (constraint, fault) in [
            (json!({}), "it is not a roll, aim or rotation constraint"),
            (json!({"rotation": 5}), "it is not a roll, aim or rotation constraint"),
            (json!({"roll": {"source": 1}}), "its axis is missing or unknown"),
            (json!({"aim": {"source": 1, "aimAxis": "X"}}), "its axis is missing or unknown"),
            (json!({"aim": {"source": 1, "aimAxis": "PositiveW"}}), "its axis is missing or unknown"),
            (json!({"rotation": {"source": 2}}), "its source is not one of the 2 nodes"),
            (json!({"rotation": {"source": -1}}), "its source is not one of the 2 nodes"),
        ] {
            assert_eq!(read(&constraint), Err(format!("is not evaluated: {fault}")), "{constraint}");
        }
        let beta = json!({"specVersion": "2.0", "constraint": {"rotation": {"source": 1}}});
        assert_eq!(
            super::constraint(&beta, NodeIndex(0), &Hierarchy::default()).unwrap_err(),
            "is not evaluated: its version is not 1.0"
        );
    }
}
