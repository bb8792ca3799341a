//! Points of another program as a rig, so that everything that compares characters compares points.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use rigscope_core::jobs::Progress;
use rigscope_core::matching::VertexPairs;
use rigscope_core::rig::{
    Channel, Clip, ClipMoment, Hierarchy, HierarchyError, Interpolation, Mesh, MeshInstance, MirrorAxis, MorphTarget,
    NodeDescription, NodeIndex, PointFrame, PointSpace, PointUnit, Pose, Primitive, PrimitiveIndex, Property, Rig,
    RigData, Trs, UpAxis, evaluate,
};
use rigscope_core::skinning::{Skinning, Weld, palettes};
use rigscope_core::text::counted;

use super::matching::{MatchedVertices, extent, match_vertices};
use super::pipeline::Pipeline;
use super::raw::RawRig;

/// Points and the rig whose vertices they are.
#[derive(Clone, Copy, Debug)]
pub struct PointsInput<'a> {
    /// The rig whose vertices the points are.
    pub open: &'a Rig,
    /// Pose that the points probably show; used to find their unit and axes.
    pub pose: &'a Pose,
    /// Clip moment of that pose.
    pub moment: Option<ClipMoment>,
    /// One frame, or one for each frame of a clip; at least one.
    pub frames: &'a [PointFrame],
    /// Unit, if known.
    pub unit: Option<PointUnit>,
    /// Up axis, if known.
    pub up: Option<UpAxis>,
    /// Maximum number of bytes that the rig may take.
    pub memory_limit: u64,
}

/// A rig without joints whose vertices are points of another program.
#[derive(Clone, Debug)]
pub struct PointsRig {
    /// The points as meshes with the open rig's triangles, materials and names. Further frames are morph targets, which
    /// clips with the names of the open rig's clips show.
    pub rig: Rig,
    /// Match of the open rig's vertices with those of the points.
    pub matching: VertexPairs,
    /// For each vertex of [`Self::rig`], numbered across primitives, the index of its point in the file, from 0.
    pub order: Vec<u32>,
    /// Mesh instance of the open rig that each node of [`Self::rig`] belongs to.
    pub instances: Vec<usize>,
    /// Whether the points go where clips carry the character. Otherwise their program holds the clip in place.
    pub travels: bool,
    /// Unit and axes of the points.
    pub space: PointSpace,
    /// How points were matched and converted, as sentences without full stops.
    pub info: Vec<String>,
    /// What cannot be shown, as sentences without full stops.
    pub warnings: Vec<String>,
}

/// Largest magnitude of a coordinate, metres; squares of larger ones overflow.
const MAX_COORDINATE: f32 = 1e18;
/// Bytes of a vertex in a morph target, in memory and on the graphics card.
const TARGET_BYTES: u64 = 56;
/// Maximum number of frames; each key of a clip stores a weight for each frame.
const MAX_FRAMES: usize = 2000;
/// Maximum number of weights in all keys of all clips.
const MAX_WEIGHTS: usize = 1 << 24;
/// A unit or axis other than glTF's must fit this many times better.
const FITS_BETTER: f64 = 2.0;

