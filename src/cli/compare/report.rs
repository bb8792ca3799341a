//! Results of a comparison as a table, as CSV and as JSON.

use super::super::console::escaped;
use crate::analysis::twist::{Loss, Ranked, Sweep, SweepRow};
use crate::csv::Table;
use crate::export::numbers_json;
use crate::stage::PoseNumbers;

/// The numbers that were asked for.
pub(super) enum CompareReport {
    /// Both methods in one pose.
    Pose(PoseNumbers),
    /// One joint at many angles.
    Sweep { joint: String, sweep: Sweep },
    /// All joints ranked, with a name for each.
    Rank { names: Vec<String>, ranked: Vec<Ranked> },
}

impl CompareReport {
    /// A table for people; names cannot break its lines.
    pub(super) fn text(&self, file: &str) -> String {
        let file = escaped(file);
        match self {
            Self::Pose(pose) => format!("{file}\n{}", pose_text(pose)),
            Self::Sweep { joint, sweep } => {
                format!("{file}, joint {}: {} triangles\n{}", escaped(joint), sweep.triangles, sweep_text(sweep))
            }
            Self::Rank { names, ranked } => {
                let names: Vec<String> = names.iter().map(|name| escaped(name).into_owned()).collect();
                format!("{file}\n{}", rank_text(&names, ranked))
            }
        }
    }

    /// CSV of one table, with units in the header.
    pub(super) fn csv(&self) -> String {
        match self {
            Self::Pose(pose) => pose_csv(pose),
            Self::Sweep { sweep, .. } => sweep.csv(),
            Self::Rank { names, ranked } => Ranked::csv(ranked, names),
        }
    }

    /// The report as JSON on one line.
    pub(super) fn json(&self, file: &str) -> String {
        match self {
            Self::Pose(pose) => numbers_json(file, [("pose", pose)]),
            Self::Sweep { joint, sweep } => numbers_json(file, [("sweep", sweep.json(joint.clone()))]),
            Self::Rank { names, ranked } => numbers_json(file, Ranked::json(ranked, names)),
        }
    }
}

fn pose_text(pose: &PoseNumbers) -> String {
    let [a, b] = &pose.methods;
    let head = format!("{:<14} {:>14} {:>14} {:>14}\n", "", format!("A {a}"), format!("B {b}"), "B - A");
    let is_compared = pose.distances_off.is_none();
    let row = |what: &str, [a, b]: [f64; 2]| {
        if !is_compared {
            return format!("{what:<14} {a:>14.6} {b:>14.6} {:>14}\n", "-");
        }
        let change = if a == 0.0 { String::new() } else { format!("  ({:+.2} %)", (b - a) / a.abs() * 100.0) };
        format!("{what:<14} {a:>14.6} {b:>14.6} {:>+14.6}{change}\n", b - a)
    };
    let distance = |what: &str, metres: Option<f64>, share: Option<f64>| match (metres, share) {
        (Some(metres), Some(share)) => format!("{what:<14} {metres:>14.6}  ({:.3} % of the size)\n", share * 100.0),
        _ => format!("{what:<14} {:>14}\n", "-"),
    };
    let worst = pose.worst.as_ref().map_or_else(String::new, |w| {
        let joint = w.joint.as_ref().map_or_else(String::new, |joint| format!(", joint {}", escaped(joint)));
        format!("largest at     vertex {} of mesh {}, primitive {}{joint}\n", w.vertex, w.mesh, w.primitive)
    });
    [
        head,
        row("volume, m3", pose.volume_m3),
        row("area, m2", pose.area_m2),
        distance("max dist., m", pose.max_distance_m, pose.max_distance_share),
        distance("mean dist., m", pose.mean_distance_m, pose.mean_distance_share),
        pose.distances_off.as_ref().map_or(String::new(), |why| format!("no distances:  {why}\n")),
        worst,
    ]
    .concat()
}

fn pose_csv(pose: &PoseNumbers) -> String {
    let mut table = Table::new([
        "method_a",
        "method_b",
        "volume_a_m3",
        "volume_b_m3",
        "area_a_m2",
        "area_b_m2",
        "max_distance_m",
        "mean_distance_m",
    ]);
    let ([volume_a, volume_b], [area_a, area_b]) = (pose.volume_m3, pose.area_m2);
    let sizes = [volume_a, volume_b, area_a, area_b].map(Some);
    let numbers = sizes.into_iter().chain([pose.max_distance_m, pose.mean_distance_m]);
    let numbers = numbers.map(|number| number.map_or_else(String::new, |number| number.to_string()));
    table.row(pose.methods.iter().cloned().chain(numbers));
    table.into_text()
}

fn sweep_text(sweep: &Sweep) -> String {
    let cells = |[volume, doubt, area, edge]: [String; 4]| format!("  | {volume:>9} {doubt:>7} {area:>9} {edge:>9}");
    let of_method = |method: &String| {
        cells([format!("{method} vol."), "±".to_owned(), "area min".to_owned(), "edge max".to_owned()])
    };
    let methods: String = sweep.methods.iter().map(of_method).collect();
    let line = |row: &SweepRow| {
        let ratios = |loss: &Loss| {
            [loss.volume_ratio, loss.volume_ratio_uncertainty, loss.least_area_ratio, loss.largest_edge_ratio]
                .map(ratio)
        };
        let losses: String = row.losses.iter().map(|loss| cells(ratios(loss))).collect();
        let distance = row.losses.iter().map(|loss| loss.largest_distance).fold(0.0, f32::max);
        format!("{:<5} {:>7.1}{losses}  | {distance:>8.5} m\n", row.motion.name(), row.angle.to_degrees())
    };
    let lines: String = sweep.rows.iter().map(line).collect();
    format!("{:<5} {:>7}{methods}  | {:>10}\n{lines}", "", "degrees", "dist. max")
}

fn rank_text(names: &[String], ranked: &[Ranked]) -> String {
    let mut text = format!("{:>8} {:>8}  {:<16} {:>9}  joint\n", "LBS loss", "±", "worst at", "triangles");
    let percent = |share: f32| if share.is_finite() { format!("{:.2} %", share * 100.0) } else { "-".to_owned() };
    let all: Vec<(&String, &Ranked)> = names.iter().zip(ranked).collect();
    for list in all.chunk_by(|(_, a), (_, b)| a.standing() == b.standing()) {
        let heading = list[0].1.standing().heading();
        text.extend(heading.map(|heading| format!("\n{heading}\n")));
        text.extend(list.iter().map(|(name, r)| {
            let turn = if r.loss > 5e-5 {
                format!("{} {:.0}°", r.motion.name(), r.angle.to_degrees())
            } else {
                String::new()
            };
            let [loss, uncertainty] = [r.loss, r.uncertainty].map(percent);
            format!("{loss:>8} {uncertainty:>8}  {turn:<16} {:>9}  {name}\n", r.triangles)
        }));
    }
    text
}

fn ratio(value: f32) -> String {
    if value.is_finite() { format!("{value:.4}") } else { "-".to_owned() }
}
