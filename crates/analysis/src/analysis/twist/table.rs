//! Sweeps and ranks as table rows: angles in degrees, joints by given names.

use super::{Loss, Motion, Ranked, Standing, Sweep};
use rigscope_core::rows::{Described, Shape, columns, csv, csv_of_cells, degrees, finite, rows};

rows! {
    /// The twist and bend test of a joint, turn by turn.
    pub struct SweepJson {
        /// Name of the joint.
        pub joint: String,
        /// Number of triangles of the region that it and its parent move.
        pub triangles: usize,
        /// The turns.
        pub rows: Vec<SweepRowJson>,
    }

    /// One turn of the twist and bend test, with the loss by each method.
    pub struct SweepRowJson {
        /// A twist about the bone or a bend about the hinge.
        pub motion: Motion,
        /// Angle of the turn, degrees.
        pub angle_deg: f64,
        /// The loss by each method.
        pub methods: Vec<MethodLossJson>,
    }

    /// The loss in a joint's region by one method at one angle; ratios are relative to the same method at angle 0.
    pub struct MethodLossJson {
        /// The method.
        pub method: String,
        /// Volume of the region with its openings closed, as a share of that at angle 0.
        pub volume_ratio: Option<f32>,
        /// Most by which the ratio would be another if the openings were closed otherwise.
        pub volume_ratio_uncertainty: Option<f32>,
        /// Area of the triangle that shrank most, as a share of its area at angle 0.
        pub least_area_ratio: f32,
        /// Length of the edge that grew most, as a share of its length at angle 0.
        pub largest_edge_ratio: f32,
        /// Largest distance of a vertex by the method from where another method puts it, metres.
        pub largest_distance_m: f32,
    }

    /// All joints by the volume that they lose, the worst first.
    pub struct RankingJson {
        /// The joints that are ranked.
        pub rank: Vec<RankedJointJson>,
        /// Joints with hardly any surface.
        pub specks: Vec<RankedJointJson>,
        /// Joints that are too thin to tell: their uncertainty swamps the loss.
        pub too_thin: Vec<RankedJointJson>,
    }

    /// A joint, and the turn at which linear blend skinning loses the largest share of its volume.
    pub struct RankedJointJson {
        /// Name of the joint.
        pub joint: String,
        /// Share of the volume of the joint's region that is lost.
        pub volume_loss: Option<f32>,
        /// Most by which the loss would be another if the openings of the region were closed otherwise.
        pub volume_loss_uncertainty: Option<f32>,
        /// A twist about the bone or a bend about the hinge.
        pub motion: Motion,
        /// Angle of the turn, degrees.
        pub angle_deg: f64,
        /// Number of triangles of the region.
        pub triangles: usize,
    }
}

impl Described for Motion {
    fn shape() -> Shape {
        Shape::Word([Self::Twist, Self::Bend].map(Self::name).to_vec())
    }
}

impl SweepJson {
    /// Converts the sweep of a joint with this name.
    pub fn new(sweep: &Sweep, joint: String) -> Self {
        let rows = sweep.rows.iter().map(|row| SweepRowJson {
            motion: row.motion,
            angle_deg: degrees(row.angle),
            methods: sweep
                .methods
                .iter()
                .zip(&row.losses)
                .map(|(method, loss)| MethodLossJson::new(method, loss))
                .collect(),
        });
        Self { joint, triangles: sweep.triangles, rows: rows.collect() }
    }

    /// Formats a sweep as CSV with a line for each rotation; each method has five columns that begin with its name.
    pub fn csv(&self) -> String {
        let of_turn = columns![|row: SweepRowJson| motion: row.motion.name(), angle_deg: row.angle_deg];
        let of_method = columns![|loss: MethodLossJson|
            volume_ratio: loss.volume_ratio,
            volume_ratio_uncertainty: loss.volume_ratio_uncertainty,
            least_area_ratio: loss.least_area_ratio,
            largest_edge_ratio: loss.largest_edge_ratio,
            largest_distance_m: loss.largest_distance_m,
        ];
        let methods = self.rows.first().map_or(&[][..], |row| &row.methods);
        let named =
            |method: &MethodLossJson| of_method.each_ref().map(|column| format!("{}_{}", method.method, column.name));
        let header = of_turn.iter().map(|column| column.name.to_owned()).chain(methods.iter().flat_map(named));
        let rows = self.rows.iter().map(|row| {
            let of_methods = row.methods.iter().flat_map(|loss| of_method.iter().map(|column| (column.cell)(loss)));
            of_turn.iter().map(|column| (column.cell)(row)).chain(of_methods).collect()
        });
        csv_of_cells(header, rows)
    }
}

impl MethodLossJson {
    fn new(method: &str, loss: &Loss) -> Self {
        Self {
            method: method.to_owned(),
            volume_ratio: finite(loss.volume_ratio),
            volume_ratio_uncertainty: finite(loss.volume_ratio_uncertainty),
            least_area_ratio: loss.least_area_ratio,
            largest_edge_ratio: loss.largest_edge_ratio,
            largest_distance_m: loss.largest_distance,
        }
    }
}

impl RankingJson {
    /// Lists of ranked joints.
    ///
    /// *Shapes*: one name for each of `all`.
    pub fn new(all: &[Ranked], names: &[String]) -> Self {
        let row = |(ranked, joint): (&Ranked, &String)| RankedJointJson {
            joint: joint.clone(),
            volume_loss: finite(ranked.loss),
            volume_loss_uncertainty: finite(ranked.uncertainty),
            motion: ranked.motion,
            angle_deg: degrees(ranked.angle),
            triangles: ranked.triangles,
        };
        let of = |standing: Standing| {
            all.iter().zip(names).filter(|(ranked, _)| ranked.standing() == standing).map(row).collect()
        };
        Self { rank: of(Standing::Ranked), specks: of(Standing::Speck), too_thin: of(Standing::TooThin) }
    }

    /// Formats ranked joints as CSV with a line for each joint.
    ///
    /// *Shapes*: one name for each of `all`.
    pub fn csv(all: &[Ranked], names: &[String]) -> String {
        #[expect(unused_variables, reason = "a column reads one of the two")]
        let columns = columns![|(name, ranked): (&String, &Ranked)|
            joint: name,
            volume_loss: ranked.loss,
            volume_loss_uncertainty: ranked.uncertainty,
            motion: ranked.motion.name(),
            angle_deg: degrees(ranked.angle),
            triangles: ranked.triangles,
            too_thin: ranked.is_too_thin(),
            speck: ranked.is_speck,
        ];
        csv(&columns, names.iter().zip(all))
    }
}
