//! The JSON that `rigscope bake` writes, and plain lists of points.

use glam::DVec3;
use serde::Deserialize;

use rigscope_core::rig::{PointFrame, PointGroup};

use super::triples::triples;

/// `null` stands for a number that is not finite.
type Point = [Option<f64>; 3];

#[derive(Deserialize)]
struct BakedDocument {
    primitives: Vec<BakedPrimitive>,
}

#[derive(Deserialize)]
struct BakedPrimitive {
    node: usize,
    primitive: usize,
    positions: Vec<Point>,
    normals: Option<Vec<Point>>,
}

#[derive(Deserialize)]
struct NamedPoints {
    #[serde(alias = "points", alias = "vertices")]
    positions: PointList,
    normals: Option<Vec<Point>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PointList {
    Points(Vec<Point>),
    Frames(Vec<Vec<Point>>),
    Numbers(Vec<f64>),
}

pub(super) fn points(bytes: &[u8]) -> Result<Vec<PointFrame>, String> {
    let starts_object = bytes.trim_ascii_start().starts_with(b"{");
    if !starts_object {
        let list: PointList = serde_json::from_slice(bytes).map_err(|e| unreadable(&e))?;
        return list.frames(None);
    }
    let baked = match serde_json::from_slice::<BakedDocument>(bytes) {
        Ok(baked) => baked,
        Err(problem) => {
            let named: NamedPoints = serde_json::from_slice(bytes).map_err(|_other| unreadable(&problem))?;
            return named.positions.frames(named.normals);
        }
    };
    let group = |baked: BakedPrimitive| PointGroup {
        primitive: Some((baked.node, baked.primitive)),
        positions: baked.positions.into_iter().map(point).collect(),
        normals: baked.normals.map(|normals| normals.into_iter().map(point).collect()),
    };
    Ok(vec![PointFrame { groups: baked.primitives.into_iter().map(group).collect(), number: None }])
}

fn unreadable(problem: &serde_json::Error) -> String {
    format!("the JSON is neither that of rigscope bake nor a list of [x, y, z]: {problem}")
}

fn point(numbers: Point) -> DVec3 {
    DVec3::from_array(numbers.map(|number| number.unwrap_or(f64::NAN)))
}

impl PointList {
    fn frames(self, normals: Option<Vec<Point>>) -> Result<Vec<PointFrame>, String> {
        let frame = |points: Vec<Point>| PointFrame::from_positions(points.into_iter().map(point).collect());
        let mut frames = match self {
            Self::Points(points) => vec![frame(points)],
            Self::Frames(frames) => frames.into_iter().map(frame).collect(),
            Self::Numbers(numbers) => vec![PointFrame::from_positions(triples(&numbers)?)],
        };
        let only = frames.first_mut().and_then(|frame| frame.groups.first_mut());
        if let (Some(group), Some(normals)) = (only, normals) {
            group.normals = Some(normals.into_iter().map(point).collect())
                .filter(|n: &Vec<DVec3>| n.len() == group.positions.len());
        }
        Ok(frames)
    }
}
