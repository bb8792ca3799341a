//! Sweeps and ranks as CSV and JSON: angles in degrees, joints by names that the caller gives. NaN is written as empty or `null`.

use serde::Serialize;

use super::{Loss, Motion, Ranked, Standing, Sweep, SweepRow};
use crate::csv::Table;

#[derive(Serialize)]
struct SweepJson<'a> {
    joint: String,
    triangles: usize,
    rows: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    motion: Motion,
    angle_deg: f64,
    methods: Vec<LossJson<'a>>,
}

#[derive(Serialize)]
struct LossJson<'a> {
    method: &'a str,
    #[serde(flatten)]
    loss: &'a Loss,
}

impl Sweep {
    /// CSV with one line per turn and units in the header; each method has five columns that begin with its name.
    pub fn csv(&self) -> String {
        let columns = [
            "volume_ratio",
            "volume_ratio_uncertainty",
            "least_area_ratio",
            "largest_edge_ratio",
            "largest_distance_m",
        ];
        let of_method = |method: &String| columns.map(|column| format!("{method}_{column}"));
        let turn = ["motion", "angle_deg"].map(str::to_owned);
        let mut table = Table::new(turn.into_iter().chain(self.methods.iter().flat_map(of_method)));
        let numbers = |loss: &Loss| {
            let Loss { volume_ratio, volume_ratio_uncertainty: uncertainty, .. } = *loss;
            let Loss { least_area_ratio, largest_edge_ratio, largest_distance, .. } = *loss;
            [volume_ratio, uncertainty, least_area_ratio, largest_edge_ratio, largest_distance].map(field)
        };
        for SweepRow { motion, angle, losses } in &self.rows {
            let turn = [motion.name().to_owned(), degrees(*angle).to_string()];
            table.row(turn.into_iter().chain(losses.iter().flat_map(numbers)));
        }
        table.into_text()
    }

    /// JSON `{"joint":NAME,"triangles":N,"rows":[{"motion":"twist","angle_deg":A,"methods":[{"method":"lbs","volume_ratio":R,"volume_ratio_uncertainty":U,…},…]},…]}`.
    pub fn json(&self, joint: String) -> impl Serialize {
        let rows = self.rows.iter().map(|row| RowJson {
            motion: row.motion,
            angle_deg: degrees(row.angle),
            methods: self.methods.iter().zip(&row.losses).map(|(method, loss)| LossJson { method, loss }).collect(),
        });
        SweepJson { joint, triangles: self.triangles, rows: rows.collect() }
    }
}

#[derive(Serialize)]
struct RankedJson {
    joint: String,
    volume_loss: f32,
    volume_loss_uncertainty: f32,
    motion: Motion,
    angle_deg: f64,
    triangles: usize,
}

impl Ranked {
    /// CSV with one line per joint, with units in the header.
    ///
    /// *Shapes*: one name for each of `all`.
    pub fn csv(all: &[Self], names: &[String]) -> String {
        let mut table = Table::new([
            "joint",
            "volume_loss",
            "volume_loss_uncertainty",
            "motion",
            "angle_deg",
            "triangles",
            "too_thin",
            "speck",
        ]);
        for (name, r) in names.iter().zip(all) {
            let [loss, uncertainty] = [r.loss, r.uncertainty].map(field);
            let [angle, triangles] = [degrees(r.angle).to_string(), r.triangles.to_string()];
            let [too_thin, speck] = [r.is_too_thin(), r.is_speck].map(|is| is.to_string());
            table.row([&**name, &loss, &uncertainty, r.motion.name(), &angle, &triangles, &too_thin, &speck]);
        }
        table.into_text()
    }

    /// `[{"joint":NAME,"volume_loss":L,"volume_loss_uncertainty":U,"motion":"twist","angle_deg":A,"triangles":N},…]` as `rank`, and the same for joints
    /// that stand apart, as `too_thin` and `specks`.
    ///
    /// *Shapes*: one name for each of `all`.
    pub fn json(all: &[Self], names: &[String]) -> [(&'static str, impl Serialize); 3] {
        let row = |(ranked, joint): (&Self, &String)| RankedJson {
            joint: joint.clone(),
            volume_loss: ranked.loss,
            volume_loss_uncertainty: ranked.uncertainty,
            motion: ranked.motion,
            angle_deg: degrees(ranked.angle),
            triangles: ranked.triangles,
        };
        let lists = [("rank", Standing::Ranked), ("too_thin", Standing::TooThin), ("specks", Standing::Speck)];
        lists.map(|(key, standing)| {
            let of_list = all.iter().zip(names).filter(|(ranked, _)| ranked.standing() == standing);
            (key, of_list.map(row).collect::<Vec<_>>())
        })
    }
}

/// Degrees rounded to a thousandth: at 180°, single precision holds no more.
fn degrees(radians: f32) -> f64 {
    (f64::from(radians).to_degrees() * 1e3).round() / 1e3
}

fn field(number: f32) -> String {
    if number.is_finite() { number.to_string() } else { String::new() }
}
