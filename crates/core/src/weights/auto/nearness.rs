//! Weighted distances to bones, so that limb bones get little of the torso and ribbon bones none of it.

use glam::Vec3;

use super::reach::median;
use crate::weights::body::{Body, BodyBone};
use crate::weights::segment::Segment;

/// Multiplies axial distances beyond a bone's ends: a bone's skin lies beside it rather than beyond its ends.
const BEYOND_ENDS: f32 = 2.0;

/// Bones with siblings are shortened at their start by this many bone radii, because the skin around such a joint, for
/// example over the shoulder blade, belongs to the torso.
const LATER: f32 = 0.3;
/// Maximum length by which a bone is shortened, as a fraction of its length.
const MAX_LATER: f32 = 1.0 / 3.0;

/// If a chain, such as a strand of hair, is thinner than its parent chain by more than this factor, it counts as
/// farther away.
const THIN: f32 = 5.0;

/// Fraction by which the distance increases if a bone is beside the skin rather than behind it.
const BESIDE: f32 = 0.5;

/// Shortens bones that have siblings, at their start.
pub(super) fn branched(body: &Body, radii: &[f32]) -> Body {
    let children = children(body);
    let mut branched = body.clone();
    for (bone, radius) in branched.bones.iter_mut().zip(radii) {
        if bone.parent.is_some_and(|parent| children[usize::from(parent)] > 1) {
            for segment in &mut bone.segments {
                let way = segment.tail - segment.head;
                segment.head += way.clamp_length_max((LATER * radius).min(MAX_LATER * way.length()));
            }
        }
    }
    branched
}

pub(super) struct WeightedBoneDistances {
    pieces: Vec<Vec<BoneSegment>>,
    blocks: Vec<SegmentBlock>,
    times: Vec<f32>,
}

struct BoneSegment {
    segment: Segment,
    /// Unit direction; zero for a segment of zero length.
    along: Vec3,
}

const LANES: usize = 8;
type Lanes = [f32; LANES];

/// Segments as structure of arrays; unused lanes are zero.
struct SegmentBlock {
    heads: [Lanes; 3],
    ways: [Lanes; 3],
    alongs: [Lanes; 3],
    lengths_squared: Lanes,
}

impl WeightedBoneDistances {
    /// `is_mover` marks joints that move the whole character; they count as infinitely far from every point.
    pub(super) fn new(body: &Body, radii: &[f32], is_mover: &[bool]) -> Self {
        let mut times = times(body, radii);
        for (times, _) in times.iter_mut().zip(is_mover).filter(|(_, is_mover)| **is_mover) {
            *times = f32::INFINITY;
        }
        let pieces = |bone: &BodyBone| bone.segments.iter().map(|&segment| BoneSegment::new(segment)).collect();
        let pieces: Vec<Vec<BoneSegment>> = body.bones.iter().map(pieces).collect();
        let all: Vec<&BoneSegment> = pieces.iter().flatten().collect();
        Self { blocks: all.chunks(LANES).map(SegmentBlock::new).collect(), pieces, times }
    }

    pub(super) fn distances(&self, point: Vec3) -> impl Iterator<Item = (u16, f32)> + '_ {
        let mut counted = Vec::with_capacity(self.blocks.len() * LANES);
        self.blocks.iter().for_each(|block| counted.extend(block.counted(point)));
        let mut counted = counted.into_iter();
        (0..=u16::MAX).zip(self.pieces.iter().zip(&self.times)).map(move |(bone, (pieces, times))| {
            let nearest = counted.by_ref().take(pieces.len()).min_by(f32::total_cmp);
            (bone, nearest.unwrap_or(f32::INFINITY) * times)
        })
    }

    pub(super) fn nearest(&self, bone: u16, point: Vec3) -> Vec3 {
        let all = self.pieces[usize::from(bone)].iter().map(|piece| piece.counted(point));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(point, |(_, place)| place)
    }

    /// Returns the distance factor of a bone: 1 if it lies behind the skin, larger if it lies beside or in front of it.
    pub(super) fn facing(&self, bone: u16, point: Vec3, outward: Vec3) -> f32 {
        let distance = |piece: &&BoneSegment| piece.counted(point).0;
        let nearest = self.pieces[usize::from(bone)].iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(1.0, |piece| 1.0 + BESIDE * piece.beside(point, outward))
    }
}

