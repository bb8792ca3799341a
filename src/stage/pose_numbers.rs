use super::WorstEquationJson;
use crate::analysis::measure::{SurfaceSize, WorstVertex};
use crate::analysis::sides::SideComparison;
use crate::rig::{Rig, joint_names};
use crate::rows::{columns, csv, rows};

rows! {
    /// Comparison of two methods, A and B, in one pose. Distances are also given as fractions of the rig's size, which
    /// is the diagonal of its rest bounds.
    pub struct PoseNumbers {
        /// Names of the two skinnings.
        pub methods: [String; 2],
        /// Volume that the surfaces enclose, m³.
        pub volume_m3: [f64; 2],
        /// Area of the surfaces, m².
        pub area_m2: [f64; 2],
        /// Largest distance between corresponding vertices of A and B, metres; null if the vertices are not matched.
        pub max_distance_m: Option<f64>,
        /// Mean distance between corresponding vertices of A and B, metres; null if the vertices are not matched.
        pub mean_distance_m: Option<f64>,
        /// The largest distance divided by the rig's size.
        pub max_distance_fraction: Option<f64>,
        /// The mean distance divided by the rig's size.
        pub mean_distance_fraction: Option<f64>,
        /// Reason for missing distances.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub distances_off: Option<String>,
        /// Vertex with the largest distance; null if all distances are 0 or unknown.
        pub worst: Option<WorstVertex>,
        /// Equation of this vertex; only if side B shows points of another program.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub equation: Option<WorstEquationJson>,
    }
}

impl PoseNumbers {
    /// Converts a measurement, with the rig's names for vertices and joints.
    pub fn new(
        rig: &Rig,
        methods: [String; 2],
        measured: &SideComparison,
        equation: Option<WorstEquationJson>,
    ) -> Self {
        let off = measured.unmatched.as_ref();
        let known = |value: f64| Some(value).filter(|_| off.is_none());
        let distance = &measured.distance;
        let [max_distance_fraction, mean_distance_fraction] = measured.shares;
        Self {
            methods,
            volume_m3: measured.sizes.map(|size: SurfaceSize| size.volume).into(),
            area_m2: measured.sizes.map(|size| size.area).into(),
            max_distance_m: known(distance.max),
            mean_distance_m: known(distance.mean),
            max_distance_fraction: known(max_distance_fraction),
            mean_distance_fraction: known(mean_distance_fraction),
            distances_off: off.map(ToString::to_string),
            worst: WorstVertex::new(rig, distance, &|joint| joint_names(&rig.hierarchy, &[joint]).concat()),
            equation,
        }
    }

    /// Returns a CSV table with one row.
    pub fn csv(&self) -> String {
        let columns = columns![|pose: &Self|
            method_a: pose.methods[0],
            method_b: pose.methods[1],
            volume_a_m3: pose.volume_m3[0],
            volume_b_m3: pose.volume_m3[1],
            area_a_m2: pose.area_m2[0],
            area_b_m2: pose.area_m2[1],
            max_distance_m: pose.max_distance_m,
            mean_distance_m: pose.mean_distance_m,
        ];
        csv(&columns, [self])
    }
}
