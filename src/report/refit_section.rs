use crate::page::{Element, paragraph, table, text};
use crate::refit::{Deviation, Proof};
use crate::stage::RefitSummary;

/// Returns the section about a changed skeleton: what was done, and how far the characters are apart.
pub(super) fn refit_section(refit: &RefitSummary) -> Vec<Element> {
    let done = refit.notes.iter().map(|note| {
        let (name, result) = note.split_once(": ").unwrap_or((note, ""));
        vec![text(name), text(result)]
    });
    let Proof { size_m, skin, joints, .. } = &refit.proof;
    let row = |(what, deviation): (&str, &Deviation)| {
        let Deviation { max_m, mean_m, place, pose, .. } = deviation;
        let of_size = deviation.max_of_size(*size_m);
        let numbers = [format!("{max_m:.1e}"), format!("{of_size:.1e}"), format!("{mean_m:.1e}")];
        let [largest, of_size, mean] = numbers.map(|number| text(&number));
        vec![text(what), largest, of_size, mean, text(place), text(pose)]
    };
    let [compared, ..] = refit.proof.lines();
    vec![
        table(&["Operation", "Result"], done),
        paragraph(&format!("{}. Both characters were compared in {compared}.", refit.verdict())),
        table(
            &["Distances", "Largest, m", "Largest, of the size", "Mean, m", "Where", "Pose"],
            [("Skin", skin), ("Joints", joints)].map(row),
        ),
    ]
}
