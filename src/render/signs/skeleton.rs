//! Bones as octahedra of legible size, and marks on the joints that the user posed.

use std::ops::Range;

use glam::Vec3;
use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program, RenderStates, VertexBuffer, Viewer, WriteMask};

use super::dots::Dots;
use crate::render::RenderError;
use crate::render::color::{Rgb, srgb};
use crate::render::frame::FrameInput;
use crate::render::gl::program::{SetUniform, program};
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::Eye;
use crate::render::panes::pane::Cut;
use crate::rig::{Bone, Bounds, NodeIndex, Posed, drawn_bones};
use crate::view::{BoneStyle, Side, View};

const BODY: Rgb = srgb(0xE6_E9_EF);
const HOVERED: Rgb = srgb(0xFF_FF_FF);
const ACTIVE: Rgb = srgb(0xFF_D1_66);
/// Selected with the active one.
const SELECTED: Rgb = srgb(0xC2_94_3A);
const EDGE: Rgb = srgb(0x1B_1D_22);
/// As text: the colours of the sides mean the sides alone.
const POSED: Rgb = srgb(0xD8_DA_E0);
/// Of bones in front that are neither selected nor hovered: the skin stays visible.
const RESTING_ALPHA: f32 = 0.6;
/// Of those of controls.
const CONTROL_ALPHA: f32 = 0.25;
/// Their thickness, of that of others.
const CONTROL_SIZE: f32 = 0.4;
/// Half widths of rods, points.
const STICK: f32 = 1.3;
const LINE: f32 = 0.6;
/// Of the others while some are dragged.
const DRAGGING_ALPHA: f32 = 0.25;

/// Draws all bones in one call, all marks in another.
pub struct Skeleton {
    bones: Program,
    dots: Dots,
    octahedron: Body,
    rod: Body,
    heads: InstanceBuffer<[f32; 3]>,
    tails: InstanceBuffer<[f32; 3]>,
    sideways: InstanceBuffer<[f32; 3]>,
    tints: InstanceBuffer<[f32; 4]>,
    /// 1, or less for controls.
    sizes: InstanceBuffer<f32>,
    posed_heads: InstanceBuffer<[f32; 3]>,
    /// The rig has no mesh.
    is_alone: bool,
    shown: Vec<Bone>,
    /// Of what is shown.
    bounds: Bounds,
    /// What `shown` depends on: the frame, the side that shows its pose, and the isolated subtree.
    known: Option<(u64, Side, Option<Range<usize>>)>,
}

