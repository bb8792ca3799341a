use serde_json::{Value, json};

use crate::rig::{Constraint, ConstraintAxis, ConstraintKind, Hierarchy};

pub(super) fn constraint(constraint: &Constraint, hierarchy: &Hierarchy) -> Value {
    let Constraint { source, kind, weight, .. } = constraint;
    let mut of_kind = json!({"source": hierarchy.source(*source), "weight": weight});
    match kind {
        ConstraintKind::Roll(axis) => of_kind["rollAxis"] = json!(name(*axis)),
        ConstraintKind::Aim { axis, is_negative } => {
            let end = if *is_negative { "Negative" } else { "Positive" };
            of_kind["aimAxis"] = json!(format!("{end}{}", name(*axis)));
        }
        ConstraintKind::Rotation => {}
    }
    json!({Constraint::EXTENSION: {"specVersion": "1.0", "constraint": {kind.name(): of_kind}}})
}

fn name(axis: ConstraintAxis) -> &'static str {
    match axis {
        ConstraintAxis::X => "X",
        ConstraintAxis::Y => "Y",
        ConstraintAxis::Z => "Z",
    }
}
