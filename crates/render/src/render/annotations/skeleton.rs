use std::ops::Range;

use glam::Vec3;
use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program, RenderStates, VertexBuffer, WriteMask};

use super::dots::Dots;
use super::{annotation_program, use_shared_uniforms};
use crate::render::RenderError;
use crate::render::color::{ACTIVE, Rgb, SELECTED, srgb};
use crate::render::frame::FrameInput;
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::{ClipHalfPlane, Pane};
use rigscope_core::actor::Actor;
use rigscope_core::rig::{Bone, Bounds, NodeIndex, Pose, Posed, drawn_bones};
use rigscope_core::view::{BoneStyle, View};

const BODY: Rgb = srgb(0xE6_E9_EF);
const HOVERED: Rgb = srgb(0xFF_FF_FF);
/// Colour of the dots on posed joints. It is the text colour, because side colours are reserved for the sides.
const POSED: Rgb = srgb(0xD8_DA_E0);
/// Radius of the dots on posed joints, in points.
const POSED_RADIUS: f32 = 3.0;
/// Alpha of bones that are neither selected nor hovered, low enough to keep the skin visible.
const RESTING_ALPHA: f32 = 0.6;
const CONTROL_ALPHA: f32 = 0.25;
const CONTROL_SIZE: f32 = 0.4;
/// Bones shorter than this fraction of the main bones' length become thin lines when small on screen.
const SHORT: f32 = 0.65;
const SHORT_SIZE: f32 = 0.8;
/// Alpha of bones that never become thin lines. Values above 1 mark such bones; the shader draws them opaque.
const KEEPS_SHAPE: f32 = 2.0;
/// Half width of bones in stick style, in points.
const STICK: f32 = 1.3;
const LINE: f32 = 0.6;
const DRAGGING_ALPHA: f32 = 0.25;

pub(crate) struct Skeleton {
    program: Program,
    dots: Dots,
    octahedron: BoneMesh,
    rod: BoneMesh,
    actors: Vec<ActorBones>,
}

struct ActorBones {
    heads: InstanceBuffer<[f32; 3]>,
    tails: InstanceBuffer<[f32; 3]>,
    sideways: InstanceBuffer<[f32; 3]>,
    tints: InstanceBuffer<[f32; 4]>,
    /// Thickness factors: 1, or less for control bones and short bones, which become thin lines when small on screen.
    sizes: InstanceBuffer<f32>,
    posed_heads: InstanceBuffer<[f32; 3]>,
    is_alone: bool,
    shown: Vec<(Bone, Option<NodeIndex>)>,
    bounds: Bounds,
    known: Option<(u64, Option<Range<usize>>)>,
}

/// Returns the first solid actor with the same bones. Shared bones are drawn only for this actor.
fn bone_owner(frame: &FrameInput<'_>, actor: usize) -> usize {
    let this = frame.actors[actor].actor;
    let shares_bones = |other: &Actor| other.is_open() && this.is_open() && other.pose == this.pose;
    frame.solids().find(|&other| other == actor || shares_bones(frame.actors[other].actor)).unwrap_or(actor)
}

