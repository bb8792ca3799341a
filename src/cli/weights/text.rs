use super::super::console::{BOLD, Line};
use super::super::text_table::{TextTable, number};
use crate::analysis::weight_problems::WeightProblems;
use crate::rig::Rig;
use crate::text::counted;
use crate::weights::{JointWeightsJson, WeightNumbersJson};

pub(super) fn lines(file: &str, weights: &WeightNumbersJson) -> Vec<Line> {
    let table = TextTable::<JointWeightsJson>::new()
        .right(10, "energy", |row| number(row.energy, 3))
        .right(10, "vertices", |row| row.vertices.to_string())
        .right(12, "weight sum", |row| number(row.weight_sum, 2))
        .right(8, "largest", |row| number(row.largest, 3))
        .right(10, "components", |row| row.components.to_string())
        .right(8, "islands", |row| row.islands.to_string())
        .left(0, "joint", |row| row.joint.clone());
    let mut lines = vec![Line::default().styled(BOLD, file)];
    lines.extend(rows(weights).into_iter().map(|(what, text)| Line::plain(&format!("  {what:<14}{text}"))));
    if !weights.joints.is_empty() {
        lines.extend([Line::default(), table.head()]);
    }
    lines.extend(weights.joints.iter().map(|row| table.row(row)));
    lines
}

pub(super) fn weight_problems(found: &WeightProblems, rig: &Rig) -> Vec<Line> {
    let listed = found.list.len();
    let heading = match found.count {
        0 => format!("No weight problems in {} poses", found.poses),
        count if count > listed => {
            format!("Weight problems: {listed} of {count} in {} poses, largest and worst first", found.poses)
        }
        count => format!("Weight problems: {count} in {} poses, largest and worst first", found.poses),
    };
    let rows = found.list.iter().map(|problem| {
        let (vertices, area) = (counted(problem.vertex_count(), "vertex", "vertices"), problem.area_fraction * 100.0);
        let meshes: Vec<&str> =
            problem.primitives.iter().map(|(part, _)| &*rig.meshes[rig.instances[part.instance].mesh].name).collect();
        let mesh = meshes.first().copied().unwrap_or_default();
        Line::plain(&format!("{vertices:>17} {area:>7.2} %  {mesh}: {}", problem.sentence(rig)))
    });
    [Line::default(), Line::default().styled(BOLD, &heading)].into_iter().chain(rows).collect()
}

fn rows(found: &WeightNumbersJson) -> Vec<(&'static str, String)> {
    let mut rows =
        vec![("vertices", format!("{} that a skin moves, {} of them without weight", found.vertices, found.without))];
    if let Some(influences) = found.influences {
        let mean = influences.mean;
        rows.push((
            "influences",
            format!("{mean:.2} on average, 99 % up to {}, at most {}", influences.p99, influences.max),
        ));
        rows.push(("sums", format!("off 1 by up to {:.7}", found.sum_error)));
        rows.push(("smoothness", format!("energy {:.3}", found.energy)));
        let leak = found.leak * 100.0;
        rows.push(("locality", format!("{} islands; {leak:.2} % of all weight leaks through the air", found.islands)));
        rows.push((
            "symmetry",
            found.symmetry.map_or_else(
                || "joints have no opposite ones".to_owned(),
                |balance| {
                    let share = balance.matched_fraction * 100.0;
                    format!(
                        "off by {:.4} on average, up to {:.3}; {share:.0} % of the points have an image",
                        balance.mean_error, balance.largest_error
                    )
                },
            ),
        ));
    }
    rows
}