/// Builds a rig from points; `None` if cancelled.
///
/// *Errors*: the points can't be matched, frames differ in their number of points, or there are too many.
pub fn points_rig(input: &PointsInput<'_>, progress: &Progress) -> Result<Option<PointsRig>, String> {
    let open = input.open;
    let first = input.frames.first().ok_or("The file has no points")?;
    check_frames(input, first)?;
    let usual = Pipeline::default();
    // Clips of other programs carry the character away, whether or not the window holds it in place.
    let moment = input.moment.map(|moment| ClipMoment { holds_root: false, ..moment });
    let posed = evaluate(open, moment, input.pose);
    let skinning = Skinning::default();
    let raw = RawRig::new(open, (input.pose, &posed, moment), &skinning);
    if raw.parts.is_empty() {
        return Err("The open file has no meshes that points could belong to".to_owned());
    }
    let matched = match_vertices(&raw, &usual, first, None)?;
    if progress.is_cancelled() {
        return Ok(None);
    }
    let shown = input.moment.map(|moment| open.frame_rate(moment.clip).frame(moment.time_secs));
    let shown = shown.and_then(|frame| PointFrame::numbered(input.frames, frame.into()));
    let given = matched.points(shown.unwrap_or(first));
    let rest = Pose::rest(&open.hierarchy);
    let at_rest = evaluate(open, None, &rest);
    let rest = RawRig::new(open, (&rest, &at_rest, None), &skinning).points(&usual, &matched.vertices);
    let expected = [raw.points(&usual, &matched.vertices), rest];
    let space = fitting_space(&expected, &given, input.unit, input.up);
    let frames = input.frames.iter().map(|frame| FramePoints::new(open, &matched, &space.frame(frame.clone())));
    let mut all = Vec::with_capacity(input.frames.len());
    for frame in frames {
        if progress.is_cancelled() {
            return Ok(None);
        }
        all.push(frame);
    }
    let mirrored: Vec<bool> = palettes(open, &posed).iter().map(|palette| palette.mirrors()).collect();
    let builder = RigBuilder { open, matched: &matched, frames: &all, mirrored: &mirrored };
    let (mut rig, pairs) = builder.build().map_err(|problem| problem.to_string())?;
    let count = counted(matched.vertices.len(), "point is", "points are");
    let mut info = vec![format!("{count} matched by {}", matched.by)];
    info.extend(space.description().map(|description| format!("The points are {description}, and were converted")));
    let mut warnings = Vec::new();
    let not_finite: usize = all.iter().map(|frame| frame.not_finite).sum();
    if not_finite > 0 {
        let points = counted(not_finite, "point is", "points are");
        warnings.push(format!("{points} not finite and shown at the origin"));
    }
    if input.frames.len() > 1 {
        let shown = input.moment.map(|moment| moment.clip);
        let clips = builder.clips_of_frames(shown);
        if let Some(warning) = builder.clip_warning(shown) {
            warnings.push(warning);
        }
        let shown = builder.shown(&clips);
        if clips.is_empty() {
            warnings.push(shown);
        } else {
            info.push(shown);
        }
        rig = rig.with_clips(clips.into_iter().map(|clip| builder.clip(clip)).collect());
    }
    let matching = if matched.vertices.len() == raw.vertex_count() { VertexPairs::InOrder } else { pairs };
    let travels = travels(input, &builder, &raw.points(&usual, &matched.vertices));
    if !travels {
        info.push("The points don't go where the clip carries the character".to_owned());
    }
    let instances = builder.instances();
    let order = matched.order.iter().map(|at| *at as u32).collect();
    Ok(Some(PointsRig { rig, matching, order, instances, travels, space, info, warnings }))
}

fn check_frames(input: &PointsInput<'_>, first: &PointFrame) -> Result<(), String> {
    let sizes = |frame: &PointFrame| frame.groups.iter().map(|group| group.positions.len()).collect::<Vec<_>>();
    let wanted = sizes(first);
    let count = input.frames.len();
    if let Some(at) = input.frames.iter().position(|frame| sizes(frame) != wanted) {
        let [other, first] = [&input.frames[at], first].map(|frame| counted(frame.len(), "point", "points"));
        return Err(format!("Frame {at} has {other}, but frame 0 has {first}. Export all frames from the same mesh"));
    }
    let bytes = (first.len() as u64).saturating_mul(count as u64).saturating_mul(TARGET_BYTES);
    if count > MAX_FRAMES || bytes > input.memory_limit {
        return Err(format!(
            "{count} frames of {} are too many to show. Export fewer frames",
            counted(first.len(), "point", "points")
        ));
    }
    Ok(())
}

/// Returns the unit and axes with which points fit best; those of glTF unless others fit much better.
fn fitting_space(expected: &[Vec<DVec3>], points: &[DVec3], unit: Option<PointUnit>, up: Option<UpAxis>) -> PointSpace {
    const MAX_POINTS: usize = 4096;
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let size = expected.iter().map(|points| extent(points)).fold(f64::MIN_POSITIVE, f64::max);
    let misfit = |space: PointSpace| {
        let mean = |expected: &Vec<DVec3>| {
            let pairs = expected.iter().zip(points).step_by(step);
            let distances: Vec<f64> = pairs.map(|(own, given)| own.distance(space.point(*given))).collect();
            let finite: Vec<f64> = distances.into_iter().filter(|distance| distance.is_finite()).collect();
            finite.iter().sum::<f64>() / finite.len().max(1) as f64
        };
        expected.iter().map(mean).fold(f64::INFINITY, f64::min) / size
    };
    let units: Vec<PointUnit> = unit.map_or_else(|| PointUnit::named().collect(), |unit| vec![unit]);
    let ups: Vec<UpAxis> = up.map_or_else(|| UpAxis::ALL.to_vec(), |up| vec![up]);
    let usual = PointSpace::stated(unit, up);
    let mirrors = [None, Some(MirrorAxis::X), Some(MirrorAxis::Z)];
    let spaces = units.iter().flat_map(|&unit| ups.iter().map(move |&up| (unit, up)));
    let spaces = spaces.flat_map(|(unit, up)| mirrors.map(|mirror| PointSpace { unit, up, mirror }));
    let best = spaces.map(|space| (misfit(space), space)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(misfit_of_best, _)| misfit_of_best * FITS_BETTER < misfit(usual)).map_or(usual, |(_, space)| space)
}

