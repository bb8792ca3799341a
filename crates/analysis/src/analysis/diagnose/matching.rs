//! Matches points of another program with the vertices of a rig.

use std::collections::HashMap;

use glam::{DMat3, DVec3, Vec3};

use rigscope_core::rig::{PointFrame, PointGroup, PointTree, Pose, evaluate, polar_f64};
use rigscope_core::skinning::Skinning;
use rigscope_core::text::{counted, listed};

use super::pipeline::{Bind, Pipeline};
use super::raw::RawRig;

/// Vertices and their numbers in the points.
pub(super) struct MatchedVertices {
    /// Primitive and vertex, sorted by primitive.
    pub vertices: Vec<(usize, u32)>,
    /// Number of each vertex's point, counted across groups.
    pub order: Vec<usize>,
    /// Completes "Matched by …".
    pub by: &'static str,
}

/// Points by vertex.
pub(super) struct MatchedPoints {
    /// Primitive and vertex, sorted by primitive.
    pub vertices: Vec<(usize, u32)>,
    pub points: Vec<DVec3>,
    pub normals: Option<Vec<DVec3>>,
    /// Completes "Matched by …".
    pub by: &'static str,
}

impl MatchedVertices {
    /// Returns the points of the vertices; the frame must have the groups of the matched one.
    pub(super) fn points(&self, frame: &PointFrame) -> Vec<DVec3> {
        let all: Vec<DVec3> = frame.groups.iter().flat_map(|group| group.positions.iter().copied()).collect();
        self.order.iter().map(|&at| all[at]).collect()
    }

    /// Returns the normals of the vertices; `None` if not all groups of matched vertices have normals.
    pub(super) fn normals(&self, frame: &PointFrame) -> Option<Vec<DVec3>> {
        let mut all = Vec::with_capacity(frame.len());
        for PointGroup { positions, normals, .. } in &frame.groups {
            match normals.as_ref().filter(|normals| normals.len() == positions.len()) {
                Some(normals) => all.extend(normals.iter().copied().map(Some)),
                None => all.resize(all.len() + positions.len(), None),
            }
        }
        self.order.iter().map(|&at| all[at]).collect()
    }

    fn into_points(self, frame: &PointFrame) -> MatchedPoints {
        let (points, normals) = (self.points(frame), self.normals(frame));
        MatchedPoints { vertices: self.vertices, points, normals, by: self.by }
    }
}

/// A rotation or reflection, scale and translation: `p -> scale * turn * p + shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SimilarityFit {
    pub turn: DMat3,
    pub scale: f64,
    pub shift: DVec3,
    /// Root mean square of the distances that remain.
    pub rms: f64,
}

/// Matches points by primitive, else by count and order, else by positions at rest.
///
/// *Errors*: why nothing fits, and what to do.
pub(super) fn match_points(
    raw: &RawRig<'_>,
    usual: &Pipeline,
    frame: &PointFrame,
    at_rest: Option<&PointFrame>,
) -> Result<MatchedPoints, String> {
    match_vertices(raw, usual, frame, at_rest).map(|matched| matched.into_points(frame))
}

