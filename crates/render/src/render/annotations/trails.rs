//! Motion trails of joints, vertices and the root over a clip: lines with ticks at frames, brighter up to the current
//! time.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use three_d::{Context, DepthTest, InstanceBuffer};

use super::dots::Dots;
use super::ribbons::{Ribbon, RibbonStyle, Ribbons};
use crate::render::RenderError;
use crate::render::color::{ACTIVE, Rgb, SELECTED, SIDE_A, SIDE_B, srgb};
use crate::render::frame::FrameInput;
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::{ClipHalfPlane, Pane};
use rigscope_core::actor::{ShownActor, ShownTrails};
use rigscope_core::rig::{Bounds, NodeIndex};
use rigscope_core::skinning::RigSkinning;
use rigscope_core::view::{RootPath, Side, Trails};

const ROOT: Rgb = srgb(0xD8_DA_E0);
/// Half the width of joint and vertex trails, in points.
const WIDTH: f32 = 1.2;
/// Half the width of the root's trail, in points.
const ROOT_WIDTH: f32 = 1.0;
/// Radius of the ticks, in points.
const TICK: f32 = 2.0;
/// Radius of the dot at the current time, in points.
const PRESENT: f32 = 3.5;
const FUTURE: f32 = 0.45;
const HIDDEN: f32 = 0.3;
/// Minimum mean distance between ticks, in points. If frames are closer than this, only every second, fifth, tenth …
/// frame has a tick.
const MIN_APART: f32 = 12.0;
/// Length of the root's heading strokes, relative to the rig's size.
const STROKE: f32 = 0.06;
/// Cosine of the minimum angle (20°) between heading strokes at the same position.
const STROKE_TURN: f32 = 0.94;

pub(crate) struct TrailLines {
    ribbons: Ribbons,
    dots: Dots,
    actors: Vec<ActorTrails>,
}

#[derive(Default)]
struct ActorTrails {
    known: Option<(Arc<Trails>, Vec<Rgb>)>,
    /// Trails of the joints and of the root, which actors with equal trails share.
    common: Vec<TrailLine>,
    own: Vec<TrailLine>,
}

struct TrailLine {
    color: Rgb,
    width: f32,
    points: Vec<Vec3>,
    ribbon: Ribbon,
    ticks: [InstanceBuffer<[f32; 3]>; 2],
    present: InstanceBuffer<[f32; 3]>,
    place: f32,
}

impl TrailLines {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { ribbons: Ribbons::new(context)?, dots: Dots::new(context)?, actors: Vec::new() })
    }

    pub(crate) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) {
        self.actors.resize_with(frame.actors.len(), ActorTrails::default);
        for (index, (shown, known)) in frame.actors.iter().zip(&mut self.actors).enumerate() {
            match shown.trails.filter(|_| frame.shown().any(|in_picture| in_picture == index)) {
                Some(trails) => known.update(context, frame, (shown, trails)),
                None => *known = ActorTrails::default(),
            }
        }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        let trails = self.actors.iter().filter_map(|actor| actor.known.as_ref());
        trails.fold(Bounds::default(), |all, (trails, _)| all.joined(trails.bounds()))
    }

    /// Draws the trails of a pane's actors. Trails that two actors share are drawn once, on both sides of the dividing
    /// line.
    pub(crate) fn draw(&self, pane: &Pane, quad: &Quad) {
        let ghost = pane.ghost.map(|(actor, _)| (actor, ClipHalfPlane::NONE));
        let drawn: Vec<(usize, ClipHalfPlane)> = pane.solids.iter().copied().chain(ghost).collect();
        for (number, &(index, cut)) in drawn.iter().enumerate() {
            let actor = &self.actors[index];
            let is_shared = |&(other, _): &(usize, ClipHalfPlane)| other != index && self.actors[other].moves_as(actor);
            if !drawn[..number].iter().any(is_shared) {
                let cut = if drawn.iter().any(is_shared) { ClipHalfPlane::NONE } else { cut };
                actor.common.iter().for_each(|strand| self.draw_strand(&pane.eye, cut, quad, strand));
            }
            actor.own.iter().for_each(|strand| self.draw_strand(&pane.eye, cut, quad, strand));
        }
    }

    fn draw_strand(&self, eye: &PaneCamera, cut: ClipHalfPlane, quad: &Quad, strand: &TrailLine) {
        let TrailLine { color, width, place, .. } = *strand;
        for (alpha, depth_test) in [(HIDDEN, DepthTest::Greater), (1.0, DepthTest::LessOrEqual)] {
            let look = RibbonStyle { color, alpha, future: FUTURE, present: place, width, depth_test };
            self.ribbons.draw(eye, cut, quad, &strand.ribbon, look);
            for (ticks, share) in strand.ticks.iter().zip([1.0, FUTURE]) {
                self.dots.draw(eye, cut, quad, ticks, (color, alpha * share, TICK), depth_test);
            }
        }
        self.dots.draw(eye, cut, quad, &strand.present, (color, 1.0, PRESENT), DepthTest::Always);
    }
}