impl SegmentBlock {
    fn new(pieces: &[&BoneSegment]) -> Self {
        let by_lane =
            |of: &dyn Fn(&BoneSegment) -> f32| std::array::from_fn(|lane| pieces.get(lane).map_or(0.0, |p| of(p)));
        let by_axis = |of: fn(&BoneSegment) -> Vec3| [0, 1, 2].map(|axis| by_lane(&|piece| of(piece)[axis]));
        Self {
            heads: by_axis(|piece| piece.segment.head),
            ways: by_axis(|piece| piece.segment.tail - piece.segment.head),
            alongs: by_axis(|piece| piece.along),
            lengths_squared: by_lane(&|piece| (piece.segment.tail - piece.segment.head).length_squared()),
        }
    }

    /// Computes the distances of [`BoneSegment::counted`] for all segments of the block, with bit-identical results.
    fn counted(&self, point: Vec3) -> Lanes {
        let mut counted = Lanes::default();
        for (lane, counted) in counted.iter_mut().enumerate() {
            let at = |[x, y, z]: &[Lanes; 3]| Vec3::new(x[lane], y[lane], z[lane]);
            let (head, way, length_squared) = (at(&self.heads), at(&self.ways), self.lengths_squared[lane]);
            let share = (point - head).dot(way) / length_squared;
            let share = if length_squared > 0.0 { share } else { 0.0 };
            *counted = distance(point - (head + way * share.clamp(0.0, 1.0)), at(&self.alongs));
        }
        counted
    }
}

/// Returns the length of an offset after scaling its component along the segment by [`BEYOND_ENDS`].
fn distance(way: Vec3, along: Vec3) -> f32 {
    let beyond = way.dot(along);
    (way.length_squared() + (BEYOND_ENDS * BEYOND_ENDS - 1.0) * beyond * beyond).sqrt()
}

impl BoneSegment {
    fn new(segment: Segment) -> Self {
        Self { segment, along: (segment.tail - segment.head).normalize_or_zero() }
    }

    /// Returns the weighted distance from a point, and the closest point on the segment.
    fn counted(&self, point: Vec3) -> (f32, Vec3) {
        let place = self.segment.nearest(point);
        (distance(point - place, self.along), place)
    }

    /// Measures where the segment lies relative to the skin: 0 behind, 1 beside, 2 in front. Ignores the component
    /// along the segment, so that the border between bones of a straight chain stays at the joint.
    fn beside(&self, point: Vec3, outward: Vec3) -> f32 {
        let way = self.segment.nearest(point) - point;
        let across = way - self.along * way.dot(self.along);
        across.try_normalize().map_or(0.0, |across| 1.0 + across.dot(outward))
    }
}

fn times(body: &Body, radii: &[f32]) -> Vec<f32> {
    let chains = chains(body);
    let mut of_chains = vec![Vec::new(); body.bones.len()];
    for (&chain, &radius) in chains.iter().zip(radii) {
        of_chains[chain].push(radius);
    }
    let radii: Vec<f32> = of_chains.into_iter().map(median).collect();
    let mut times = vec![1.0_f32; body.bones.len()];
    for (bone, parent) in parents(body) {
        let thinner = if chains[bone] == chains[parent] { 1.0 } else { radii[chains[parent]] / radii[chains[bone]] };
        times[bone] = times[parent] * (thinner / THIN).max(1.0);
    }
    times
}

/// Returns the first bone of each bone's chain. A chain ends where a bone has several children.
fn chains(body: &Body) -> Vec<usize> {
    let children = children(body);
    let mut chains: Vec<usize> = (0..body.bones.len()).collect();
    for (bone, parent) in parents(body).filter(|(_, parent)| children[*parent] == 1) {
        chains[bone] = chains[parent];
    }
    chains
}

fn children(body: &Body) -> Vec<usize> {
    let mut children = vec![0; body.bones.len()];
    parents(body).for_each(|(_, parent)| children[parent] += 1);
    children
}

