//! How far vertices of the reference move if they take the judged rig's weights.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analysis::flex::seeded_poses;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{MeshPair, RigMatch};
use rigscope_core::rig::{Influences, NodeIndex, Rig, WeightSet, evaluate};
use rigscope_core::skinning::{Method, SkinPose, Skinner, Skinning, palettes};

/// Number of random poses. *Source*: `RigNet`.
const POSES: usize = 10;

/// Distances between the reference and the reference with the judged rig's weights.
pub(super) struct Deformation {
    pub poses: usize,
    /// Mean over vertices and poses, and largest distance, metres. `None` if no vertex was measured.
    pub mean_max: Option<[f64; 2]>,
}

/// Measures vertices that have a counterpart with weights. Weights of joints that the reference lacks go to the
/// vertex's other joints in proportion. `None` if cancelled. *Errors*: linear blending cannot skin the rig.
pub(super) fn deformation(
    both: &RigMatch<'_>,
    pairs: &[MeshPair<'_>],
    reference: &Arc<Rig>,
    progress: &Progress,
) -> Result<Option<Deformation>, String> {
    let judged = JudgedWeights::new(both, pairs, reference);
    let skinning = Skinning::new(Method::Lbs);
    let changed = Arc::new(reference.with_weights(&judged.weights));
    let skinner = |rig| Skinner::new(rig, &skinning).map_err(|problem| problem.to_string());
    let (own, other) = (skinner(reference)?, skinner(&changed)?);
    let poses = seeded_poses(reference, POSES, 0);
    let (mut sum, mut max, mut count) = (0.0, 0.0, 0_usize);
    for pose in &poses {
        if progress.check_cancelled().is_none() {
            return Ok(None);
        }
        let posed = evaluate(reference, None, pose);
        let palettes = palettes(reference, &posed);
        let pose = SkinPose { posed: &posed, palettes: &palettes };
        let (right, moved) = rayon::join(|| own.deform_positions(pose), || other.deform_positions(pose));
        for part in reference.parts() {
            let placed = &reference.instances[part.instance];
            let Some(is_measured) = judged.is_measured.get(&(placed.mesh, placed.skin, part.primitive)) else {
                continue;
            };
            let [right, moved] = [&right, &moved].map(|all| &all[part.instance][part.primitive].positions);
            for ((right, moved), _) in right.iter().zip(moved).zip(is_measured).filter(|(_, is_measured)| **is_measured)
            {
                let distance = f64::from(right.distance(*moved));
                (sum, max, count) = (sum + distance, f64::max(max, distance), count + 1);
            }
        }
    }
    let mean_max = (count > 0).then(|| [sum / count as f64, max]);
    Ok(Some(Deformation { poses: poses.len(), mean_max }))
}

/// Weights of the judged rig for the vertices of the reference.
struct JudgedWeights {
    weights: WeightSet,
    /// For each mesh, its skin and each primitive, which vertices have weights of the judged rig. A mesh has the weights
    /// for one skin only.
    is_measured: BTreeMap<(usize, Option<usize>, usize), Vec<bool>>,
}

impl JudgedWeights {
    fn new(both: &RigMatch<'_>, pairs: &[MeshPair<'_>], reference: &Rig) -> Self {
        let mut made = Self { weights: WeightSet::unchanged(reference), is_measured: BTreeMap::new() };
        let mut seen = BTreeSet::new();
        for pair in pairs {
            let drawn = both.drawn(pair.instances.into())[1];
            let skin = drawn.1.and_then(|skin| reference.skins.get(skin));
            if let Some(skin) = skin.filter(|_| seen.insert(drawn.0)) {
                let slots: BTreeMap<NodeIndex, u16> = skin.joints.iter().copied().zip(0..).collect();
                made.add(both, pair, (drawn, &slots));
            }
        }
        made
    }

    fn add(
        &mut self,
        both: &RigMatch<'_>,
        pair: &MeshPair<'_>,
        ((mesh, skin), slots): ((usize, Option<usize>), &BTreeMap<NodeIndex, u16>),
    ) {
        let mut first = 0;
        for (number, primitive) in pair.new.primitives.iter().enumerate() {
            let count = primitive.positions.len();
            let Some(own) = primitive.influences.as_ref() else {
                first += count;
                continue;
            };
            let judged = |vertex: usize| {
                let other = pair.vertices.old_for(first + vertex)?;
                let mapped = pair
                    .old
                    .weights(other)
                    .filter_map(|(id, weight)| Some((*slots.get(&both.nodes_of_id(id)[1]?)?, weight)));
                let row: Vec<(u16, f32)> = mapped.collect();
                let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
                (sum > 0.0).then(|| row.into_iter().map(|(slot, weight)| (slot, weight / sum)).collect::<Vec<_>>())
            };
            let rows: Vec<Option<Vec<(u16, f32)>>> = (0..count).map(judged).collect();
            let kept = |vertex: usize| own.vertex(vertex).map(|(joint, weight)| (joint as u16, weight)).collect();
            let all = rows.iter().enumerate().map(|(vertex, row)| row.clone().unwrap_or_else(|| kept(vertex)));
            self.weights.set(mesh, number, Influences::from_rows(&all.collect::<Vec<_>>()));
            self.is_measured.insert((mesh, skin, number), rows.iter().map(Option::is_some).collect());
            first += count;
        }
    }
}
