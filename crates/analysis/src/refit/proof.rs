//! Poses two rigs alike and measures how far apart their skin and their joints are.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::pairing::Pairing;
use super::rig_map::RigMap;
use crate::analysis::flex::{MAX_SEEDED_POSES, seeded_poses};
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::rig::{Clip, ClipMoment, Pose, Posed, PrimitiveIndex, Rig, evaluate};
use rigscope_core::rows::rows;
use rigscope_core::skinning::{Deformed, Method, SkinPose, Skinner, Skinning, palettes};
use rigscope_core::text::counted;

/// Largest distance of a proof that holds, as a fraction of the rig's size.
pub const MAX_DEVIATION: f64 = 1e-5;

/// Number of random poses.
const POSES: usize = 200;

/// Seed of the first group of random poses.
const SEED: u16 = 58;

/// Maximum number of moments per clip: keys, and times between keys.
const MAX_MOMENTS: usize = 60;

/// Maximum number of moments of all clips.
const MAX_ALL_MOMENTS: usize = 4000;

/// Maximum number of moments of a clip among the worst poses.
const MAX_WORST_OF_CLIP: usize = 3;

/// Methods by which the skin is compared.
const METHODS: [Method; 2] = [Method::Lbs, Method::Dqs];

/// Distances between two rigs that are posed alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// Size of the new rig at rest, metres.
    pub size_m: f64,
    /// Number of random poses.
    pub poses: usize,
    /// Number of clip moments.
    pub moments: usize,
    /// Distances of vertices, by linear blend and dual quaternion skinning.
    pub skin: Deviation,
    /// Distances of the origins of joints that both rigs have.
    pub joints: Deviation,
}

/// Distances of many points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Largest distance, metres.
    pub max_m: f64,
    /// Mean distance, metres.
    pub mean_m: f64,
    /// The joint, or the vertex and its mesh, with the largest distance; empty without points.
    pub place: String,
    /// The pose with the largest distance; empty without points.
    pub pose: String,
    /// The vertex with the largest distance, in the old rig.
    pub vertex: Option<(PrimitiveIndex, u32)>,
    sum_m: f64,
    count: usize,
}

impl Proof {
    /// Returns whether all distances are at most [`MAX_DEVIATION`] of the size.
    pub fn holds(&self) -> bool {
        // A distance that is not a number fails.
        [&self.skin, &self.joints].iter().all(|deviation| deviation.max_m <= MAX_DEVIATION * self.size_m)
    }

    /// Describes the distances in one sentence.
    pub fn summary(&self) -> String {
        self.described(if self.holds() { "Proof holds" } else { "Proof does not hold" })
    }

    /// Describes the distances after an operation that is meant to change the skin.
    pub fn change_summary(&self) -> String {
        self.described(if self.holds() { "Proof holds" } else { "The skin changes, as the operation is meant to" })
    }

    fn described(&self, verdict: &str) -> String {
        let [compared, skin, joints] = self.lines();
        format!("{verdict}. {compared}: {}; {}", lower_first(&skin), lower_first(&joints))
    }

    /// Describes what was compared, the distances of the skin and those of the joints, without full stops.
    pub fn lines(&self) -> [String; 3] {
        let compared = format!(
            "{} and {}",
            counted(self.poses, "pose", "poses"),
            counted(self.moments, "moment of clips", "moments of clips")
        );
        let clause = |what: &str, deviation: &Deviation| {
            let Deviation { max_m, pose, count, .. } = deviation;
            if *count == 0 {
                format!("No {what}")
            } else if *max_m == 0.0 {
                format!("No difference in the {what}")
            } else {
                format!("Largest difference in the {what} {}, {pose}", deviation.summary(self.size_m))
            }
        };
        [compared, clause("skin", &self.skin), clause("joints", &self.joints)]
    }

    fn add(&mut self, other: &Self) {
        self.skin.add(&other.skin);
        self.joints.add(&other.joints);
    }
}

