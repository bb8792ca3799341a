use glam::DVec3;

/// Points of another program at one moment, in its own space and unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointFrame {
    /// Number of the frame in the file, if the file numbers its frames.
    pub number: Option<i64>,
    /// Points in the order of the file, by primitive if the file states primitives.
    pub groups: Vec<PointGroup>,
}

/// Points of one primitive, or of a whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointGroup {
    /// Node that carries the mesh and primitive of the mesh, both as numbers in the rig's file; `None` if not stated.
    pub primitive: Option<(usize, usize)>,
    /// Positions; they may be infinite or NaN.
    pub positions: Vec<DVec3>,
    /// Normals, one per position, if the file has them.
    pub normals: Option<Vec<DVec3>>,
}

impl PointFrame {
    /// Creates a frame without primitives and normals.
    pub fn from_positions(positions: Vec<DVec3>) -> Self {
        Self { groups: vec![PointGroup { positions, ..PointGroup::default() }], number: None }
    }

    /// Returns the frame with a number. Frames without numbers count from 0.
    pub fn numbered(frames: &[Self], wanted: i64) -> Option<&Self> {
        let number = |(rank, frame): (i64, &Self)| frame.number.unwrap_or(rank);
        (0..).zip(frames).find(|pair| number(*pair) == wanted).map(|(_, frame)| frame)
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.positions.len()).sum()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
