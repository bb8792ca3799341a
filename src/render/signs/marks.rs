//! Vertices that the picture points out, at their places in the pose.

use three_d::{Context, DepthTest, InstanceBuffer};

use super::dots::Dots;
use crate::render::RenderError;
use crate::render::color::{Rgb, srgb};
use crate::render::frame::FrameInput;
use crate::render::gl::quad::Quad;
use crate::render::surface::side_look::SideLook;
use crate::skinning::RigSkinning;
use crate::view::{Mark, PerSide, Side};

/// Colour of marked vertices; selection in LOOK.md.
const MARKED: Rgb = srgb(0xFF_D1_66);
/// Alpha of marks behind the surface: enough to be found.
const HIDDEN_ALPHA: f32 = 0.3;

/// Marks over the surface, and faint ones where it hides them.
pub(crate) struct Marks {
    dots: Dots,
    places: PerSide<InstanceBuffer<[f32; 3]>>,
}

impl Marks {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { dots: Dots::new(context)?, places: PerSide::from_fn(|_| InstanceBuffer::new(context)) })
    }

    /// Skins the marked vertices: few, and only when a picture is drawn.
    pub(crate) fn update(&mut self, frame: &FrameInput<'_>) {
        for (side, places) in Side::ALL.into_iter().zip(self.places.iter_mut()) {
            let skinning =
                RigSkinning { skinning: &frame.view.sides[side].skinning, centers: frame.sides[side].centers };
            let actor = frame.sides[side].actor;
            let positions = |mark: &Mark| mark.positions(&actor.rig, actor.pose.skin_pose(), skinning);
            // They are vertices of the picture's character.
            let is_marked = frame.view.compare.shows(side) && actor.is_open();
            let marked = frame.view.marked.iter().filter(|_| is_marked);
            places.fill(&marked.flat_map(positions).map(|p| p.to_array()).collect::<Vec<_>>());
        }
    }

    pub(crate) fn draw(&self, look: &SideLook<'_>, quad: &Quad) {
        let places = &self.places[look.side];
        for (alpha, depth_test) in [(HIDDEN_ALPHA, DepthTest::Always), (1.0, DepthTest::LessOrEqual)] {
            self.dots.draw(look.eye, look.cut, quad, places, (MARKED, alpha), depth_test);
        }
    }
}
