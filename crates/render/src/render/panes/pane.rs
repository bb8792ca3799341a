use glam::{Vec2, Vec3};
use three_d::Viewport;

use super::eye::PaneCamera;
use crate::render::frame::{FrameInput, PaneContent, PaneInput, Tile};
use crate::render::gl::program::SetUniform;
use rigscope_core::rig::Bounds;
use rigscope_core::view::{Ghost, PerSide, Side, Wipe};

/// Half-plane of all pixels for which (x, y, 1) · `self` ≥ 0, where x and y are counted from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipHalfPlane([f32; 3]);

impl ClipHalfPlane {
    pub(crate) const NONE: Self = Self([0.0, 0.0, 1.0]);

    pub(crate) fn new(wipe: Wipe, side: Side, size: [u32; 2]) -> Self {
        let size = Vec2::new(size[0] as f32, size[1] as f32);
        let across = wipe.normal();
        let towards_b = [across.x, -across.y, wipe.distance(Vec2::new(0.0, size.y), size)];
        Self(match side {
            Side::A => towards_b.map(|c| -c),
            Side::B => towards_b,
        })
    }

    /// Converts from pixels of a pane with origin `pane` to pixels of a tile with origin `tile`.
    fn seen_from(self, tile: [u32; 2], pane: [u32; 2]) -> Self {
        let Self([across, up, from]) = self;
        let [right, above] = [0, 1].map(|i| tile[i] as f32 - pane[i] as f32);
        Self([across, up, from + across * right + up * above])
    }

    pub(crate) fn bounds(self, viewport: Viewport) -> Viewport {
        let Viewport { x, y, width, height } = viewport;
        let [left, bottom, right, top] = [x as f32, y as f32, (x as f32) + width as f32, (y as f32) + height as f32];
        let corners = [Vec2::new(left, bottom), Vec2::new(right, bottom), Vec2::new(right, top), Vec2::new(left, top)];
        let distance = |p: Vec2| Vec3::from(self.0).dot(p.extend(1.0));
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (index, &a) in corners.iter().enumerate() {
            let b = corners[(index + 1) % 4];
            let (at_a, at_b) = (distance(a), distance(b));
            let crossing = ((at_a < 0.0) != (at_b < 0.0)).then(|| a.lerp(b, at_a / (at_a - at_b)));
            for kept in [Some(a).filter(|_| at_a >= 0.0), crossing].into_iter().flatten() {
                (low, high) = (low.min(kept), high.max(kept));
            }
        }
        if low.x > high.x {
            return Viewport { width: 0, height: 0, ..viewport };
        }
        let low = (low.floor() - 1.0).max(Vec2::new(left, bottom));
        let high = (high.ceil() + 1.0).min(Vec2::new(right, top));
        let size = (high - low).max(Vec2::ZERO);
        Viewport { x: low.x as i32, y: low.y as i32, width: size.x as u32, height: size.y as u32 }
    }

    pub(crate) fn use_uniforms(self, program: &impl SetUniform) {
        program.set("cut", self.0);
    }
}

pub(crate) struct Pane {
    pub eye: PaneCamera,
    /// Solid actors, each with the half-plane that clips it.
    pub solids: Vec<(usize, ClipHalfPlane)>,
    pub ghost: Option<(usize, Ghost)>,
}

impl Pane {
    /// Returns the panes that overlap the drawn tile. Their depth ranges include all of `shown`.
    pub(crate) fn all(frame: &FrameInput<'_>, shown: Bounds) -> Vec<Self> {
        frame.panes.iter().filter_map(|pane| Self::new(frame, pane, shown)).collect()
    }

    fn new(frame: &FrameInput<'_>, pane: &PaneInput, shown: Bounds) -> Option<Self> {
        let part = frame.drawn_part();
        let eye =
            PaneCamera::new(&frame.view.camera, shown, pane.size, frame.pixels_per_point).within(pane.origin, part)?;
        let (solids, ghost) = match pane.shows {
            PaneContent::One(actor) => (vec![(actor, ClipHalfPlane::NONE)], None),
            PaneContent::Wipe(actors, wipe) => {
                let cut = |side| ClipHalfPlane::new(wipe, side, pane.size).seen_from(part.origin, pane.origin);
                (Side::ALL.map(|side| (actors[side], cut(side))).into(), None)
            }
            PaneContent::Ghost(PerSide { a, b }, ghost) => (vec![(a, ClipHalfPlane::NONE)], Some((b, ghost))),
        };
        Some(Self { eye, solids, ghost })
    }

