//! Numbers of weights as CSV and JSON.

use serde::Serialize;

use super::found::{Balance, InfluenceNumbers, WeightNumbers};
use crate::csv::Table;

#[derive(Serialize)]
struct NumbersJson {
    vertices: usize,
    sum_error: f64,
    without: usize,
    influences: Option<InfluenceNumbers>,
    energy: f64,
    islands: usize,
    leak: f64,
    symmetry: Option<Balance>,
    joints: Vec<JointJson>,
}

#[derive(Serialize)]
struct JointJson {
    joint: String,
    vertices: usize,
    weight_sum: f64,
    largest: f64,
    energy: f64,
    pieces: usize,
    islands: usize,
}

impl WeightNumbers {
    /// CSV with one line per joint.
    ///
    /// *Shapes*: one name per joint.
    pub fn csv(&self, names: &[String]) -> String {
        let mut table = Table::new(["joint", "vertices", "weight_sum", "largest", "energy", "pieces", "islands"]);
        for (name, row) in names.iter().zip(&self.joints) {
            let [sum, largest, energy] = [row.weight_sum, row.largest, row.energy].map(|n| rounded(n).to_string());
            let [vertices, pieces, islands] = [row.vertices, row.pieces, row.islands].map(|count| count.to_string());
            table.row([name, &vertices, &sum, &largest, &energy, &pieces, &islands]);
        }
        table.into_text()
    }

    /// JSON `{"vertices":N,"sum_error":X,"without":N,"influences":{"mean":X,"p99":N,"most":N},"energy":X,"islands":N,"leak":X,"symmetry":{"mean_error":X,"largest_error":X,
    /// "matched_share":X},"joints":[{"joint":NAME,"vertices":N,"weight_sum":X,"largest":X,"energy":X,"pieces":N,"islands":N},…]}`.
    ///
    /// *Shapes*: one name per joint.
    pub fn json(&self, names: Vec<String>) -> impl Serialize {
        let rows = self.joints.iter().zip(names).map(|(row, joint)| JointJson {
            joint,
            vertices: row.vertices,
            weight_sum: rounded(row.weight_sum),
            largest: rounded(row.largest),
            energy: rounded(row.energy),
            pieces: row.pieces,
            islands: row.islands,
        });
        NumbersJson {
            vertices: self.vertices,
            sum_error: self.sum_error,
            without: self.without,
            influences: self.influences,
            energy: rounded(self.energy),
            islands: self.islands,
            leak: rounded(self.leak),
            symmetry: self.balance,
            joints: rows.collect(),
        }
    }
}

/// A weight rounded to six decimals, as many as single precision holds.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