impl ActorTrails {
    fn moves_as(&self, other: &Self) -> bool {
        self.known.as_ref().zip(other.known.as_ref()).is_some_and(|((a, _), (b, _))| Arc::ptr_eq(&a.joints, &b.joints))
    }

    fn update(
        &mut self,
        context: &Context,
        frame: &FrameInput<'_>,
        (shown, ShownTrails { trails, time_secs, side }): (&ShownActor<'_>, ShownTrails<'_>),
    ) {
        let colors = common_colors(frame, trails, side);
        let is_known = self.known.as_ref().is_some_and(|(known, of)| Arc::ptr_eq(known, trails) && *of == colors);
        if !is_known {
            self.upload(context, frame, (trails, side), &colors);
            self.known = Some((Arc::clone(trails), colors));
        }
        let pose = shown.actor.pose.skin_pose();
        let skinning = RigSkinning { skinning: &shown.skinning, centers: shown.centers };
        let joints = trails.joints.iter().map(|trail| Some(shown.actor.world_from(trail.joint)?.translation));
        let root = trails.root.iter().map(|path| {
            let world = pose.posed.world_from_node.get(path.root.index())?;
            Some(Vec3 { y: path.points.first()?.y, ..world.translation })
        });
        let vertices = trails.vertices.iter().map(|trail| {
            let positions = trail.vertex.positions(&shown.actor.rig, pose, skinning);
            positions.first().copied()
        });
        let present = joints.chain(root).chain(vertices);
        let place = trails.index_at(time_secs);
        for (strand, present) in self.common.iter_mut().chain(&mut self.own).zip(present) {
            strand.update(frame, trails, (place, present));
        }
    }

    fn upload(&mut self, context: &Context, frame: &FrameInput<'_>, (trails, side): (&Trails, Side), colors: &[Rgb]) {
        let numbers: Vec<f32> = (0..trails.moments.len()).map(|number| number as f32).collect();
        let lines = trails.joints.iter().map(|trail| &trail.points);
        let line = |points: &[Vec3], color| {
            TrailLine::new(context, points, color, WIDTH, [(points, &numbers[..])].into_iter())
        };
        self.common = lines.zip(colors).map(|(points, color)| line(points, *color)).collect();
        if let Some((path, color)) = trails.root.as_deref().zip(colors.last()) {
            let strokes = strokes(path, STROKE * frame.open.size());
            let lines = strokes.iter().map(|(ends, numbers)| (&ends[..], &numbers[..]));
            let lines = std::iter::once((&path.points[..], &numbers[..])).chain(lines);
            self.common.push(TrailLine::new(context, &path.points, *color, ROOT_WIDTH, lines));
        }
        self.own = trails.vertices.iter().map(|trail| line(&trail.points, side_color(side))).collect();
    }
}

