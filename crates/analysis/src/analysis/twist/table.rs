//! Rows for sweeps and rankings. Angles are in degrees. Callers supply the joint names.

use super::{JointRank, Loss, RankList, RotationKind, Sweep, TestRange};
use rigscope_core::rows::{Described, Shape, columns, csv, csv_of_cells, degrees, finite, rows};

rows! {
    /// Twist and bend test of a joint, one row per rotation.
    pub struct SweepJson {
        /// Name of the joint.
        pub joint: String,
        /// Number of triangles in the region that the joint and its parent move.
        pub triangles: usize,
        /// One row per rotation.
        pub rows: Vec<SweepRowJson>,
    }

    /// One rotation of the twist and bend test.
    pub struct SweepRowJson {
        /// Kind of rotation: a twist about the bone or a bend about the hinge.
        pub motion: RotationKind,
        /// Angle of the rotation, degrees.
        pub angle_deg: f64,
        /// Loss with each method.
        pub methods: Vec<MethodLossJson>,
    }

    /// Loss in a joint's region with one method at one angle. Ratios are relative to the same method at angle 0.
    pub struct MethodLossJson {
        /// Name of the method.
        pub method: String,
        /// Volume of the region with its openings closed, relative to angle 0.
        pub volume_ratio: Option<f32>,
        /// Maximum change of the ratio if other caps closed the openings.
        pub volume_ratio_uncertainty: Option<f32>,
        /// Area of the most shrunk triangle, relative to angle 0.
        pub min_area_ratio: f32,
        /// Length of the most stretched edge, relative to angle 0.
        pub max_edge_ratio: f32,
        /// Maximum distance between a vertex's position with this method and with any other method, metres.
        pub max_distance_m: f32,
    }

    /// All joints by lost volume, worst first.
    pub struct RankingJson {
        /// Range of angles.
        pub range: TestRange,
        /// Ranked joints.
        pub rank: Vec<RankedJointJson>,
        /// Joints with hardly any surface.
        pub specks: Vec<RankedJointJson>,
        /// Joints whose loss is too uncertain to rank.
        pub too_thin: Vec<RankedJointJson>,
    }

    /// Joint, and the rotation at which linear blend skinning loses most of its volume.
    pub struct RankedJointJson {
        /// Name of the joint.
        pub joint: String,
        /// Fraction of the region's volume that is lost.
        pub volume_loss: Option<f32>,
        /// Maximum change of the loss if other caps closed the openings of the region.
        pub volume_loss_uncertainty: Option<f32>,
        /// Kind of rotation: a twist about the bone or a bend about the hinge.
        pub motion: RotationKind,
        /// Angle of the rotation, degrees.
        pub angle_deg: f64,
        /// Number of triangles in the region.
        pub triangles: usize,
    }
}

impl Described for RotationKind {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

impl Described for TestRange {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

impl SweepJson {
    /// Converts a sweep; `joint` is the joint's name.
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

    /// Formats a sweep as CSV, one line per rotation. Each method has five columns, prefixed with the method's name.
    pub fn csv(&self) -> String {
        let of_turn = columns![|row: SweepRowJson| motion: row.motion.name(), angle_deg: row.angle_deg];
        let of_method = columns![|loss: MethodLossJson|
            volume_ratio: loss.volume_ratio,
            volume_ratio_uncertainty: loss.volume_ratio_uncertainty,
            min_area_ratio: loss.min_area_ratio,
            max_edge_ratio: loss.max_edge_ratio,
            max_distance_m: loss.max_distance_m,
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
            min_area_ratio: loss.min_area_ratio,
            max_edge_ratio: loss.max_edge_ratio,
            max_distance_m: loss.largest_distance,
        }
    }
}

impl RankingJson {
    /// Creates the lists. `names` holds one joint name per entry of `all`.
    pub fn new(range: TestRange, all: &[JointRank], names: &[String]) -> Self {
        let row = |(ranked, joint): (&JointRank, &String)| RankedJointJson {
            joint: joint.clone(),
            volume_loss: finite(ranked.loss),
            volume_loss_uncertainty: finite(ranked.uncertainty),
            motion: ranked.motion,
            angle_deg: degrees(ranked.angle),
            triangles: ranked.triangles,
        };
        let of = |standing: RankList| {
            all.iter().zip(names).filter(|(ranked, _)| ranked.rank_list() == standing).map(row).collect()
        };
        Self { range, rank: of(RankList::Ranked), specks: of(RankList::Speck), too_thin: of(RankList::TooThin) }
    }

    /// Formats ranked joints as CSV, one line per joint. `names` holds one joint name per entry of `all`.
    pub fn csv(all: &[JointRank], names: &[String]) -> String {
        #[expect(unused_variables, reason = "a column reads one of the two")]
        let columns = columns![|(name, ranked): (&String, &JointRank)|
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