/// Returns whether the points go where the clip carries the character. `expected` are the points of the pose without
/// holding it in place.
fn travels(input: &PointsInput<'_>, builder: &RigBuilder<'_>, expected: &[DVec3]) -> bool {
    /// Maximum number of frames to look at.
    const MAX_FRAMES: usize = 64;
    let Some((first, others)) = builder.frames.split_first() else { return true };
    let hold = |clip: usize, time_secs: f32| input.open.root_hold(ClipMoment::new(clip, time_secs), input.pose);
    let shown = input.moment.map(|moment| moment.clip);
    let clip = builder.clips_of_frames(shown).first().copied().filter(|_| !others.is_empty());
    let (mut along, mut carried) = (0.0, 0.0);
    if let Some(clip) = clip {
        let rate = input.open.frame_rate(clip);
        let numbered: Vec<(u32, &FramePoints)> = builder.numbers().zip(builder.frames).collect();
        let held_at = |number: u32| hold(clip, rate.start_secs(number).max(0.0));
        let at_first = numbered.first().map_or(Vec3::ZERO, |(number, _)| held_at(*number));
        for (number, frame) in numbered.iter().step_by(numbered.len().div_ceil(MAX_FRAMES)) {
            let way = at_first - held_at(*number);
            along += (frame.center() - first.center()).dot(way);
            carried += way.length_squared();
        }
    } else if let Some(moment) = input.moment {
        let way = -hold(moment.clip, moment.time_secs);
        let center = expected.iter().sum::<DVec3>() / expected.len().max(1) as f64;
        // At the expected place they have travelled all the way.
        along = (first.center() - input.open.hierarchy.from_file(center) + way).dot(way);
        carried = way.length_squared();
    }
    carried <= 0.0 || along > 0.5 * carried
}

/// Points of one frame by vertex, in the open rig's world space.
struct FramePoints {
    positions: Vec<Vec3>,
    normals: Option<Vec<Vec3>>,
    not_finite: usize,
    /// Number of the frame, if the file states it.
    number: Option<u32>,
}

impl FramePoints {
    fn new(open: &Rig, matched: &MatchedVertices, frame: &PointFrame) -> Self {
        let mut not_finite = 0;
        let mut position = |point: DVec3| {
            let point = open.hierarchy.from_file(point);
            let is_finite = point.is_finite() && point.abs().max_element() < MAX_COORDINATE;
            not_finite += usize::from(!is_finite);
            if is_finite { point } else { Vec3::ZERO }
        };
        let positions = matched.points(frame).into_iter().map(&mut position).collect();
        let normals = matched.normals(frame);
        let normals = normals.map(|all| all.into_iter().map(|n| n.as_vec3().normalize_or_zero()).collect());
        let number = frame.number.and_then(|number| u32::try_from(number).ok());
        Self { positions, normals, not_finite, number }
    }
}

impl FramePoints {
    fn center(&self) -> Vec3 {
        let sum: DVec3 = self.positions.iter().map(|position| position.as_dvec3()).sum();
        (sum / self.positions.len().max(1) as f64).as_vec3()
    }
}

struct RigBuilder<'a> {
    open: &'a Rig,
    /// Whether each mesh instance of the open rig is mirrored, which reverses its triangles.
    mirrored: &'a [bool],
    matched: &'a MatchedVertices,
    frames: &'a [FramePoints],
}