impl TrailLine {
    fn new<'a>(
        context: &Context,
        points: &[Vec3],
        color: Rgb,
        width: f32,
        lines: impl Iterator<Item = (&'a [Vec3], &'a [f32])>,
    ) -> Self {
        Self {
            color,
            width,
            points: points.to_vec(),
            ribbon: Ribbon::new(context, lines),
            ticks: [(); 2].map(|()| InstanceBuffer::new(context)),
            present: InstanceBuffer::new(context),
            place: 0.0,
        }
    }

    fn update(&mut self, frame: &FrameInput<'_>, trails: &Trails, (place, present): (f32, Option<Vec3>)) {
        self.place = place;
        self.present.fill(present.filter(|point| point.is_finite()).map(|point| point.to_array()).as_slice());
        let step = self.frames_a_tick(frame);
        let mut ticks = [Vec::new(), Vec::new()];
        for (number, (point, moment)) in self.points.iter().zip(&trails.moments).enumerate() {
            if point.is_finite() && moment.frame.is_some_and(|frame| frame.is_multiple_of(step)) {
                ticks[usize::from(number as f32 > place)].push(point.to_array());
            }
        }
        for (buffer, ticks) in self.ticks.iter_mut().zip(&ticks) {
            buffer.fill(ticks);
        }
    }

    /// Returns the number of frames per tick. It doesn't depend on the view direction, so that orbiting doesn't change
    /// the ticks.
    fn frames_a_tick(&self, frame: &FrameInput<'_>) -> u32 {
        let [width, height] = frame.size.map(|pixels| pixels as f32 / frame.pixels_per_point);
        let lens = frame.view.camera.lens(Vec2::new(width, height));
        let finite = || self.points.iter().filter(|point| point.is_finite());
        let count = finite().count();
        let length: f32 = finite().zip(finite().skip(1)).map(|(a, b)| a.distance(*b)).sum();
        let middle = finite().sum::<Vec3>() / count.max(1) as f32;
        let apart = length / count.saturating_sub(1).max(1) as f32 / lens.world_per_point(middle);
        let min_steps = MIN_APART / apart.max(1e-6);
        let mut steps = (0..7).flat_map(|power| [1, 2, 5].map(|of| of * 10_u32.pow(power)));
        steps.find(|&step| step as f32 >= min_steps).unwrap_or(u32::MAX)
    }
}

/// Returns the colour of each joint trail, followed by the colour of the root's trail. If the sides have different
/// trails, all have the side's colour.
fn common_colors(frame: &FrameInput<'_>, trails: &Arc<Trails>, side: Side) -> Vec<Rgb> {
    let mut others = frame.shown().filter_map(|actor| frame.actors[actor].trails);
    let is_other = |other: &ShownTrails<'_>| !Arc::ptr_eq(&other.trails.joints, &trails.joints);
    let of_side = others.any(|other| is_other(&other)).then(|| side_color(side));
    let active = frame.view.selected.last();
    let of_selection = |joint: &NodeIndex| if active == Some(joint) { ACTIVE } else { SELECTED };
    let joints = trails.joints.iter().map(|trail| of_side.unwrap_or_else(|| of_selection(&trail.joint)));
    joints.chain([of_side.unwrap_or(ROOT)]).collect()
}

fn side_color(side: Side) -> Rgb {
    match side {
        Side::A => SIDE_A,
        Side::B => SIDE_B,
    }
}

/// Returns the root's heading strokes, each with the index of its path point at both ends. Successive strokes differ by
/// at least `length` in position or by the angle of [`STROKE_TURN`].
fn strokes(path: &RootPath, length: f32) -> Vec<([Vec3; 2], [f32; 2])> {
    let mut strokes: Vec<([Vec3; 2], [f32; 2])> = Vec::new();
    let mut last: Option<(Vec3, Vec3)> = None;
    for (number, (&point, &heading)) in path.points.iter().zip(&path.headings).enumerate() {
        let is_apart =
            last.is_none_or(|(at, facing)| point.distance(at) >= length || facing.dot(heading) < STROKE_TURN);
        if is_apart && point.is_finite() {
            strokes.push(([point, point + heading * length], [number as f32; 2]));
            last = Some((point, heading));
        }
    }
    strokes
}