/// Returns whether a distance is larger than another; NaN is the largest.
fn is_larger(distance: f64, other: f64) -> bool {
    distance.abs().total_cmp(&other.abs()).is_gt()
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl Deviation {
    /// Returns the largest distance as a fraction of a size in metres.
    pub fn max_of_size(&self, size_m: f64) -> f64 {
        self.max_m / size_m
    }

    /// Describes the largest distance and its place, for a size in metres.
    pub fn summary(&self, size_m: f64) -> String {
        format!("{:.1e} of the size ({:.1e} m), {}", self.max_of_size(size_m), self.max_m, self.place)
    }

    /// Returns whether the distance is the largest so far.
    fn add_distance(&mut self, distance_m: f64, place: impl FnOnce() -> String) -> bool {
        self.sum_m += distance_m;
        self.count += 1;
        // NaN counts as the largest.
        let is_largest = self.count == 1 || is_larger(distance_m, self.max_m);
        if is_largest {
            (self.max_m, self.place) = (distance_m, place());
        }
        is_largest
    }

    fn add(&mut self, other: &Self) {
        self.sum_m += other.sum_m;
        self.count += other.count;
        self.mean_m = if self.count > 0 { self.sum_m / self.count as f64 } else { 0.0 };
        if self.count == other.count || other.count > 0 && is_larger(other.max_m, self.max_m) {
            (self.max_m, self.place, self.pose) = (other.max_m, other.place.clone(), other.pose.clone());
            self.vertex = other.vertex;
        }
    }
}

/// A pose of the old rig and the same pose of the new rig.
struct PosePair {
    title: String,
    moments: [Option<ClipMoment>; 2],
    poses: [Pose; 2],
}

/// A pose in which two rigs were compared.
#[derive(Clone, Debug)]
pub struct ProofPose {
    /// Name of the pose, or clip and time.
    pub title: String,
    /// Moment of a clip of the old rig, if any.
    pub moment: Option<ClipMoment>,
    /// Pose of the old rig.
    pub pose: Pose,
    /// Distances of vertices in this pose.
    pub skin: Deviation,
}

/// Compares two rigs in all clips and in random poses within the natural range of each joint. `None` if cancelled.
pub fn prove(rigs: [&Arc<Rig>; 2], pairing: &Pairing, progress: &Progress) -> Option<Proof> {
    prove_in(rigs, pairing, POSES, progress)
}

/// Like [`prove`]; also returns up to `count` poses in which the skin is farthest apart, worst first.
pub fn prove_with_worst(
    rigs: [&Arc<Rig>; 2],
    pairing: &Pairing,
    count: usize,
    progress: &Progress,
) -> Option<(Proof, Vec<ProofPose>)> {
    prove_all(rigs, pairing, (POSES, count), progress)
}

/// Like [`prove`], in fewer random poses.
pub(super) fn prove_in(
    rigs: [&Arc<Rig>; 2],
    pairing: &Pairing,
    pose_count: usize,
    progress: &Progress,
) -> Option<Proof> {
    prove_all(rigs, pairing, (pose_count, 0), progress).map(|(proof, _)| proof)
}

fn prove_all(
    rigs: [&Arc<Rig>; 2],
    pairing: &Pairing,
    (pose_count, worst_count): (usize, usize),
    progress: &Progress,
) -> Option<(Proof, Vec<ProofPose>)> {
    let pairs = pose_pairs(rigs, pairing, pose_count);
    progress.enter("Comparing poses", 0, pairs.len());
    let bench = ProofBench::new(rigs, pairing);
    let measured = try_map(&pairs, progress, |pair| {
        let measured = bench.measure(pair);
        progress.add(1);
        Some(measured)
    })?;
    let mut all = Proof::default();
    for of_pair in &measured {
        all.add(of_pair);
    }
    let moments = pairs.iter().filter(|pair| pair.moments[0].is_some()).count();
    // The tolerance doesn't shrink with the rest pose.
    let size_m = f64::from(rigs[1].size()).max(f64::from(rigs[0].size()) * pairing.map.scale());
    let proof = Proof { size_m, poses: pairs.len() - moments, moments, ..all };
    let skins = measured.into_iter().map(|proof| proof.skin);
    Some((proof, worst(pairs.into_iter().zip(skins).collect(), worst_count)))
}

/// Returns the poses with the largest distances, worst first.
fn worst(mut all: Vec<(PosePair, Deviation)>, count: usize) -> Vec<ProofPose> {
    all.sort_by(|a, b| b.1.max_m.abs().total_cmp(&a.1.max_m.abs()));
    let mut of_clips: BTreeMap<usize, usize> = BTreeMap::new();
    let pose = |(PosePair { title, moments: [moment, _], poses: [pose, _] }, skin): (PosePair, Deviation)| {
        if let Some(moment) = &moment {
            // Neighbouring moments look alike.
            let shown = of_clips.entry(moment.clip).or_default();
            *shown += 1;
            if *shown > MAX_WORST_OF_CLIP {
                return None;
            }
        }
        Some(ProofPose { title, moment, pose, skin })
    };
    all.into_iter().filter_map(pose).take(count).collect()
}

/// Returns the largest distance of a vertex in a few random poses, metres.
pub(super) fn quick_deviation(rigs: [&Arc<Rig>; 2], pairing: &Pairing) -> f64 {
    const FEW: usize = 6;
    let bench = ProofBench::new(rigs, pairing);
    let poses = pose_pairs(rigs, pairing, FEW).into_iter().filter(|pair| pair.moments[0].is_none());
    let largest = |max: f64, next: f64| if is_larger(next, max) { next } else { max };
    poses.map(|pair| bench.measure(&pair).skin.max_m).fold(0.0, largest)
}

fn pose_pairs([old, new]: [&Arc<Rig>; 2], pairing: &Pairing, pose_count: usize) -> Vec<PosePair> {
    let seeds = (0..).take(pose_count.div_ceil(MAX_SEEDED_POSES)).map(|group: u16| SEED + group);
    let seeded = seeds.flat_map(|seed| seeded_poses(old, MAX_SEEDED_POSES, seed)).take(pose_count);
    let rest = Pose::rest(&old.hierarchy);
    let poses = (0..).zip(std::iter::once(rest.clone()).chain(seeded)).map(|(number, pose)| PosePair {
        title: if number == 0 { "rest".to_owned() } else { format!("random pose {number}") },
        moments: [None; 2],
        poses: [pose.clone(), pairing.pose([old, new], &pose)],
    });
    let mut pairs: Vec<PosePair> = poses.collect();
    let limit = (MAX_ALL_MOMENTS / old.clips.len().max(1)).clamp(2, MAX_MOMENTS);
    for (number, (clip, counterpart)) in old.clips.iter().zip(&pairing.clips).enumerate() {
        let Some(counterpart) = *counterpart else { continue };
        for time_secs in moments(clip, limit) {
            let title = format!("\"{}\" at {time_secs:.3} s", clip.title());
            let moments = [number, counterpart].map(|clip| Some(ClipMoment::new(clip, time_secs)));
            pairs.push(PosePair { title, moments, poses: [rest.clone(), Pose::rest(&new.hierarchy)] });
        }
    }
    pairs
}

/// Returns the times of keys and the times half-way between keys, evenly thinned to `limit`.
fn moments(clip: &Clip, limit: usize) -> Vec<f32> {
    let mut keys: Vec<f32> = clip.channels.iter().flat_map(|channel| channel.times_secs.iter().copied()).collect();
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    let between = keys.windows(2).flat_map(|pair| [pair[0], 0.5 * (pair[0] + pair[1])]);
    let all: Vec<f32> = between.chain(keys.last().copied()).collect();
    let step = all.len().div_ceil(limit).max(1);
    all.into_iter().step_by(step).collect()
}

struct ProofBench<'a> {
    rigs: [&'a Arc<Rig>; 2],
    map: &'a RigMap,
    /// New vertex of each old vertex, across primitives; `None` if the order is the same.
    counterparts: Option<&'a [u32]>,
    /// First vertex of each primitive of the new rig.
    starts: Vec<usize>,
    skinners: [[Option<Skinner>; 2]; 2],
}

impl<'a> ProofBench<'a> {
    fn new(rigs: [&'a Arc<Rig>; 2], pairing: &'a Pairing) -> Self {
        let skinners = METHODS.map(|method| rigs.map(|rig| Skinner::new(rig, &Skinning::new(method)).ok()));
        let mut count = 0;
        let starts = rigs[1].primitives().map(|(_, primitive)| {
            count += primitive.positions.len();
            count - primitive.positions.len()
        });
        let starts = starts.collect();
        Self { rigs, map: &pairing.map, counterparts: pairing.vertices.counterparts(true), starts, skinners }
    }

    fn measure(&self, pair: &PosePair) -> Proof {
        let [old, new] = [0, 1].map(|side| evaluate(self.rigs[side], pair.moments[side], &pair.poses[side]));
        let mut found = Proof::default();
        self.measure_joints(&[&old, &new], &mut found.joints);
        for [old_skinner, new_skinner] in &self.skinners {
            let (Some(old_skinner), Some(new_skinner)) = (old_skinner, new_skinner) else { continue };
            let deformed = [(old_skinner, &old), (new_skinner, &new)].map(|(skinner, posed)| {
                let pose = SkinPose { posed, palettes: &palettes(skinner.rig(), posed) };
                skinner.deform_positions(pose).into_iter().flatten().collect()
            });
            self.measure_skin(&deformed, &mut found.skin);
        }
        for deviation in [&mut found.skin, &mut found.joints] {
            deviation.pose.clone_from(&pair.title);
        }
        // Completes the means.
        let mut whole = Proof::default();
        whole.add(&found);
        whole
    }

    fn distance(&self, old: Vec3, new: Vec3) -> f64 {
        let in_file = |side: usize, point: Vec3| point.as_dvec3() + self.rigs[side].hierarchy.anchor();
        let wanted: DVec3 = self.map.world.point(in_file(0, old));
        wanted.distance(in_file(1, new))
    }

    fn measure_joints(&self, posed: &[&Posed; 2], deviation: &mut Deviation) {
        let hierarchy = &self.rigs[0].hierarchy;
        // The node of a skinned mesh has no meaning, and writers move it to the top.
        for node in hierarchy.nodes().filter(|node| self.rigs[0].counts_as_joint(*node)) {
            let Some(new) = self.map.node(node) else { continue };
            // The new frame may have its origin elsewhere.
            let origin = self.map.frames[node.index()].translation.as_vec3();
            let old = posed[0].world_from_node[node.index()].transform_point3(origin);
            let new = posed[1].world_from_node[new.index()].translation;
            _ = deviation.add_distance(self.distance(old, new), || hierarchy.name(node).to_owned());
        }
    }

    fn measure_skin(&self, [old, new]: &[Vec<Deformed>; 2], deviation: &mut Deviation) {
        let mut number = 0;
        let primitives: Vec<PrimitiveIndex> = self.rigs[0].parts().collect();
        for ((at, (instance, _)), from) in self.rigs[0].primitives().enumerate().zip(old) {
            for (vertex, position) in from.positions.iter().enumerate() {
                let to = match self.counterparts {
                    None => new.get(at).and_then(|of_primitive| of_primitive.positions.get(vertex)),
                    Some(counterparts) => counterparts.get(number).and_then(|to| self.new_position(new, *to)),
                };
                number += 1;
                let distance = match to {
                    Some(to) => self.distance(*position, *to),
                    // A matched file may lack vertices, which is reported; a changed rig may not.
                    None if self.counterparts.is_some() => continue,
                    None => f64::NAN,
                };
                let mesh = || &self.rigs[0].meshes[instance.mesh].name;
                if deviation.add_distance(distance, || format!("vertex {vertex} of \"{}\"", mesh())) {
                    deviation.vertex = Some((primitives[at], vertex as u32));
                }
            }
        }
    }

    fn new_position<'b>(&self, new: &'b [Deformed], vertex: u32) -> Option<&'b Vec3> {
        let vertex = vertex as usize;
        let at = self.starts.partition_point(|start| *start <= vertex).checked_sub(1)?;
        new.get(at)?.positions.get(vertex - self.starts[at])
    }
}