impl RigBuilder<'_> {
    /// Returns the rig and the match of its vertices.
    fn build(&self) -> Result<(Rig, VertexPairs), HierarchyError> {
        let open = self.open;
        let parts: Vec<(PrimitiveIndex, &Primitive)> =
            open.parts().zip(open.primitives().map(|(_, primitive)| primitive)).collect();
        let mut starts = vec![0];
        for (_, primitive) in &parts {
            starts.push(starts.last().copied().unwrap_or_default() + primitive.positions.len());
        }
        let mut to_second = vec![u32::MAX; starts.last().copied().unwrap_or_default()];
        let mut to_first = Vec::with_capacity(self.matched.vertices.len());
        let mut primitives: BTreeMap<usize, Vec<Primitive>> = BTreeMap::new();
        let mut at = 0;
        for run in self.matched.vertices.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(part, _)) = run.first() else { continue };
            let (index, primitive) = parts[part];
            let is_mirrored = self.mirrored.get(index.instance).is_some_and(|is_mirrored| *is_mirrored);
            let points = self.primitive(primitive, at..at + run.len(), is_mirrored);
            primitives.entry(index.instance).or_default().push(points);
            for &(_, vertex) in run {
                let own = starts[part] + vertex as usize;
                to_second[own] = to_first.len() as u32;
                to_first.push(own as u32);
            }
            at += run.len();
        }
        let rig = self.rig(primitives)?;
        Ok((rig, VertexPairs::ByPlace { to_second, to_first }))
    }

    fn rig(&self, primitives: BTreeMap<usize, Vec<Primitive>>) -> Result<Rig, HierarchyError> {
        let open = self.open;
        let anchor = open.hierarchy.anchor();
        // Points are relative to the anchor; roots are in file coordinates.
        let rest = Trs { translation: anchor.as_vec3(), ..Trs::IDENTITY };
        let name = |instance: usize| open.hierarchy.name(open.instances[instance].node);
        let nodes: Vec<_> =
            primitives.keys().map(|&instance| NodeDescription::new(name(instance), Vec::new(), rest)).collect();
        let mut data = RigData {
            hierarchy: Hierarchy::new(&nodes)?,
            materials: open.materials.clone(),
            images: open.images.clone(),
            is_gltf: open.is_gltf,
            ..RigData::default()
        };
        let morph_weights = vec![0.0; self.frames.len().saturating_sub(1)];
        for (node, (instance, primitives)) in primitives.into_iter().enumerate() {
            let own = &open.meshes[open.instances[instance].mesh];
            data.instances.push(MeshInstance {
                node: NodeIndex::from(node),
                mesh: data.meshes.len(),
                skin: None,
                morph_weights: morph_weights.clone(),
            });
            let target_names = (1..self.frames.len()).map(|frame| format!("Frame {frame}")).collect();
            data.meshes.push(Mesh { source: own.source, name: own.name.clone(), primitives, target_names });
        }
        Ok(Rig::new(data).anchored_at(anchor))
    }

    /// Returns a primitive with the points of a range of matched vertices, which are all vertices of `own`.
    fn primitive(&self, own: &Primitive, range: std::ops::Range<usize>, is_mirrored: bool) -> Primitive {
        let weld = Weld::new(own);
        let mut indices = own.indices.clone();
        if is_mirrored {
            indices.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        let normals = |frame: &FramePoints| {
            let given = frame.normals.as_ref().map(|normals| normals[range.clone()].to_vec());
            let computed = || weld.normals(&indices, &frame.positions[range.clone()]);
            own.normals.as_ref().map(|_| given.unwrap_or_else(computed))
        };
        let Some((first, others)) = self.frames.split_first() else { return Primitive::default() };
        let positions = first.positions[range.clone()].to_vec();
        let first_normals = normals(first);
        let difference = |a: Vec<Vec3>, b: &[Vec3]| a.into_iter().zip(b).map(|(a, b)| a - *b).collect::<Vec<Vec3>>();
        let target = |frame: &FramePoints| MorphTarget {
            positions: difference(frame.positions[range.clone()].to_vec(), &positions),
            normals: first_normals
                .as_ref()
                .zip(normals(frame))
                .map(|(first, normals)| difference(normals, first))
                .unwrap_or_default(),
            tangents: Vec::new(),
        };
        Primitive {
            morph_targets: others.iter().map(target).collect(),
            positions,
            normals: first_normals,
            tangents: None,
            generated_tangents: None,
            streams: Vec::new(),
            influences: None,
            stored_influences: None,
            dq_weights: Vec::new(),
            indices,
            ..own.clone()
        }
    }

    /// Returns whether a clip has as many frames as the points.
    fn is_as_long(&self, clip: usize) -> bool {
        let open = self.open;
        let last = open.frame_rate(clip).frame(open.clips[clip].duration_secs);
        // A program may leave out the last frame, which repeats the first one.
        self.numbers().last().is_some_and(|number| number == last || number.saturating_add(1) == last)
    }

    /// Returns the open rig's clips whose frames the points are: those with as many frames, or else the one that is
    /// shown. Empty if the weights of the frames would take too much memory.
    fn clips_of_frames(&self, shown: Option<usize>) -> Vec<usize> {
        let mut clips: Vec<usize> = (0..self.open.clips.len()).filter(|clip| self.is_as_long(*clip)).collect();
        if clips.is_empty() {
            clips.extend(shown);
        }
        clips.sort_by_key(|clip| Some(*clip) != shown);
        clips.truncate(self.max_clips());
        clips
    }

    /// Returns the number of clips whose weights fit into memory.
    fn max_clips(&self) -> usize {
        let count = self.frames.len();
        MAX_WEIGHTS / (count * count * self.instance_count()).max(1)
    }

    /// Warns if the clip that is shown has another number of frames.
    fn clip_warning(&self, shown: Option<usize>) -> Option<String> {
        let clip = shown.filter(|clip| !self.is_as_long(*clip))?;
        if (0..self.open.clips.len()).any(|other| self.is_as_long(other)) {
            return None;
        }
        let frames = self.open.frame_rate(clip).frame(self.open.clips[clip].duration_secs).saturating_add(1);
        let (count, title) = (self.frames.len(), self.open.clips[clip].title());
        Some(format!("There are {count} frames of points, but \"{title}\" has {frames}: later times show the last one"))
    }

    fn shown(&self, clips: &[usize]) -> String {
        let count = self.frames.len();
        let title = |clip: usize| self.open.clips[clip].title();
        match clips {
            [] if self.max_clips() == 0 => {
                format!("Frame 0 of {count} is shown: there are too many frames and meshes to play them")
            }
            [] => format!("Frame 0 of {count} is shown: no clip has as many frames"),
            [only] => format!("The {count} frames are shown in the clip \"{}\"", title(*only)),
            [first, ..] => {
                format!("The {count} frames are shown in {} clips, such as \"{}\"", clips.len(), title(*first))
            }
        }
    }

    /// Returns the number of each frame in its clip, ascending from 0 on. Numbers from 1 on, without gaps, count from 0.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let own = self.frames.iter().map(|frame| frame.number);
        let is_ascending = own.clone().is_sorted_by(|a, b| a.zip(*b).is_some_and(|(a, b)| a < b));
        let is_from_one = (1..).zip(own.clone()).all(|(rank, number)| number == Some(rank));
        let is_used = is_ascending && !is_from_one;
        (0..).zip(own).map(move |(rank, number)| number.filter(|_| is_used).unwrap_or(rank))
    }

    fn clip(&self, clip: usize) -> Clip {
        let open = self.open;
        let (own, rate) = (&open.clips[clip], open.frame_rate(clip));
        let width = self.frames.len().saturating_sub(1);
        let times: Arc<[f32]> = self.numbers().map(|frame| rate.start_secs(frame).max(0.0)).collect();
        let mut values = vec![0.0; width * self.frames.len()];
        for (target, weights) in values.chunks_exact_mut(width).skip(1).enumerate() {
            weights[target] = 1.0;
        }
        let nodes = 0..self.instance_count();
        let channel = |node: usize| {
            let (node, times) = (NodeIndex::from(node), Arc::clone(&times));
            Channel::new(node, Property::MorphWeights, Interpolation::Step, times, values.clone())
        };
        Clip {
            name: own.name.clone(),
            duration_secs: own.duration_secs,
            channels: nodes.map(channel).collect(),
            authored_rate: own.authored_rate,
        }
    }

    fn instance_count(&self) -> usize {
        self.instances().len()
    }

    /// Returns the mesh instances of the open rig that have points.
    fn instances(&self) -> Vec<usize> {
        let instances = self.matched.vertices.chunk_by(|a, b| a.0 == b.0).filter_map(|run| run.first());
        let parts: Vec<PrimitiveIndex> = self.open.parts().collect();
        let mut instances: Vec<usize> = instances.map(|(part, _)| parts[*part].instance).collect();
        instances.dedup();
        instances
    }
}