impl Skeleton {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let fragment = concat!(include_str!("../panes/eye.glsl"), "\n", include_str!("bones.frag"));
        Ok(Self {
            program: annotation_program(context, "bones", [include_str!("bones.vert"), fragment])?,
            dots: Dots::new(context)?,
            octahedron: BoneMesh::new(context, &octahedron()),
            rod: BoneMesh::new(context, &rod()),
            actors: Vec::new(),
        })
    }

    /// Uploads the bones of a frame, or only their colours if nothing has moved.
    pub(crate) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) {
        self.actors.resize_with(frame.actors.len(), || ActorBones::new(context));
        for (actor, bones) in self.actors.iter_mut().enumerate() {
            if frame.solids().any(|solid| bone_owner(frame, solid) == actor) {
                bones.update(frame, actor);
            } else {
                bones.clear();
            }
        }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.actors.iter().fold(Bounds::default(), |all, actor| all.joined(actor.bounds))
    }

    /// Draws the bones of a pane. Near bones hide far bones even if the near bones are translucent.
    pub(crate) fn draw(&self, pane: &Pane, quad: &Quad, frame: &FrameInput<'_>) {
        let mut drawn: Vec<_> = pane.solids.iter().map(|&(actor, cut)| (bone_owner(frame, actor), cut)).collect();
        if let [(a, _), (b, _)] = drawn[..]
            && a == b
        {
            drawn = vec![(a, ClipHalfPlane::NONE)];
        }
        for (actor, cut) in drawn {
            self.draw_actor(&self.actors[actor], (&pane.eye, cut), quad, frame.view);
        }
    }

    fn draw_actor(&self, bones: &ActorBones, (eye, cut): (&PaneCamera, ClipHalfPlane), quad: &Quad, view: &View) {
        // Edges cover thin bones completely. Dark edges contrast with skin but not with a dark background.
        let edge_fraction = if bones.is_alone && view.display.is_dark { 0.3 } else { 0.9 };
        let (body, width, edge_fraction) = match view.display.bone_style {
            BoneStyle::Octahedral => (&self.octahedron, 0.0, edge_fraction),
            BoneStyle::Stick => (&self.rod, STICK, edge_fraction),
            BoneStyle::Line => (&self.rod, LINE, 0.0),
        };
        self.program.set("edgeFraction", edge_fraction);
        self.program.set("rodPoints", width);
        use_shared_uniforms(&self.program, eye, cut);
        self.draw_bones(bones, body, eye, WriteMask::DEPTH, Blend::Disabled);
        self.draw_bones(bones, body, eye, WriteMask::COLOR, Blend::TRANSPARENCY);
        let depth_test = if view.display.bones_in_front { DepthTest::Always } else { DepthTest::LessOrEqual };
        let alpha = if view.is_dragging { 0.5 } else { 1.0 };
        self.dots.draw(eye, cut, quad, &bones.posed_heads, (POSED, alpha, POSED_RADIUS), depth_test);
    }

    fn draw_bones(&self, bones: &ActorBones, body: &BoneMesh, eye: &PaneCamera, write_mask: WriteMask, blend: Blend) {
        let (program, count) = (&self.program, bones.heads.instance_count());
        if count == 0 {
            return;
        }
        program.use_vertex_attribute("shape", &body.shape);
        program.use_vertex_attribute("barycentric", &body.barycentric);
        program.use_instance_attribute("head", &bones.heads);
        program.use_instance_attribute("tail", &bones.tails);
        program.use_instance_attribute("sideways", &bones.sideways);
        program.use_instance_attribute("tint", &bones.tints);
        program.use_instance_attribute("size", &bones.sizes);
        let states = RenderStates { depth_test: DepthTest::LessOrEqual, write_mask, blend, ..RenderStates::default() };
        program.draw_arrays_instanced(states, eye.viewport, body.shape.vertex_count(), count);
    }
}

impl ActorBones {
    fn new(context: &Context) -> Self {
        Self {
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
        }
    }

    fn clear(&mut self) {
        (self.bounds, self.known) = (Bounds::default(), None);
    }

    fn update(&mut self, frame: &FrameInput<'_>, actor: usize) {
        let known = Some((frame.version, frame.view.isolated.clone()));
        if self.known != known {
            self.move_bones(frame, frame.actors[actor].actor);
            self.known = known;
        }
        let mut is_selected = vec![false; frame.open.hierarchy.len()];
        for joint in &frame.view.selected {
            is_selected[joint.index()] = true;
        }
        let tint = |(bone, joint): &(Bone, Option<NodeIndex>)| {
            tint(frame.view, bone, *joint, joint.is_some_and(|joint| is_selected[joint.index()]))
        };
        self.tints.fill(&self.shown.iter().map(tint).collect::<Vec<_>>());
    }

