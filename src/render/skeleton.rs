//! Bones as octahedra of legible size, and marks on the joints that the user posed.

use std::ops::Range;

use glam::Vec3;
use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program, RenderStates, VertexBuffer, Viewer, WriteMask};

use super::RenderError;
use super::color::{Rgb, srgb};
use super::dots::Dots;
use super::eye::Eye;
use super::frame::FrameInput;
use super::pane::Cut;
use super::program::{SetUniform, program};
use super::quad::Quad;
use crate::rig::{Bone, NodeIndex, Posed, bones};
use crate::view::{Side, View};

const BODY: Rgb = srgb(0xE6_E9_EF);
const HOVERED: Rgb = srgb(0xFF_FF_FF);
const ACTIVE: Rgb = srgb(0xFF_D1_66);
/// Selected with the active one.
const SELECTED: Rgb = srgb(0xC2_94_3A);
const EDGE: Rgb = srgb(0x1B_1D_22);
const POSED: Rgb = srgb(0xF2_99_4A);
/// Of bones in front that are neither selected nor hovered: the skin stays visible.
const RESTING_ALPHA: f32 = 0.6;
/// Of the others while some are dragged.
const DRAGGING_ALPHA: f32 = 0.25;

/// Draws all bones in one call, all marks in another.
pub(super) struct Skeleton {
    bones: Program,
    dots: Dots,
    shape: VertexBuffer<[f32; 3]>,
    barycentric: VertexBuffer<[f32; 3]>,
    heads: InstanceBuffer<[f32; 3]>,
    tails: InstanceBuffer<[f32; 3]>,
    sideways: InstanceBuffer<[f32; 3]>,
    tints: InstanceBuffer<[f32; 4]>,
    posed_heads: InstanceBuffer<[f32; 3]>,
    /// The rig has no mesh.
    is_alone: bool,
    shown: Vec<Bone>,
    /// What `shown` depends on: the frame, the side that shows its pose, and the isolated subtree.
    known: Option<(u64, Side, Option<Range<usize>>)>,
}

impl Skeleton {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        let eye = include_str!("eye.glsl");
        let with_eye = |main: &str| format!("{eye}\n{main}");
        let (shape, barycentric) = octahedron();
        Ok(Self {
            bones: program(
                context,
                "bones",
                &with_eye(include_str!("bones.vert")),
                &with_eye(include_str!("bones.frag")),
            )?,
            dots: Dots::new(context)?,
            shape: VertexBuffer::new_with_data(context, &shape),
            barycentric: VertexBuffer::new_with_data(context, &barycentric),
            heads: InstanceBuffer::new(context),
            tails: InstanceBuffer::new(context),
            sideways: InstanceBuffer::new(context),
            tints: InstanceBuffer::new(context),
            posed_heads: InstanceBuffer::new(context),
            is_alone: false,
            shown: Vec::new(),
            known: None,
        })
    }

    /// Uploads the bones of a frame: a few dozen bytes each, and only their colours where nothing has moved.
    pub fn update(&mut self, frame: &FrameInput<'_>) {
        let known = Some((frame.version, frame.view.compare.leading(), frame.view.isolated.clone()));
        if self.known != known {
            self.move_bones(frame);
            self.known = known;
        }
        let mut is_selected = vec![false; frame.rig.hierarchy.len()];
        for joint in &frame.view.selected {
            is_selected[joint.index()] = true;
        }
        let tint = |b: &Bone| tint(frame.view, b.joint, is_selected[b.joint.index()]);
        self.tints.fill(&self.shown.iter().map(tint).collect::<Vec<_>>());
    }

    fn move_bones(&mut self, frame: &FrameInput<'_>) {
        let posed = frame.sides[frame.view.compare.leading()].posed;
        let mut bones = bones(frame.rig, posed);
        bones.retain(|b| frame.view.shows_bone(b.joint));
        let too_short = 1e-5 * frame.rig.size();
        let tail = |b: &Bone| if b.length() > too_short { b.tail } else { b.head };
        self.heads.fill(&bones.iter().map(|b| b.head.to_array()).collect::<Vec<_>>());
        self.tails.fill(&bones.iter().map(|b| tail(b).to_array()).collect::<Vec<_>>());
        self.sideways.fill(&bones.iter().map(|b| sideways(posed, b).to_array()).collect::<Vec<_>>());
        self.posed_heads.fill(&posed_heads(frame, &bones));
        self.is_alone = frame.rig.instances.is_empty();
        self.shown = bones;
    }

    /// Bones behind other bones are hidden, also where they are seen through each other's alpha.
    pub fn draw(&self, eye: &Eye, quad: &Quad, view: &View) {
        // Thin bones are all edge: dark ones stand out from skin, but not from a dark background.
        let edge_share = if self.is_alone && view.display.is_dark { 0.3 } else { 0.9 };
        self.bones.set("edgeShare", edge_share);
        self.draw_bones(eye, WriteMask::DEPTH, Blend::Disabled);
        self.draw_bones(eye, WriteMask::COLOR, Blend::TRANSPARENCY);
        self.draw_dots(eye, quad, view);
    }

    fn draw_bones(&self, eye: &Eye, write_mask: WriteMask, blend: Blend) {
        let (program, count) = (&self.bones, self.heads.instance_count());
        if count == 0 {
            return;
        }
        eye.use_uniforms(program);
        program.set("viewProjection", eye.projection() * eye.view());
        program.set("pixelsPerPoint", eye.pixels_per_point);
        program.set("edgeColor", EDGE);
        program.use_vertex_attribute("shape", &self.shape);
        program.use_vertex_attribute("barycentric", &self.barycentric);
        program.use_instance_attribute("head", &self.heads);
        program.use_instance_attribute("tail", &self.tails);
        program.use_instance_attribute("sideways", &self.sideways);
        program.use_instance_attribute("tint", &self.tints);
        let states = RenderStates { depth_test: DepthTest::LessOrEqual, write_mask, blend, ..RenderStates::default() };
        program.draw_arrays_instanced(states, eye.viewport, self.shape.vertex_count(), count);
    }

    fn draw_dots(&self, eye: &Eye, quad: &Quad, view: &View) {
        let depth_test = if view.display.bones_in_front { DepthTest::Always } else { DepthTest::LessOrEqual };
        let alpha = if view.is_dragging { 0.5 } else { 1.0 };
        self.dots.draw(eye, Cut::NONE, quad, &self.posed_heads, (POSED, alpha), depth_test);
    }
}

