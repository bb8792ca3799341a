use super::super::console::Line;
use super::super::text_table::{TextTable, number, percent};
use crate::analysis::twist::{JointRank, MethodLossJson, SweepJson, SweepRowJson};
use crate::stage::{EquationTermJson, PoseNumbers, WorstEquationJson};

pub(super) fn pose_lines(file: &str, pose: &PoseNumbers) -> Vec<Line> {
    let [a, b] = &pose.methods;
    let head = format!("{:<14} {:>14} {:>14} {:>14}", "", format!("A {a}"), format!("B {b}"), "B - A");
    let is_compared = pose.distances_off.is_none();
    let row = |what: &str, [a, b]: [f64; 2]| {
        if !is_compared {
            return format!("{what:<14} {a:>14.6} {b:>14.6} {:>14}", "-");
        }
        let change = if a == 0.0 { String::new() } else { format!("  ({:+.2} %)", (b - a) / a.abs() * 100.0) };
        format!("{what:<14} {a:>14.6} {b:>14.6} {:>+14.6}{change}", b - a)
    };
    let distance = |what: &str, metres: Option<f64>, share: Option<f64>| match (metres, share) {
        (Some(metres), Some(share)) => format!("{what:<14} {metres:>14.6}  ({:.3} % of the size)", share * 100.0),
        _ => format!("{what:<14} {:>14}", "-"),
    };
    let worst = pose.worst.as_ref().map(|w| {
        let joint = w.joint.as_ref().map_or_else(String::new, |joint| format!(", joint {joint}"));
        format!("largest at     vertex {} of mesh {}, primitive {}{joint}", w.vertex, w.mesh, w.primitive)
    });
    let lines = [
        file.to_owned(),
        head,
        row("volume, m3", pose.volume_m3),
        row("area, m2", pose.area_m2),
        distance("max dist., m", pose.max_distance_m, pose.max_distance_fraction),
        distance("mean dist., m", pose.mean_distance_m, pose.mean_distance_fraction),
    ];
    let why = pose.distances_off.as_ref().map(|why| format!("no distances:  {why}"));
    let equation = pose.equation.iter().flat_map(equation_lines);
    lines.into_iter().chain(why).chain(worst).map(|line| Line::plain(&line)).chain(equation).collect()
}

/// Describes the vertex that is farthest from points of another program: both positions, and each joint's term.
fn equation_lines(equation: &WorstEquationJson) -> Vec<Line> {
    let xyz = |point: &[f64; 3]| point.map(|number| format!("{number:>11.6}")).join(" ");
    let place = |what: &str, point: &[f64; 3]| Line::plain(&format!("{what:<28}{}", xyz(point)));
    let table = TextTable::<EquationTermJson>::new()
        .right(10, "w_j", |term| format!("{:.6}", term.weight))
        .left(36, "T_j v", move |term| xyz(&term.moved_m))
        .left(36, "w_j T_j v", move |term| xyz(&term.term_m))
        .left(0, "joint", |term| term.joint.clone());
    let in_file = format!("point {} of the file", equation.point_index);
    let mut lines = vec![
        Line::default(),
        place(&in_file, &equation.file_point),
        place("the point in metres, Y up", &equation.point_m),
        place("expected", &equation.expected_m),
        place("v, in the bind pose", &equation.bound_m),
        table.head(),
    ];
    lines.extend(equation.terms.iter().map(|term| table.row(term)));
    lines.push(place("sum of w_j T_j v (LBS)", &equation.sum_m));
    lines
}

pub(super) fn sweep_lines(file: &str, sweep: &SweepJson) -> Vec<Line> {
    let mut table =
        TextTable::<SweepRowJson>::new()
            .left(5, "", |row| row.motion.name().to_owned())
            .right(7, "degrees", |row| format!("{:.1}", row.angle_deg));
    let methods = sweep.rows.first().map_or(&[][..], |row| &row.methods);
    for (at, MethodLossJson { method, .. }) in methods.iter().enumerate() {
        table = table
            .between("  | ")
            .right(9, &format!("{method} vol."), move |row| number(row.methods[at].volume_ratio.map(f64::from), 4))
            .right(7, "±", move |row| number(row.methods[at].volume_ratio_uncertainty.map(f64::from), 4))
            .right(9, "area min", move |row| number(f64::from(row.methods[at].min_area_ratio), 4))
            .right(9, "edge max", move |row| number(f64::from(row.methods[at].max_edge_ratio), 4));
    }
    let distance = |row: &SweepRowJson| row.methods.iter().map(|loss| loss.max_distance_m).fold(0.0, f32::max);
    let table = table.between("  | ").right(10, "dist. max", |row| format!("{:>8.5} m", distance(row)));
    let title = Line::plain(&format!("{file}, joint {}: {} triangles", sweep.joint, sweep.triangles));
    [title, table.head()].into_iter().chain(sweep.rows.iter().map(|row| table.row(row))).collect()
}

pub(super) fn rank_lines(file: &str, names: &[String], ranked: &[JointRank]) -> Vec<Line> {
    let turn = |ranked: &JointRank| {
        let turn = || format!("{} {:.0}°", ranked.motion.name(), ranked.angle.to_degrees());
        if ranked.loss > 5e-5 { turn() } else { String::new() }
    };
    let table = TextTable::<(&String, &JointRank)>::new()
        .right(8, "LBS loss", |(_, ranked)| percent(f64::from(ranked.loss)))
        .right(8, "±", |(_, ranked)| percent(f64::from(ranked.uncertainty)))
        .left(16, "worst at", |(_, ranked)| turn(ranked))
        .right(9, "triangles", |(_, ranked)| ranked.triangles.to_string())
        .left(0, "joint", |(name, _)| (*name).clone());
    let all: Vec<(&String, &JointRank)> = names.iter().zip(ranked).collect();
    let mut lines = vec![Line::plain(file), table.head()];
    for list in all.chunk_by(|(_, a), (_, b)| a.rank_list() == b.rank_list()) {
        let heading = list[0].1.rank_list().heading();
        lines.extend(heading.into_iter().flat_map(|heading| [Line::default(), Line::plain(heading)]));
        lines.extend(list.iter().map(|row| table.row(row)));
    }
    lines
}
