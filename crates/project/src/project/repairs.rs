use rigscope_analysis::analysis::lint::{Code, Target};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::Rig;
use rigscope_core::weights::{Repair, StoredFault, WeightRepairResult, fix};
use rigscope_io::import::ImportWarning;

/// Returns the repair for a finding code; `None` if the finding has to be fixed by hand.
pub fn repair_for(code: Code) -> Option<Repair> {
    match code {
        Code::WeightSum | Code::WeightInvalid | Code::JointOutOfRange => Some(Repair::Normalize),
        Code::WeightZero => Some(Repair::Weight),
        Code::RepeatedJoint => Some(Repair::Merge),
        Code::TinyInfluence => Some(Repair::Prune),
        Code::ManyInfluences => Some(Repair::Limit),
        _ => None,
    }
}

/// Repairs the weight faults that have the given finding codes. `warnings` locates faults in the file's weights.
/// Returns `None` if cancelled.
pub fn fixed(
    rig: &Rig,
    warnings: &[ImportWarning],
    codes: impl IntoIterator<Item = Code>,
    progress: &Progress,
) -> Option<WeightRepairResult> {
    let mut repairs: Vec<Repair> = codes.into_iter().filter_map(repair_for).collect();
    repairs.sort_unstable();
    repairs.dedup();
    apply_repairs(rig, warnings, &repairs, progress)
}

/// Applies repairs to the weights of a rig. `warnings` locates faults in the file's weights. Returns `None` if
/// cancelled.
pub fn apply_repairs(
    rig: &Rig,
    warnings: &[ImportWarning],
    repairs: &[Repair],
    progress: &Progress,
) -> Option<WeightRepairResult> {
    let stored: Vec<StoredFault> = warnings.iter().filter_map(stored_fault).collect();
    fix(rig, repairs, &stored, progress)
}

fn stored_fault(warning: &ImportWarning) -> Option<StoredFault> {
    let repair = repair_for(warning.finding.code)?;
    let Target::Primitive { mesh, primitive, vertices, .. } = &warning.finding.target else { return None };
    Some(StoredFault { repair, mesh: *mesh, primitive: *primitive, vertices: vertices.clone() })
}
