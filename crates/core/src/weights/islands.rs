//! Islands: tiny components of a bone's region that are cut off from the rest.

use std::collections::BTreeMap;

use super::body::Body;
use super::bone_weights::{PointWeights, Row, normalize};
use super::regions::Regions;
use crate::jobs::Progress;

/// Maximum weight of an island, relative to its bone's total weight.
const MAX_WEIGHT_FRACTION: f64 = 0.005;

/// Minimum fraction of a point's weight that must remain; otherwise the point takes a neighbour's row.
const LEFT: f32 = 0.5;

/// Removes islands. The other bones of each point take over; if they had little weight, the point copies a neighbour's
/// row. The heaviest component of a region on each connected surface is never an island.
pub(super) fn without_islands(body: &Body, shares: PointWeights, progress: &Progress) -> Option<PointWeights> {
    let (regions, areas) = rayon::join(|| Regions::new(body, &shares, progress), || areas(body));
    let regions = regions?;
    let is_island = islands(&regions, &areas);
    if !is_island.contains(&true) {
        return Some(shares);
    }
    let is_left = |piece: Option<usize>| piece.is_none_or(|piece| !is_island[piece]);
    let mut rows: Vec<Row> = Vec::with_capacity(shares.len());
    let mut is_open = vec![false; shares.len()];
    for (point, is_open) in is_open.iter_mut().enumerate() {
        let left = regions.row(point).filter(|(.., piece)| is_left(*piece)).map(|(bone, share, _)| (bone, share));
        let mut row: Row = left.collect();
        let (left, all) = (row.iter().map(|(_, share)| share).sum::<f32>(), shares.row(point).map(|(_, share)| share));
        if row.len() < shares.row(point).len() {
            *is_open = left < LEFT * all.sum::<f32>();
            normalize(&mut row);
        }
        rows.push(if *is_open { shares.row(point).collect() } else { row });
    }
    progress.check_cancelled()?;
    fill(body, &mut rows, is_open);
    Some(PointWeights::from_rows(rows))
}

fn islands(regions: &Regions<'_>, areas: &[f64]) -> Vec<bool> {
    let mut weights = vec![0.0; regions.pieces.len()];
    for (point, area) in areas.iter().enumerate() {
        for (_, share, piece) in regions.row(point) {
            if let Some(piece) = piece {
                weights[piece] += f64::from(share) * area;
            }
        }
    }
    let (mut of_bone, mut heaviest) = (BTreeMap::new(), BTreeMap::new());
    for (number, (piece, weight)) in regions.pieces.iter().zip(&weights).enumerate() {
        *of_bone.entry(piece.bone).or_insert(0.0) += weight;
        let heaviest = heaviest.entry(*piece).or_insert(number);
        if *weight > weights[*heaviest] {
            *heaviest = number;
        }
    }
    let pieces = regions.pieces.iter().zip(&weights).enumerate();
    pieces
        .map(|(number, (piece, weight))| {
            *weight < MAX_WEIGHT_FRACTION * of_bone[&piece.bone] && heaviest[piece] != number
        })
        .collect()
}

/// Returns the area of each point, m²: a third of the total area of its triangles.
fn areas(body: &Body) -> Vec<f64> {
    let mut areas = vec![0.0; body.points.len()];
    for triangle in &body.triangles {
        let [a, b, c] = triangle.map(|corner| body.points[corner as usize].as_dvec3());
        let third = (b - a).cross(c - a).length() / 6.0;
        for &corner in triangle {
            areas[corner as usize] += third;
        }
    }
    areas
}

/// Gives each open point (one that still needs a row) the row of its nearest neighbour that is not open, from the
/// border inwards.
fn fill(body: &Body, rows: &mut [Row], mut is_open: Vec<bool>) {
    let has_open = |triangle: &&[u32; 3]| triangle.iter().any(|&corner| is_open[corner as usize]);
    let triangles: Vec<[u32; 3]> = body.triangles.iter().filter(has_open).copied().collect();
    loop {
        let mut nearest: BTreeMap<usize, (f32, usize)> = BTreeMap::new();
        for triangle in &triangles {
            let corners = triangle.map(|corner| corner as usize);
            for to in corners.into_iter().filter(|&to| is_open[to]) {
                for from in corners.into_iter().filter(|&from| !is_open[from]) {
                    let found = (body.points[to].distance(body.points[from]), from);
                    let best = nearest.entry(to).or_insert(found);
                    if found < *best {
                        *best = found;
                    }
                }
            }
        }
        if nearest.is_empty() {
            return;
        }
        for (to, (_, from)) in nearest {
            let row = rows[from].clone();
            rows[to] = row;
            is_open[to] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Builds a strip of squares along x; `bone_of` returns the bone of each column.
    fn strip(bone_of: impl Fn(u32) -> u16) -> (Body, PointWeights) {
        let columns = 400_u32;
        let points = (0..=columns).flat_map(|x| [0.0, 1.0].map(|y| Vec3::new(x as f32, y, 0.0))).collect();
        let triangles = (0..columns).map(|x| 2 * x).flat_map(|a| [[a, a + 2, a + 3], [a, a + 3, a + 1]]).collect();
        let rows = (0..2 * (columns + 1)).map(|point| vec![(bone_of(point / 2), 1.0)]);
        (Body { points, triangles, ..Body::default() }, PointWeights::from_rows(rows))
    }

    fn bones(body: &Body, shares: PointWeights) -> Vec<u16> {
        let shares = without_islands(body, shares, &Progress::default()).unwrap();
        shares.rows().map(|mut row| row.next().unwrap().0).collect()
    }

    #[test]
    fn an_island_goes_to_its_neighbours_and_larger_pieces_stay() {
        for (width, is_island) in [(1, true), (3, false)] {
            let (body, shares) = strip(|x| u16::from((50..50 + width).contains(&x) || x >= 100));
            let found = bones(&body, shares);
            assert_eq!(found[2 * 50], u16::from(!is_island), "{width} columns");
            assert_eq!((found[2 * 49], found[2 * 100]), (0, 1));
        }
    }

    #[test]
    fn an_island_that_other_bones_share_leaves_them_what_they_had() {
        let (body, _) = strip(|_| 0);
        let row = |point: u32| match point / 2 {
            50 => vec![(0, 0.3), (1, 0.2), (2, 0.5)],
            x => vec![(u16::from(x >= 100), 0.5), (2, 0.5)],
        };
        let shares = PointWeights::from_rows((0..802).map(row));
        let cleaned = without_islands(&body, shares, &Progress::default()).unwrap();
        let row: Vec<(u16, f32)> = cleaned.row(100).collect();
        assert!(matches!(row[..], [(0, a), (2, b)] if (a - 0.375).abs() < 1e-6 && (b - 0.625).abs() < 1e-6), "{row:?}");
    }

    #[test]
    fn the_heaviest_piece_on_each_surface_is_no_island() {
        let (mut body, shares) = strip(|x| u16::from(x >= 100));
        let first = body.points.len() as u32;
        body.points.extend([Vec3::Z, Vec3::Z + Vec3::X * 0.1, Vec3::Z + Vec3::Y * 0.1]);
        body.triangles.push([first, first + 1, first + 2]);
        let rows = shares.rows().map(Iterator::collect).chain((0..3).map(|_| vec![(1, 0.4), (2, 0.6)]));
        let shares = PointWeights::from_rows(rows);
        let cleaned = without_islands(&body, shares.clone(), &Progress::default());
        assert!(cleaned == Some(shares), "nothing is taken from the only piece of a surface");
    }
}