impl Skeleton {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        let eye = include_str!("../panes/eye.glsl");
        let with_eye = |main: &str| format!("{eye}\n{main}");
        Ok(Self {
            bones: program(
                context,
                "bones",
                &with_eye(include_str!("bones.vert")),
                &with_eye(include_str!("bones.frag")),
            )?,
            dots: Dots::new(context)?,
            octahedron: Body::new(context, &octahedron()),
            rod: Body::new(context, &rod()),
            heads: InstanceBuffer::new(context),
            tails: InstanceBuffer::new(context),
            sideways: InstanceBuffer::new(context),
            tints: InstanceBuffer::new(context),
            sizes: InstanceBuffer::new(context),
            posed_heads: InstanceBuffer::new(context),
            is_alone: false,
            shown: Vec::new(),
            bounds: Bounds::default(),
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
        let tint = |b: &Bone| tint(frame.view, b, is_selected[b.joint.index()]);
        self.tints.fill(&self.shown.iter().map(tint).collect::<Vec<_>>());
    }

    fn move_bones(&mut self, frame: &FrameInput<'_>) {
        let posed = frame.sides[frame.view.compare.leading()].posed;
        let mut bones = drawn_bones(frame.rig, posed);
        bones.retain(|b| frame.view.shows_bone(b.joint));
        let too_short = 1e-5 * frame.rig.size();
        let tail = |b: &Bone| if b.length() > too_short { b.tail } else { b.head };
        self.heads.fill(&bones.iter().map(|b| b.head.to_array()).collect::<Vec<_>>());
        self.tails.fill(&bones.iter().map(|b| tail(b).to_array()).collect::<Vec<_>>());
        self.sideways.fill(&bones.iter().map(|b| sideways(posed, b).to_array()).collect::<Vec<_>>());
        self.sizes.fill(&bones.iter().map(|b| if b.is_control { CONTROL_SIZE } else { 1.0 }).collect::<Vec<_>>());
        self.posed_heads.fill(&posed_heads(frame, &bones));
        self.is_alone = frame.rig.instances.is_empty();
        self.bounds = Bounds::default();
        bones.iter().flat_map(|b| [b.head, b.tail]).filter(|end| end.is_finite()).for_each(|end| self.bounds.add(end));
        self.shown = bones;
    }

    /// Around all bones that are drawn.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Bones behind other bones are hidden, also where they are seen through each other's alpha.
    pub fn draw(&self, eye: &Eye, quad: &Quad, view: &View) {
        // Thin bones are all edge: dark ones stand out from skin, but not from a dark background.
        let edge_share = if self.is_alone && view.display.is_dark { 0.3 } else { 0.9 };
        let (body, width, edge_share) = match view.display.bone_style {
            BoneStyle::Octahedral => (&self.octahedron, 0.0, edge_share),
            BoneStyle::Stick => (&self.rod, STICK, edge_share),
            BoneStyle::Line => (&self.rod, LINE, 0.0),
        };
        self.bones.set("edgeShare", edge_share);
        self.bones.set("rodPoints", width);
        self.draw_bones(body, eye, WriteMask::DEPTH, Blend::Disabled);
        self.draw_bones(body, eye, WriteMask::COLOR, Blend::TRANSPARENCY);
        self.draw_dots(eye, quad, view);
    }

    fn draw_bones(&self, body: &Body, eye: &Eye, write_mask: WriteMask, blend: Blend) {
        let (program, count) = (&self.bones, self.heads.instance_count());
        if count == 0 {
            return;
        }
        eye.use_uniforms(program);
        program.set("viewProjection", eye.projection() * eye.view());
        program.set("pixelsPerPoint", eye.pixels_per_point);
        program.set("edgeColor", EDGE);
        program.use_vertex_attribute("shape", &body.shape);
        program.use_vertex_attribute("barycentric", &body.barycentric);
        program.use_instance_attribute("head", &self.heads);
        program.use_instance_attribute("tail", &self.tails);
        program.use_instance_attribute("sideways", &self.sideways);
        program.use_instance_attribute("tint", &self.tints);
        program.use_instance_attribute("size", &self.sizes);
        let states = RenderStates { depth_test: DepthTest::LessOrEqual, write_mask, blend, ..RenderStates::default() };
        program.draw_arrays_instanced(states, eye.viewport, body.shape.vertex_count(), count);
    }

    fn draw_dots(&self, eye: &Eye, quad: &Quad, view: &View) {
        let depth_test = if view.display.bones_in_front { DepthTest::Always } else { DepthTest::LessOrEqual };
        let alpha = if view.is_dragging { 0.5 } else { 1.0 };
        self.dots.draw(eye, Cut::NONE, quad, &self.posed_heads, (POSED, alpha), depth_test);
    }
}

/// Colour and alpha of a joint's bones.
fn tint(view: &View, bone: &Bone, is_selected: bool) -> [f32; 4] {
    let joint = bone.joint;
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
        _ if bone.is_control => CONTROL_ALPHA,
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

/// The triangles of a bone: directions across it with the station in z, 0 at the head, 1 at the ring, 2 at the tail.
struct Body {
    shape: VertexBuffer<[f32; 3]>,
    barycentric: VertexBuffer<[f32; 3]>,
}

impl Body {
    fn new(context: &Context, shape: &[[f32; 3]]) -> Self {
        let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let barycentric: Vec<[f32; 3]> = corners.into_iter().cycle().take(shape.len()).collect();
        Self {
            shape: VertexBuffer::new_with_data(context, shape),
            barycentric: VertexBuffer::new_with_data(context, &barycentric),
        }
    }
}

/// Directions across a bone, once around.
const AROUND: [[f32; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];

/// Eight triangles, head to ring and ring to tail.
fn octahedron() -> Vec<[f32; 3]> {
    let mut shape = Vec::new();
    for station in [0.0, 2.0] {
        for i in 0..4 {
            let ([ax, ay], [bx, by]) = (AROUND[i], AROUND[(i + 1) % 4]);
            shape.extend([[0.0, 0.0, station], [ax, ay, 1.0], [bx, by, 1.0]]);
        }
    }
    shape
}

/// Four sides from head to tail and both ends.
fn rod() -> Vec<[f32; 3]> {
    let mut shape = Vec::new();
    for i in 0..4 {
        let ([ax, ay], [bx, by]) = (AROUND[i], AROUND[(i + 1) % 4]);
        let [a, b, c, d] = [[ax, ay, 0.0], [bx, by, 0.0], [bx, by, 2.0], [ax, ay, 2.0]];
        shape.extend([a, b, c, a, c, d]);
        shape.extend([[0.0, 0.0, 0.0], a, b, [0.0, 0.0, 2.0], d, c]);
    }
    shape
}
