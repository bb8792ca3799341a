use three_d::{Context, DepthTest, InstanceBuffer};

use super::dots::Dots;
use crate::render::RenderError;
use crate::render::color::ACTIVE;
use crate::render::frame::FrameInput;
use crate::render::gl::quad::Quad;
use crate::render::surface::draw_material::ActorDraw;
use rigscope_core::skinning::RigSkinning;
use rigscope_core::view::VertexSet;

/// Radius of the dots on marked vertices, in points.
const RADIUS: f32 = 3.0;
/// Radius of the dots on selected vertices, in points. It is small, because these vertices are often many and dense.
const SELECTED_RADIUS: f32 = 1.5;
const HIDDEN_ALPHA: f32 = 0.3;

/// Marked vertices, drawn over the surface. Vertices behind the surface are faint.
pub(crate) struct Marks {
    dots: Dots,
    positions: Vec<[InstanceBuffer<[f32; 3]>; 2]>,
}

impl Marks {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { dots: Dots::new(context)?, positions: Vec::new() })
    }

    pub(crate) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) {
        self.positions.resize_with(frame.actors.len(), || [(); 2].map(|()| InstanceBuffer::new(context)));
        for (index, (shown, positions)) in frame.actors.iter().zip(&mut self.positions).enumerate() {
            let skinning = RigSkinning { skinning: &shown.skinning, centers: shown.centers };
            let posed = |mark: &VertexSet| mark.positions(&shown.actor.rig, shown.actor.pose.skin_pose(), skinning);
            let is_marked = shown.actor.is_open() && frame.shown().any(|visible| visible == index);
            for (marks, positions) in [&frame.view.marked, &frame.view.vertices].into_iter().zip(positions) {
                let marked = marks.iter().filter(|_| is_marked);
                positions.fill(&marked.flat_map(posed).map(|p| p.to_array()).collect::<Vec<_>>());
            }
        }
    }

    pub(crate) fn draw(&self, look: &ActorDraw<'_>, quad: &Quad) {
        for (positions, radius) in self.positions[look.actor].iter().zip([RADIUS, SELECTED_RADIUS]) {
            for (alpha, depth_test) in [(HIDDEN_ALPHA, DepthTest::Always), (1.0, DepthTest::LessOrEqual)] {
                self.dots.draw(look.eye, look.cut, quad, positions, (ACTIVE, alpha, radius), depth_test);
            }
        }
    }
}
