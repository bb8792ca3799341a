use glam::Vec3;
use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program};

use super::{annotation_program, use_shared_uniforms};
use crate::render::RenderError;
use crate::render::color::Rgb;
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::ClipHalfPlane;

/// Space for the dark edge and antialiasing on each side of a line, in points.
const MARGIN: f32 = 2.0;

pub(super) struct Ribbons {
    program: Program,
}

pub(super) struct Ribbon {
    before: InstanceBuffer<[f32; 3]>,
    start: InstanceBuffer<[f32; 3]>,
    end: InstanceBuffer<[f32; 3]>,
    after: InstanceBuffer<[f32; 3]>,
    numbers: InstanceBuffer<[f32; 2]>,
}

#[derive(Clone, Copy)]
pub(super) struct RibbonStyle {
    pub color: Rgb,
    pub alpha: f32,
    /// Factor for the alpha of the part of the line after the current time.
    pub future: f32,
    /// Current time, as a fractional point index along the line.
    pub present: f32,
    /// Half the width without the edge, in points.
    pub width: f32,
    pub depth_test: DepthTest,
}

impl Ribbon {
    /// Builds segments between successive finite points. Each line consists of points and their indices along the line.
    pub(super) fn new<'a>(context: &Context, lines: impl Iterator<Item = (&'a [Vec3], &'a [f32])>) -> Self {
        let (mut corners, mut numbers) = ([(); 4].map(|()| Vec::new()), Vec::new());
        for (points, point_numbers) in lines {
            let at = |index: usize| points[index.min(points.len() - 1)];
            for (index, pair) in points.windows(2).enumerate() {
                if pair[0].is_finite() && pair[1].is_finite() {
                    let segment = [at(index.saturating_sub(1)), pair[0], pair[1], at(index + 2)];
                    for (corners, point) in corners.iter_mut().zip(segment) {
                        corners.push(point.to_array());
                    }
                    numbers.push([point_numbers[index], point_numbers[index + 1]]);
                }
            }
        }
        let [before, start, end, after] = corners.map(|corners| InstanceBuffer::new_with_data(context, &corners));
        Self { before, start, end, after, numbers: InstanceBuffer::new_with_data(context, &numbers) }
    }
}

impl Ribbons {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let sources = [include_str!("ribbons.vert"), include_str!("ribbons.frag")];
        Ok(Self { program: annotation_program(context, "ribbons", sources)? })
    }

    pub(super) fn draw(&self, eye: &PaneCamera, cut: ClipHalfPlane, quad: &Quad, ribbon: &Ribbon, look: RibbonStyle) {
        let (program, count) = (&self.program, ribbon.numbers.instance_count());
        if count == 0 {
            return;
        }
        use_shared_uniforms(program, eye, cut);
        program.set("lineColor", look.color);
        program.set("alpha", look.alpha);
        program.set("future", look.future);
        program.set("present", look.present);
        program.set("width", look.width);
        program.set("reach", look.width + MARGIN);
        program.use_instance_attribute("before", &ribbon.before);
        program.use_instance_attribute("start", &ribbon.start);
        program.use_instance_attribute("end", &ribbon.end);
        program.use_instance_attribute("after", &ribbon.after);
        program.use_instance_attribute("numbers", &ribbon.numbers);
        quad.draw_instanced(program, (look.depth_test, Blend::TRANSPARENCY), eye.viewport, count);
    }
}