/// Colour and alpha of a joint's bones.
fn tint(view: &View, joint: NodeIndex, is_selected: bool) -> [f32; 4] {
    let is_hovered = view.hovered == Some(joint);
    let selected = if view.selected.last() == Some(&joint) { ACTIVE } else { SELECTED };
    let [r, g, b] = match (is_selected, is_hovered) {
        (true, true) => selected.map(|c| c + (1.0 - c) * 0.4),
        (true, false) => selected,
        (false, true) => HOVERED,
        (false, false) => BODY,
    };
    let alpha = match (is_selected, is_hovered) {
        (true, _) => 1.0,
        _ if view.is_dragging => DRAGGING_ALPHA,
        (_, true) => 1.0,
        _ if view.display.bones_in_front => RESTING_ALPHA,
        _ => 1.0,
    };
    [r, g, b, alpha]
}

/// A direction across the bone that turns with its joint, so that a twist is seen.
fn sideways(posed: &Posed, bone: &Bone) -> Vec3 {
    let along = (bone.tail - bone.head).normalize_or(Vec3::Y);
    let turned = posed.world_from_node[bone.joint.index()].matrix3;
    [turned.z_axis, turned.x_axis, turned.y_axis]
        .into_iter()
        .map(Vec3::normalize_or_zero)
        .find(|axis| axis.cross(along).length() > 0.5)
        .unwrap_or_else(|| along.any_orthonormal_vector())
}

fn posed_heads(frame: &FrameInput<'_>, bones: &[Bone]) -> Vec<[f32; 3]> {
    let mut marked: Vec<(NodeIndex, [f32; 3])> =
        bones.iter().filter(|b| frame.pose.is_posed(b.joint)).map(|b| (b.joint, b.head.to_array())).collect();
    marked.dedup_by_key(|(joint, _)| *joint);
    marked.into_iter().map(|(_, head)| head).collect()
}

/// Eight triangles, head to ring and ring to tail: directions with the station in z, and barycentric coordinates.
fn octahedron() -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let ring = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let mut shape = Vec::new();
    for station in [0.0, 2.0] {
        for i in 0..4 {
            let ([ax, ay], [bx, by]) = (ring[i], ring[(i + 1) % 4]);
            shape.extend([[0.0, 0.0, station], [ax, ay, 1.0], [bx, by, 1.0]]);
        }
    }
    let barycentric = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let repeated = barycentric.into_iter().cycle().take(shape.len()).collect();
    (shape, repeated)
}
