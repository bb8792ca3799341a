//! Vertices that the picture points out, at their places in the pose.

use three_d::{Context, DepthTest, InstanceBuffer};

use super::RenderError;
use super::color::{Rgb, srgb};
use super::dots::Dots;
use super::eye::Eye;
use super::frame::Frame;
use super::quad::Quad;

/// LOOK.md: selection.
const MARKED: Rgb = srgb(0xFF_D1_66);
/// Of marks behind the surface: enough to be found.
const HIDDEN_ALPHA: f32 = 0.3;

/// Marks over the surface, and faint ones where it hides them.
pub(super) struct Marks {
    dots: Dots,
    places: InstanceBuffer<[f32; 3]>,
}

impl Marks {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { dots: Dots::new(context)?, places: InstanceBuffer::new(context) })
    }

    /// Skins the marked vertices: few, and only when a picture is drawn.
    pub fn update(&mut self, frame: &Frame<'_>) {
        let positions = |mark: &crate::view::Mark| {
            mark.positions(frame.rig, frame.posed, frame.palettes, frame.view.skinning.method)
        };
        let places: Vec<[f32; 3]> = frame.view.marked.iter().flat_map(positions).map(|p| p.to_array()).collect();
        self.places.fill(&places);
    }

    pub fn draw(&self, eye: &Eye, quad: &Quad) {
        self.dots.draw(eye, quad, &self.places, MARKED, HIDDEN_ALPHA, DepthTest::Always);
        self.dots.draw(eye, quad, &self.places, MARKED, 1.0, DepthTest::LessOrEqual);
    }
}