rows! {
    /// Change of a skeleton and its proof.
    pub struct RefitJson {
        /// What each operation did, as `NAME: clause`, in order.
        pub operations: Vec<String>,
        /// Whether no distance is more than 1e-5 of the size.
        pub holds: bool,
        /// Whether an operation is meant to change the skin.
        pub changes_skin: bool,
        /// Whether every joint, clip and vertex of the first file was compared.
        pub is_complete: bool,
        /// Size of the new rig at rest, metres.
        pub size_m: f64,
        /// Number of random poses within the natural range of each joint, and the rest pose.
        pub poses: usize,
        /// Number of moments of clips.
        pub moments: usize,
        /// Distances of vertices, by linear blend and dual quaternion skinning.
        pub skin: DeviationJson,
        /// Distances of the origins of joints.
        pub joints: DeviationJson,
        /// What the proof leaves out: clips, nodes and vertices without a counterpart, other rest poses.
        pub notes: Vec<String>,
    }

    /// Distances of many points.
    pub struct DeviationJson {
        /// Largest distance, metres; `null` if it is not a finite number.
        pub max_m: Option<f64>,
        /// Largest distance as a fraction of the size.
        pub max_of_size: Option<f64>,
        /// Mean distance, metres.
        pub mean_m: Option<f64>,
        /// Joint, or vertex and mesh, with the largest distance.
        pub place: String,
        /// Pose with the largest distance.
        pub pose: String,
    }
}

impl RefitJson {
    /// Converts a proof; `operations` are [`super::Refitted::notes`], the last argument is
    /// [`Pairing::is_complete`] and [`Pairing::notes`].
    pub fn new(
        operations: &[String],
        proof: &Proof,
        changes_skin: bool,
        (is_complete, notes): (bool, Vec<String>),
    ) -> Self {
        let Proof { size_m, poses, moments, .. } = *proof;
        let [skin, joints] = [&proof.skin, &proof.joints].map(|deviation| DeviationJson::new(deviation, size_m));
        let operations = operations.to_vec();
        Self {
            operations,
            holds: proof.holds(),
            changes_skin,
            is_complete,
            size_m,
            poses,
            moments,
            skin,
            joints,
            notes,
        }
    }
}

impl DeviationJson {
    fn new(deviation: &Deviation, size_m: f64) -> Self {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        Self {
            max_m: finite(deviation.max_m),
            max_of_size: finite(deviation.max_of_size(size_m)),
            mean_m: finite(deviation.mean_m),
            place: deviation.place.clone(),
            pose: deviation.pose.clone(),
        }
    }
}