/// Returns `(bone, parent)` pairs, in an order in which parents precede their children.
fn parents(body: &Body) -> impl Iterator<Item = (usize, usize)> {
    body.parents_first().into_iter().filter_map(|bone| Some((bone, usize::from(body.bones[bone].parent?))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::NodeIndex;

    fn bone(number: u32, parent: Option<u16>, head: Vec3, tail: Vec3) -> BodyBone {
        BodyBone {
            node: NodeIndex(number),
            segments: vec![Segment { head, tail }],
            parent,
            is_top: parent.is_none(),
            is_end: number != 0 && number != 2,
        }
    }

    fn body() -> Body {
        let bones = vec![
            bone(0, None, Vec3::ZERO, Vec3::Y),
            bone(1, Some(0), Vec3::Y, Vec3::Y * 2.0),
            bone(2, Some(0), Vec3::Y, Vec3::new(1.0, 1.0, 0.0)),
            bone(3, Some(2), Vec3::new(1.0, 1.0, 0.0), Vec3::X),
        ];
        Body { bones, ..Body::default() }
    }

    #[test]
    fn the_way_beyond_an_end_counts_twice_and_that_beside_a_bone_once() {
        let piece = BoneSegment::new(Segment { head: Vec3::ZERO, tail: Vec3::Y });
        assert_eq!(piece.counted(Vec3::new(0.3, 0.5, 0.0)), (0.3, Vec3::Y * 0.5));
        let (distance, place) = piece.counted(Vec3::new(0.3, -0.2, 0.0));
        assert!((distance - 0.5).abs() < 1e-6 && place == Vec3::ZERO, "{distance}");
    }

    #[test]
    fn of_all_pieces_of_a_bone_the_nearest_counts_to_the_bit() {
        let mut body = body();
        body.bones[1].segments.push(Segment { head: Vec3::Y, tail: Vec3::Y });
        body.bones.extend((4..13).map(|number| bone(number, None, Vec3::splat(number as f32), Vec3::NEG_Y)));
        let nearness = WeightedBoneDistances::new(&body, &[1.0; 13], &[false; 13]);
        for point in [Vec3::ZERO, Vec3::new(0.3, 1.2, -0.7), Vec3::new(9.0, 8.5, 8.0), Vec3::splat(1e20)] {
            let single = nearness
                .pieces
                .iter()
                .map(|pieces| pieces.iter().map(|piece| piece.counted(point).0).fold(f32::INFINITY, f32::min));
            let counted: Vec<u32> = nearness.distances(point).map(|(_, distance)| distance.to_bits()).collect();
            assert_eq!(counted, single.map(f32::to_bits).collect::<Vec<_>>(), "{point}");
        }
    }

    #[test]
    fn skin_faces_the_bone_behind_it_and_not_one_that_ends_beside_it() {
        let [spine, neck] =
            [(0.0, 1.0), (1.0, 1.5)].map(|(low, high)| Segment { head: Vec3::Y * low, tail: Vec3::Y * high });
        let arm = Segment { head: Vec3::new(0.3, 1.0, 0.0), tail: Vec3::new(0.9, 1.0, 0.0) };
        let side = Vec3::new(0.3, 0.8, 0.0);
        let [spine, neck, arm] = [spine, neck, arm].map(BoneSegment::new);
        let [of_spine, of_neck, of_arm] = [&spine, &neck, &arm].map(|piece| piece.beside(side, Vec3::X));
        assert!(of_spine.abs() < 1e-6 && (of_arm - 1.0).abs() < 1e-6, "{of_spine} {of_arm}");
        assert!((of_neck - of_spine).abs() < 1e-6, "the border of spine and neck stays where it is");
        assert!((spine.beside(side, Vec3::NEG_X) - 2.0).abs() < 1e-6);
        assert_eq!(spine.beside(Vec3::Y * 2.0, Vec3::Y), 0.0, "over an end there are no sides");
    }

    #[test]
    fn bones_begin_later_where_several_hang_on_one_joint_and_nowhere_else() {
        let heads = |radius: f32| branched(&body(), &[radius; 4]).bones.into_iter().map(|bone| bone.segments[0].head);
        let begin =
            |share: f32| [Vec3::ZERO, Vec3::Y * (1.0 + share), Vec3::new(share, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)];
        for (radius, share) in [(0.5, 0.15), (9.0, 1.0 / 3.0)] {
            assert!(heads(radius).zip(begin(share)).all(|(head, known)| head.distance(known) < 1e-6), "{radius}");
        }
    }

    #[test]
    fn a_string_counts_as_farther_away_and_so_does_all_of_it() {
        assert_eq!(times(&body(), &[1.0, 0.9, 0.05, 0.05]), [1.0, 1.0, 4.0, 4.0]);
        assert_eq!(times(&body(), &[1.0, 0.3, 0.4, 0.2]), [1.0; 4], "arms and legs are no strings");
    }
}