/// Like [`match_points`], without the points.
pub(super) fn match_vertices(
    raw: &RawRig<'_>,
    usual: &Pipeline,
    frame: &PointFrame,
    at_rest: Option<&PointFrame>,
) -> Result<MatchedVertices, String> {
    if let Some(at_rest) = at_rest {
        return by_rest(raw, usual, frame, at_rest);
    }
    if frame.groups.iter().all(|group| group.primitive.is_some()) {
        return by_primitive(raw, frame);
    }
    let sizes: Vec<usize> = raw.parts.iter().map(|part| part.primitive.positions.len()).collect();
    let count = frame.len();
    let all: Vec<usize> = (0..raw.parts.len()).collect();
    let skinned: Vec<usize> = all.iter().copied().filter(|&part| raw.parts[part].skin.is_some()).collect();
    let total = |parts: &[usize]| parts.iter().map(|&part| sizes[part]).sum::<usize>();
    let alone: Vec<usize> = all.iter().copied().filter(|&part| sizes[part] == count).collect();
    let instances = || 0..raw.rig.instances.len();
    let of_instance = |instance| all.iter().copied().filter(|&p| raw.parts[p].instance == instance).collect::<Vec<_>>();
    // Several meshes of the same size can't be told apart.
    let by_instance = || {
        let mut fitting = instances().map(of_instance).filter(|parts| total(parts) == count);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let (parts, by) = if total(&all) == count {
        (all, "count and order, all primitives")
    } else if total(&skinned) == count {
        (skinned, "count and order, skinned primitives")
    } else if let [only] = alone[..] {
        (vec![only], "the count of one primitive")
    } else if let Some(parts) = by_instance() {
        (parts, "the count of one mesh")
    } else {
        let sizes = raw.parts.iter().map(|part| part.primitive.positions.len().to_string());
        return Err(format!(
            "The file has {}, but the rig draws {} in {} ({}): the order cannot be matched. Export one point per vertex \
             of the file's POSITION accessors, or give --points-rest, the same program's points in the rest pose",
            counted(count, "point", "points"),
            counted(raw.rig.vertex_count(), "vertex", "vertices"),
            counted(raw.parts.len(), "primitive", "primitives"),
            listed(sizes.collect::<Vec<_>>(), 6),
        ));
    };
    Ok(in_better_order(raw, usual, (&parts, &sizes), frame, by))
}

/// Assigns points in the order of the hierarchy or, if it fits better, in the order of the nodes in the file.
fn in_better_order(
    raw: &RawRig<'_>,
    usual: &Pipeline,
    (parts, sizes): (&[usize], &[usize]),
    frame: &PointFrame,
    by: &'static str,
) -> MatchedVertices {
    let points: Vec<DVec3> = frame.groups.iter().flat_map(|group| group.positions.iter().copied()).collect();
    let mut by_node = parts.to_vec();
    by_node.sort_by_key(|&part| {
        let part = &raw.parts[part];
        (raw.nodes[part.node].source, part.primitive.source)
    });
    let vertices = |parts: &[usize]| {
        let vertices = |&part: &usize| (0..sizes[part] as u32).map(move |vertex| (part, vertex));
        parts.iter().flat_map(vertices).collect::<Vec<_>>()
    };
    let [by_tree, by_node] = [vertices(parts), vertices(&by_node)];
    let rms = |vertices: &[(usize, u32)]| {
        let expected = raw.points(usual, vertices);
        SimilarityFit::new(&expected, &points).map_or(f64::INFINITY, |fit| fit.rms)
    };
    let is_by_node = by_tree != by_node && rms(&by_node) < rms(&by_tree);
    if !is_by_node {
        return MatchedVertices { order: (0..by_tree.len()).collect(), vertices: by_tree, by };
    }
    let mut order: Vec<usize> = (0..by_node.len()).collect();
    order.sort_by_key(|&at| by_node[at]);
    MatchedVertices { vertices: order.iter().map(|&at| by_node[at]).collect(), order, by }
}

fn by_primitive(raw: &RawRig<'_>, frame: &PointFrame) -> Result<MatchedVertices, String> {
    let mut matched = MatchedVertices { vertices: Vec::new(), order: Vec::new(), by: "node and primitive" };
    let starts = frame.groups.iter().scan(0, |next, group| {
        let start = *next;
        *next += group.positions.len();
        Some(start)
    });
    let starts: Vec<usize> = starts.collect();
    let mut is_used = vec![false; frame.groups.len()];
    let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, group) in frame.groups.iter().enumerate().rev() {
        groups.entry(group.primitive).or_default().push(at);
    }
    for (index, part) in raw.parts.iter().enumerate() {
        let key = (raw.nodes[part.node].source, part.primitive.source);
        let Some(at) = groups.get_mut(&Some(key)).and_then(Vec::pop) else { continue };
        is_used[at] = true;
        let group = &frame.groups[at];
        let (given, own) = (group.positions.len(), part.primitive.positions.len());
        if given != own {
            let (node, primitive) = key;
            return Err(format!(
                "Primitive {primitive} of node {node} has {given} points, but {own} vertices in the rig. Export the \
                 points of the same file"
            ));
        }
        matched.vertices.extend((0..own as u32).map(|vertex| (index, vertex)));
        matched.order.extend(starts[at]..starts[at] + given);
    }
    if matched.vertices.len() < raw.vertex_count() || is_used.contains(&false) {
        matched.by = "node and primitive; other primitives have no counterpart";
    }
    if matched.vertices.is_empty() {
        return Err(
            "No primitive of the points is a primitive of the rig. Export the points of the same file".to_owned()
        );
    }
    Ok(matched)
}

