use glam::Vec3;

use super::queue::BucketQueue;
use super::solid::Solid;
use super::sources::Sources;
use crate::jobs::Progress;
use crate::weights::segment::Segment;

const CHUNK: usize = 4096;

/// Entries that are farther from the bone than the nearest entry by more than this, in cells, are ignored.
const FAR: f32 = 1e4;

/// Flag that marks an anchor as a segment index instead of a cell index.
const SEGMENT: u32 = 1 << 31;

/// Path lengths through the inside, from one or several bones to every cell, in cells. Paths along cell steps would be
/// up to a tenth too long, and fast marching blurs distances behind corners. Here each cell stores its anchor, the
/// start of the straight line that reached it: the bone itself if visible, otherwise a cell at a corner. Cells that see
/// the bone have exact distances. Paths around corners are the shortest possible around the voxel walls. *Source*:
/// Nash, Koenig and Tovey 2010, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis in 3D*. Unlike in the
/// paper, a cell whose line of sight is blocked is queued again.
pub(in crate::weights) struct Wave<'a> {
    solid: &'a Solid,
    segments: Vec<Segment>,
    /// Added to all distances, in cells.
    base: f32,
    reached: Vec<ReachedCell>,
    /// Cells with a known distance, nearest first.
    known: Vec<u32>,
    queue: BucketQueue,
}

#[derive(Clone, Copy, Debug)]
struct ReachedCell {
    distance: f32,
    anchor: u32,
    is_known: bool,
}

const UNREACHED: ReachedCell = ReachedCell { distance: f32::INFINITY, anchor: 0, is_known: false };

impl<'a> Wave<'a> {
    pub(crate) fn new(solid: &'a Solid) -> Self {
        let reached = vec![UNREACHED; solid.len()];
        Self { solid, segments: Vec::new(), base: 0.0, reached, known: Vec::new(), queue: BucketQueue::default() }
    }

    /// Spreads from the sources up to each cell's limit, replacing earlier results.
    pub(crate) fn run(&mut self, sources: &Sources, limit: impl Fn(u32) -> f32, progress: &Progress) -> Option<()> {
        self.begin(sources);
        while let Some(cell) = self.queue.pop() {
            if self.reached[cell as usize].is_known || !self.is_verified(cell) {
                continue;
            }
            if self.known.len().is_multiple_of(CHUNK) {
                progress.check_cancelled()?;
            }
            self.reached[cell as usize].is_known = true;
            self.known.push(cell);
            if self.base + self.reached[cell as usize].distance <= limit(cell) {
                self.spread(cell);
            }
        }
        Some(())
    }

    pub(crate) fn known(&self) -> &[u32] {
        &self.known
    }

    /// Returns the distance of a cell's centre, in cells; infinite if unknown.
    pub(crate) fn distance(&self, cell: u32) -> f32 {
        let reached = self.reached[cell as usize];
        if reached.is_known { self.base + reached.distance } else { f32::INFINITY }
    }

    pub(crate) fn distance_at(&self, cell: u32, point: Vec3) -> f32 {
        self.base + self.by_anchor(self.reached[cell as usize].anchor, point)
    }

    /// Returns the index of the source segment that reached a cell, if any.
    pub(crate) fn segment(&self, cell: u32) -> Option<usize> {
        let mut at = cell;
        loop {
            let reached = self.reached[at as usize];
            match reached.anchor {
                _ if !reached.is_known => return None,
                anchor if anchor & SEGMENT != 0 => return Some((anchor ^ SEGMENT) as usize),
                anchor if anchor == at => return None,
                anchor => at = anchor,
            }
        }
    }

    fn begin(&mut self, sources: &Sources) {
        self.reached.fill(UNREACHED);
        self.known.clear();
        self.queue = BucketQueue::default();
        self.segments.clone_from(&sources.segments);
        for (at, segment) in (0..).zip(&sources.segments) {
            let steps = (segment.head.distance(segment.tail) * 2.0).ceil().max(1.0) as u32;
            for step in 0..=steps {
                let point = segment.head.lerp(segment.tail, step as f32 / steps as f32);
                if let Some(cell) = self.solid.at(point) {
                    self.offer(cell, segment.distance(self.solid.middle(cell)), SEGMENT | at, 0.0);
                }
            }
        }
        let nearest = sources.entries.iter().map(|(_, distance)| *distance).fold(f32::INFINITY, f32::min);
        let base = if sources.segments.is_empty() { nearest } else { 0.0 };
        self.base = base;
        for &(cell, distance) in sources.entries.iter().filter(|(_, distance)| distance - base <= FAR) {
            self.offer(cell, distance - base, cell, 0.0);
        }
    }

    /// Checks that a cell sees its anchor; otherwise chooses another anchor and queues the cell again.
    fn is_verified(&mut self, cell: u32) -> bool {
        let anchor = self.reached[cell as usize].anchor;
        if anchor == cell || self.sees(anchor, cell) {
            return true;
        }
        let (solid, middle) = (self.solid, self.solid.middle(cell));
        let mut best = UNREACHED;
        solid.for_each_neighbour(cell, |beside| {
            let known = self.reached[beside as usize];
            if !known.is_known {
                return;
            }
            for through in [beside, known.anchor] {
                let distance = self.by_anchor(through, middle);
                if distance < best.distance && through != anchor && (through == beside || self.sees(through, cell)) {
                    best = ReachedCell { distance, anchor: through, is_known: false };
                }
            }
        });
        if best.distance.is_finite() {
            self.reached[cell as usize] = best;
        } else {
            // No neighbour is nearer: the bone passes through the cell itself.
            self.reached[cell as usize].anchor = cell;
        }
        self.queue.push(self.reached[cell as usize].distance, cell);
        false
    }

    fn spread(&mut self, cell: u32) {
        let ReachedCell { distance, anchor, .. } = self.reached[cell as usize];
        let solid = self.solid;
        // Cells of a surface are connected by faces, which suffice for a straight path.
        solid.for_each_beside(cell, |beside| {
            if !self.reached[beside as usize].is_known {
                let through = self.by_anchor(anchor, solid.middle(beside));
                self.offer(beside, through, anchor, distance);
            }
        });
    }

    fn offer(&mut self, cell: u32, distance: f32, anchor: u32, at_least: f32) {
        let reached = &mut self.reached[cell as usize];
        if distance < reached.distance {
            *reached = ReachedCell { distance, anchor, is_known: false };
            self.queue.push(distance.max(at_least), cell);
        }
    }

    fn by_anchor(&self, anchor: u32, point: Vec3) -> f32 {
        if anchor & SEGMENT != 0 {
            return self.segments[(anchor ^ SEGMENT) as usize].distance(point);
        }
        self.reached[anchor as usize].distance + self.solid.middle(anchor).distance(point)
    }

    /// Returns true if a cell sees an anchor. Touching cells always see each other, so every cell has an anchor.
    fn sees(&self, anchor: u32, cell: u32) -> bool {
        let to = self.solid.middle(cell);
        if anchor & SEGMENT != 0 {
            return self.solid.sees(self.segments[(anchor ^ SEGMENT) as usize].nearest(to), to);
        }
        let from = self.solid.middle(anchor);
        (to - from).abs().max_element() < 1.5 || self.solid.sees(from, to)
    }
}