    fn move_bones(&mut self, frame: &FrameInput<'_>, actor: &Actor) {
        let (rig, posed) = (&actor.rig, &*actor.pose.posed);
        let joint = |bone: &Bone| actor.open_node(bone.joint);
        let is_shown = |joint: Option<NodeIndex>| match joint {
            Some(joint) => frame.view.shows_bone(joint),
            None => frame.view.isolated.is_none(),
        };
        let bones = drawn_bones(rig, posed).into_iter().map(|bone| (bone, joint(&bone)));
        self.shown.clear();
        self.shown.extend(bones.filter(|(_, joint)| is_shown(*joint)));
        let bones = || self.shown.iter().map(|(bone, _)| bone);
        let too_short = 1e-5 * rig.size();
        let tail = |b: &Bone| if b.length() > too_short { b.tail } else { b.head };
        self.heads.fill(&bones().map(|b| b.head.to_array()).collect::<Vec<_>>());
        self.tails.fill(&bones().map(|b| tail(b).to_array()).collect::<Vec<_>>());
        self.sideways.fill(&bones().map(|b| sideways(posed, b).to_array()).collect::<Vec<_>>());
        let size = |bone: &Bone| match bone.length() < SHORT * rig.main_bone_length() {
            _ if bone.is_control => CONTROL_SIZE,
            true => SHORT_SIZE,
            false => 1.0,
        };
        self.sizes.fill(&bones().map(size).collect::<Vec<_>>());
        self.posed_heads.fill(&posed_heads(frame.pose, &self.shown));
        self.is_alone = rig.instances.is_empty();
        self.bounds = bones().flat_map(|b| [b.head, b.tail]).collect();
    }
}

/// Returns a bone's colour. `joint` is `None` if the open character lacks the bone.
fn tint(view: &View, bone: &Bone, joint: Option<NodeIndex>, is_selected: bool) -> [f32; 4] {
    let is_hovered = joint.is_some() && view.hovered == joint;
    let selected = if view.selected.last().copied() == joint { ACTIVE } else { SELECTED };
    let [r, g, b] = match (is_selected, is_hovered) {
        (true, true) => selected.map(|c| c + (1.0 - c) * 0.4),
        (true, false) => selected,
        (false, true) => HOVERED,
        (false, false) => BODY,
    };
    let alpha = match (is_selected, is_hovered) {
        (true, _) => KEEPS_SHAPE,
        _ if view.is_dragging => DRAGGING_ALPHA,
        (_, true) => KEEPS_SHAPE,
        _ if bone.is_control => CONTROL_ALPHA,
        _ if view.display.bones_in_front => RESTING_ALPHA,
        _ => 1.0,
    };
    [r, g, b, alpha]
}

fn sideways(posed: &Posed, bone: &Bone) -> Vec3 {
    let along = (bone.tail - bone.head).normalize_or(Vec3::Y);
    let turned = posed.world_from_node[bone.joint.index()].matrix3;
    [turned.z_axis, turned.x_axis, turned.y_axis]
        .into_iter()
        .map(Vec3::normalize_or_zero)
        .find(|axis| axis.cross(along).length() > 0.5)
        .unwrap_or_else(|| along.any_orthonormal_vector())
}

fn posed_heads(pose: &Pose, bones: &[(Bone, Option<NodeIndex>)]) -> Vec<[f32; 3]> {
    let is_posed = |joint: &Option<NodeIndex>| joint.is_some_and(|joint| pose.is_posed(joint));
    let mut marked: Vec<(NodeIndex, [f32; 3])> =
        bones.iter().filter(|(_, joint)| is_posed(joint)).map(|(bone, _)| (bone.joint, bone.head.to_array())).collect();
    marked.dedup_by_key(|(joint, _)| *joint);
    marked.into_iter().map(|(_, head)| head).collect()
}

/// Triangles of a bone. The x and y of a vertex are its direction across the bone, and z is its position along the bone
/// (0 head, 1 ring, 2 tail).
struct BoneMesh {
    shape: VertexBuffer<[f32; 3]>,
    barycentric: VertexBuffer<[f32; 3]>,
}

impl BoneMesh {
    fn new(context: &Context, shape: &[[f32; 3]]) -> Self {
        let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let barycentric: Vec<[f32; 3]> = corners.into_iter().cycle().take(shape.len()).collect();
        Self {
            shape: VertexBuffer::new_with_data(context, shape),
            barycentric: VertexBuffer::new_with_data(context, &barycentric),
        }
    }
}

const AROUND: [[f32; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];

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
