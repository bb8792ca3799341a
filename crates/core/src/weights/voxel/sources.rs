use glam::Vec3;

use super::solid::Solid;
use crate::weights::body::BodyBone;
use crate::weights::segment::Segment;

/// Number of samples along a bone outside the body. Its distances start at the cell nearest to each sample.
const ENTRIES: u8 = 16;

/// Where a bone's distances start: at its inside segments or, if it is outside, at the nearest cells.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct Sources {
    /// Bone segments in grid coordinates.
    pub segments: Vec<Segment>,
    /// Cells with their straight distance from the bone, in cells.
    pub entries: Vec<(u32, f32)>,
}

impl Sources {
    pub(crate) fn new(bone: &BodyBone, solid: &Solid) -> Self {
        let to_grid = |s: &Segment| Segment { head: solid.frame.to_grid(s.head), tail: solid.frame.to_grid(s.tail) };
        let segments: Vec<Segment> = bone.segments.iter().map(to_grid).collect();
        let mut sources = Self::default();
        for segment in &segments {
            sources.add_inside(*segment, solid);
        }
        if sources.segments.is_empty() {
            sources.add_entries(&segments, solid);
        }
        sources
    }

    fn add_inside(&mut self, segment: Segment, solid: &Solid) {
        let Some(segment) = within(segment, solid) else { return };
        let steps = (segment.head.distance(segment.tail) * 2.0).ceil().max(1.0) as u32;
        let mut run: Option<Segment> = None;
        for step in 0..=steps {
            let point = segment.head.lerp(segment.tail, step as f32 / steps as f32);
            match &mut run {
                run if solid.at(point).is_none() => self.segments.extend(run.take()),
                Some(run) => run.tail = point,
                run @ None => *run = Some(Segment { head: point, tail: point }),
            }
        }
        self.segments.extend(run);
    }

    fn add_entries(&mut self, segments: &[Segment], solid: &Solid) {
        for segment in segments.iter().filter(|segment| segment.head.is_finite() && segment.tail.is_finite()) {
            for step in 0..ENTRIES {
                let point = segment.head.lerp(segment.tail, f32::from(step) / f32::from(ENTRIES - 1));
                let Some(cell) = solid.bits.nearest(point) else { return };
                let cell = solid.number(cell.map(usize::from));
                self.entries.push((cell, segment.distance(solid.middle(cell))));
            }
        }
        self.entries.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.entries.dedup_by_key(|(cell, _)| *cell);
    }

    pub(crate) fn is_outside(&self) -> bool {
        self.segments.is_empty()
    }
}

/// Clips a segment to the frame, which bounds its length; `None` if nothing is left.
fn within(segment: Segment, solid: &Solid) -> Option<Segment> {
    let way = segment.tail - segment.head;
    let high = Vec3::from(solid.frame.size.map(|cells| cells as f32));
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for axis in 0..3 {
        let faces = [-segment.head[axis] / way[axis], (high[axis] - segment.head[axis]) / way[axis]];
        if way[axis] == 0.0 {
            if !(0.0..=high[axis]).contains(&segment.head[axis]) {
                return None;
            }
        } else {
            from = from.max(faces[0].min(faces[1]));
            to = to.min(faces[0].max(faces[1]));
        }
    }
    let at = |share: f32| segment.head + way * share;
    let clipped = Segment { head: at(from), tail: at(to) };
    (from <= to && clipped.head.is_finite() && clipped.tail.is_finite()).then_some(clipped)
}