/// Gives each vertex the point that is nearest to it at rest, or in the bind pose.
fn by_rest(
    raw: &RawRig<'_>,
    usual: &Pipeline,
    frame: &PointFrame,
    at_rest: &PointFrame,
) -> Result<MatchedVertices, String> {
    let rest: Vec<DVec3> = at_rest.groups.iter().flat_map(|group| group.positions.iter().copied()).collect();
    if frame.len() != rest.len() {
        return Err(format!(
            "There are {} points in the pose and {} at rest. Export both from the same mesh",
            frame.len(),
            rest.len()
        ));
    }
    let vertices: Vec<(usize, u32)> = raw.vertices().collect();
    let pose = Pose::rest(&raw.rig.hierarchy);
    let posed = evaluate(raw.rig, None, &pose);
    let at_rest = RawRig::new(raw.rig, (&pose, &posed, None), &Skinning::default());
    let places: Vec<Vec3> = rest.iter().map(|point| point.as_vec3()).collect();
    let tree = PointTree::new(&places, (0..places.len() as u32).collect());
    let nearest = |p: &DVec3| tree.nearest(p.as_vec3(), f32::INFINITY, |_| true).map(|(at, _)| at as usize);
    let mut fewest = vertices.len();
    // In programs that write FBX, rest is the bind pose.
    for (bind, by) in [
        (usual.bind, "positions at rest"),
        (Bind::FromRestInMesh, "positions in the bind pose"),
        (Bind::FromRest, "positions in the bind pose"),
    ] {
        let own = at_rest.points(&Pipeline { bind, ..*usual }, &vertices);
        let order: Option<Vec<usize>> = own.iter().map(nearest).collect();
        let order = order.ok_or("The points at rest are empty")?;
        let size = extent(&own);
        let far = own.iter().zip(&order).filter(|(p, at)| p.distance(rest[**at]) > size * 1e-3).count();
        if far <= own.len() / 100 {
            return Ok(MatchedVertices { vertices, order, by });
        }
        fewest = fewest.min(far);
    }
    Err(format!(
        "{fewest} of {} vertices have no point near them at rest. Export the rest pose or the bind pose in metres, +Y up",
        vertices.len()
    ))
}

/// Returns the diagonal of the bounding box of finite points; 1 if it is empty or a point.
pub(super) fn extent(points: &[DVec3]) -> f64 {
    let finite = || points.iter().copied().filter(|point| point.is_finite());
    let (Some(min), Some(max)) = (finite().reduce(DVec3::min), finite().reduce(DVec3::max)) else { return 1.0 };
    let size = min.distance(max);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

impl SimilarityFit {
    /// Fits points to expected points by least squares; `None` with fewer than three finite points. *Source*: Umeyama
    /// 1991, without the condition that the result be a rotation.
    pub(super) fn new(expected: &[DVec3], points: &[DVec3]) -> Option<Self> {
        const MAX_POINTS: usize = 4096;
        let step = (points.len() / MAX_POINTS).max(1);
        let pairs = || {
            let pairs = expected.iter().copied().zip(points.iter().copied()).step_by(step);
            pairs.filter(|(a, b)| a.is_finite() && b.is_finite())
        };
        let count = pairs().count();
        if count < 3 {
            return None;
        }
        let mean = |sum: DVec3| sum / count as f64;
        let (from, to) = (mean(pairs().map(|(a, _)| a).sum()), mean(pairs().map(|(_, b)| b).sum()));
        let mut covariance = DMat3::ZERO;
        let mut variance = 0.0;
        for (a, b) in pairs() {
            let (a, b) = (a - from, b - to);
            covariance += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
            variance += a.length_squared();
        }
        let (rotation, stretch) = polar_f64(covariance);
        let sign = if covariance.determinant() < 0.0 { -1.0 } else { 1.0 };
        let trace = (stretch.x_axis.x + stretch.y_axis.y + stretch.z_axis.z) * sign;
        let scale = if variance > 0.0 { trace / variance } else { 1.0 };
        let turn = DMat3::from_quat(rotation) * sign;
        let shift = to - turn * from * scale;
        let fit = Self { turn, scale, shift, rms: 0.0 };
        let squares: f64 = pairs().map(|(a, b)| fit.apply(a).distance_squared(b)).sum();
        Some(Self { rms: (squares / count as f64).sqrt(), ..fit })
    }

    pub(super) fn apply(&self, point: DVec3) -> DVec3 {
        self.turn * point * self.scale + self.shift
    }
}