    pub(crate) fn ghost_shown_as(&self, kind: Ghost) -> Option<usize> {
        self.ghost.filter(|(_, shown_as)| *shown_as == kind).map(|(actor, _)| actor)
    }

    pub(crate) fn line(&self) -> Option<(ClipHalfPlane, Viewport)> {
        self.solids.get(1).map(|(_, cut)| (*cut, self.eye.viewport))
    }
}

pub(crate) fn lines_between(frame: &FrameInput<'_>) -> impl Iterator<Item = (ClipHalfPlane, Viewport)> {
    let Tile { origin, size } = frame.drawn_part();
    let line = move |panes: &[PaneInput]| {
        let [left, right] = [&panes[0], &panes[1]];
        let ends = [left.origin[1], left.origin[1] + left.size[1]];
        let [bottom, top] = ends.map(|end| end.saturating_sub(origin[1]).min(size[1]));
        let is_beside = left.origin[1] == right.origin[1] && bottom < top;
        let middle = (left.origin[0] + left.size[0] + right.origin[0]) as f32 * 0.5;
        let viewport = Viewport { x: 0, y: bottom.cast_signed(), width: size[0], height: top - bottom };
        is_beside.then(|| (ClipHalfPlane([1.0, 0.0, -middle]).seen_from(origin, [0; 2]), viewport))
    };
    frame.panes.windows(2).filter_map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_is_left_to_the_side_on_which_the_wipe_has_it() {
        let size = [40, 30];
        for (angle, offset) in [(0.0, 0.0), (0.8, 0.2), (1.57, -0.3), (3.5, 0.1)] {
            let wipe = Wipe { angle, offset };
            let [ClipHalfPlane(a), ClipHalfPlane(b)] = Side::ALL.map(|side| ClipHalfPlane::new(wipe, side, size));
            for (x, y) in (0..size[0]).flat_map(|x| (0..size[1]).map(move |y| (x as f32 + 0.5, y as f32 + 0.5))) {
                let product = |cut: [f32; 3]| cut[0] * x + cut[1] * (size[1] as f32 - y) + cut[2];
                let expected = wipe.distance(Vec2::new(x, y), Vec2::new(40.0, 30.0));
                assert!((product(b) - expected).abs() < 1e-4, "{wipe:?} at {x}, {y}");
                assert_eq!(product(a), -product(b));
                let pixel = Vec2::new(x, size[1] as f32 - y);
                for cut in Side::ALL
                    .map(|side| ClipHalfPlane::new(wipe, side, size))
                    .into_iter()
                    .filter(|c| product(c.0) >= 0.0)
                {
                    let Viewport { x, y, width, height } = cut.bounds(Viewport::new_at_origo(size[0], size[1]));
                    let within = pixel - Vec2::new(x as f32, y as f32);
                    assert!(within.cmpge(Vec2::ZERO).all() && within.x <= width as f32 && within.y <= height as f32);
                }
            }
        }
    }

    #[test]
    fn a_tile_is_cut_where_the_whole_pane_is() {
        let (size, pane, tile) = ([40, 30], [3, 5], [11, 22]);
        for (angle, offset) in [(0.0, 0.1), (0.8, 0.2), (1.57, -0.3), (3.5, 0.1)] {
            let whole = ClipHalfPlane::new(Wipe { angle, offset }, Side::B, size);
            let at =
                |ClipHalfPlane(cut): ClipHalfPlane, [x, y]: [u32; 2]| cut[0] * x as f32 + cut[1] * y as f32 + cut[2];
            for pixel in [[0, 0], [7, 0], [0, 6], [5, 3]] {
                let in_pane = [0, 1].map(|i| pixel[i] + tile[i] - pane[i]);
                let [expected, found] = [at(whole, in_pane), at(whole.seen_from(tile, pane), pixel)];
                assert!((expected - found).abs() < 1e-3, "{angle} at {pixel:?}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn an_upright_wipe_leaves_each_side_its_half_and_one_beyond_the_edge_leaves_nothing() {
        let viewport = Viewport::new_at_origo(40, 30);
        let halves = Side::ALL.map(|side| ClipHalfPlane::new(Wipe::default(), side, [40, 30]).bounds(viewport));
        assert_eq!(halves.map(|half| (half.x, half.width, half.height)), [(0, 21, 30), (19, 21, 30)]);
        let beyond = Wipe { offset: 2.0, ..Wipe::default() };
        let shares = Side::ALL.map(|side| ClipHalfPlane::new(beyond, side, [40, 30]).bounds(viewport));
        assert_eq!(shares.map(|share| share.width), [40, 0]);
    }
}
