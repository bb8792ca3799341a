//! A rig on the graphics card in its newest frame, and the draws that it takes part in.

use three_d::{Context, Cull, Material};

use super::RenderError;
use super::bounds::posed_bounds;
use super::centers::GpuCenters;
use super::eye::Eye;
use super::frame::FrameInput;
use super::frame_data::FrameData;
use super::gpu_rig::{DrawnPart, GpuRig};
use super::joint_shares::JointShares;
use super::normals::GpuNormals;
use super::paint::Paint;
use super::pane::{SideLook, SkinnedSide};
use super::primitive::{DrawnShape, SkinnedPrimitive};
use super::shadow::HeightAboveGround;
use super::surface::{DrawMaterial, GHOST_BIAS, Pass};
use super::wire::{WIRE_BIAS, Wire};
use crate::rig::{Alpha, Bounds, MeshInstance, NodeIndex, Rig};
use crate::skinning::Palette;
use crate::view::{PerSide, ShownSide, Side, View};

/// Share of the ghost that is seen through what hides it.
const HIDDEN_GHOST: f32 = 0.16;

/// The uploaded rig, its palettes, what is painted over it and where its parts are.
pub(super) struct Loaded {
    pub rig: GpuRig,
    version: u64,
    a: InPose,
    /// Where B shows another pose.
    b: Option<InPose>,
    normals: PerSide<GpuNormals>,
    paints: PerSide<Paint>,
    joint_shares: PerSide<JointShares>,
    centers: GpuCenters,
    /// The joint under the pointer, and where each mesh instance has it in its palette.
    pointed: (Option<NodeIndex>, Vec<Option<usize>>),
    /// Of each part, in the order of `GpuRig::parts`.
    vertex_counts: Vec<usize>,
}

/// What a pose says of a rig.
struct InPose {
    data: FrameData,
    /// Of each part, in the order of `GpuRig::parts`.
    bounds: Vec<Bounds>,
}

impl InPose {
    fn new(context: &Context, rig: &Rig, side: ShownSide<'_>) -> Result<Self, RenderError> {
        let data = FrameData::new(context, rig, side.palettes, side.posed)?;
        Ok(Self { data, bounds: part_bounds(rig, side.palettes) })
    }

    fn update(&mut self, context: &Context, rig: &Rig, side: ShownSide<'_>) -> Result<(), RenderError> {
        self.bounds = part_bounds(rig, side.palettes);
        self.data.update(context, rig, side.palettes, side.posed)
    }
}

impl Loaded {
    /// Puts an uploaded rig into its first frame.
    pub fn new(context: &Context, rig: GpuRig, frame: &FrameInput<'_>) -> Result<Self, RenderError> {
        let mut loaded = Self {
            a: InPose::new(context, frame.rig, frame.sides.a)?,
            b: None,
            version: frame.version,
            normals: PerSide::default(),
            paints: PerSide::default(),
            joint_shares: PerSide::default(),
            centers: GpuCenters::default(),
            pointed: (None, Vec::new()),
            vertex_counts: rig.parts().map(|p| p.primitive.vertex_count).collect(),
            rig,
        };
        loaded.update_other(context, frame)?;
        loaded.update_paints(context, frame)?;
        loaded.update_skinning(context, frame)?;
        Ok(loaded)
    }

    /// Uploads the palettes and painted values of another frame, and what its ways of skinning need.
    pub fn update(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        if self.version != frame.version {
            self.a.update(context, frame.rig, frame.sides.a)?;
            self.update_other(context, frame)?;
            self.version = frame.version;
        }
        self.update_paints(context, frame)?;
        self.update_skinning(context, frame)
    }

    fn update_skinning(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        for side in Side::ALL {
            self.joint_shares[side].update(context, frame.rig, &frame.view.sides[side].skinning)?;
            self.normals[side].update(context, &self.vertex_counts, frame.sides[side].normals)?;
        }
        self.centers.update(context, frame.rig, frame.centers)
    }

    /// Points out the skin that a joint moves, or none.
    pub fn point_out(&mut self, rig: &Rig, joint: Option<NodeIndex>) {
        if self.pointed.0 == joint {
            return;
        }
        let place = |instance: &MeshInstance| match instance.skin {
            Some(skin) => rig.skins[skin].joints.iter().position(|j| Some(*j) == joint),
            None => (Some(instance.node) == joint).then_some(0),
        };
        self.pointed = (joint, rig.instances.iter().map(place).collect());
    }

    fn update_other(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let other = Some(frame.sides.b).filter(|b| !std::ptr::eq(b.posed, frame.sides.a.posed));
        match (&mut self.b, other) {
            (Some(b), Some(other)) => b.update(context, frame.rig, other)?,
            (b, other) => *b = other.map(|o| InPose::new(context, frame.rig, o)).transpose()?,
        }
        Ok(())
    }

    fn update_paints(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        Side::ALL
            .into_iter()
            .try_for_each(|side| self.paints[side].update(context, &self.vertex_counts, frame.sides[side].painted))
    }

    fn pose(&self, side: Side) -> &InPose {
        self.b.as_ref().filter(|_| side == Side::B).unwrap_or(&self.a)
    }

    /// What is not hidden, each part with its bounds on a side.
    fn shown<'a>(&'a self, view: &'a View, side: Side) -> impl Iterator<Item = (DrawnPart<'a>, &'a Bounds)> {
        let parts = self.rig.parts().zip(&self.pose(side).bounds);
        parts.filter(|(part, _)| !view.hidden.hides(part.instance, part.material_index))
    }

    /// Of everything that is shown on a side, about.
    pub fn bounds(&self, view: &View, side: Side) -> Bounds {
        let mut all = Bounds::default();
        for (_, part) in self.shown(view, side).filter(|(_, bounds)| !bounds.is_empty()) {
            all.add(part.min);
            all.add(part.max);
        }
        all
    }

    /// A part as the vertex shader sees it.
    pub fn geometry<'a>(
        &'a self,
        context: &'a Context,
        part: &DrawnPart<'a>,
        SkinnedSide { side, skinning }: SkinnedSide<'a>,
        shape: DrawnShape,
    ) -> SkinnedPrimitive<'a> {
        let frame = &self.pose(side).data;
        SkinnedPrimitive {
            context,
            primitive: part.primitive,
            frame,
            slot: frame.slot(part.instance),
            skinning,
            joint_shares: self.joint_shares[side].instance(part.instance),
            centers: self.centers.part(part.index),
            pointed: self.pointed.1.get(part.instance).copied().flatten(),
            normals: self.normals[side].part(part.index),
            shape,
            depth_bias: if shape == DrawnShape::Edges { WIRE_BIAS } else { 0.0 },
            painted: self.paints[side].part(part.index),
        }
    }

    /// Everything that hides what is behind.
    pub fn draw_solid(&self, look: &SideLook<'_>) -> Result<(), RenderError> {
        self.draw_parts(look, Pass::Solid)
    }

    /// Everything that lets it through, farthest part first.
    pub fn draw_blended(&self, look: &SideLook<'_>) -> Result<(), RenderError> {
        let distance = |bounds: &Bounds| (bounds.center() - look.eye.position).dot(look.eye.forward);
        let mut parts: Vec<(f32, DrawnPart<'_>)> = self
            .shown(look.view, look.side)
            .filter(|(part, _)| part.material.alpha == Alpha::Blend)
            .map(|(part, bounds)| (distance(bounds), part))
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, part) in parts {
            if part.material.is_double_sided {
                // The far side first.
                self.draw_surface(look, &part, Pass::Blended, Some(Cull::Front))?;
                self.draw_surface(look, &part, Pass::Blended, Some(Cull::Back))?;
            } else {
                self.draw_surface(look, &part, Pass::Blended, None)?;
            }
        }
        Ok(())
    }

    /// One side as glass over another one that has been drawn. The depth of the picture must have been cleared.
    pub fn draw_ghost(&self, ghost: &SideLook<'_>, solid: &SideLook<'_>) -> Result<(), RenderError> {
        // Its own depth first, so that only what is outermost of it is seen; then also that of the solid side.
        self.draw_parts(ghost, Pass::Depth { is_ghost: true })?;
        self.draw_parts(ghost, Pass::Ghost(HIDDEN_GHOST))?;
        self.draw_parts(solid, Pass::Depth { is_ghost: false })?;
        self.draw_parts(ghost, Pass::Ghost(1.0))
    }

    /// One side in white.
    pub fn draw_mask(&self, look: &SideLook<'_>) -> Result<(), RenderError> {
        self.draw_parts(look, Pass::Mask)
    }

    fn draw_parts(&self, look: &SideLook<'_>, pass: Pass) -> Result<(), RenderError> {
        self.shown(look.view, look.side).try_for_each(|(part, _)| self.draw_surface(look, &part, pass, None))
    }

    fn draw_surface(
        &self,
        look: &SideLook<'_>,
        part: &DrawnPart<'_>,
        pass: Pass,
        cull: Option<Cull>,
    ) -> Result<(), RenderError> {
        let mut geometry = self.geometry(look.context, part, look.skinned(), DrawnShape::Surface);
        if matches!(pass, Pass::Ghost(_) | Pass::Depth { is_ghost: true }) {
            geometry.depth_bias = GHOST_BIAS;
        }
        let surface = DrawMaterial {
            features: part.primitive.features,
            has_strokes: part.primitive.has_strokes(),
            has_points: part.primitive.has_points(),
            material: part.material,
            texture: part.texture,
            look,
            // What is left unpainted must not be taken for a value.
            is_clay: look.view.is_clay() || geometry.painted.is_some(),
            mirrors: geometry.slot.mirrors,
            pass,
            cull,
        };
        draw(look.context, look.eye, &geometry, &surface, "surface")
    }

    /// The edges of all triangles.
    pub fn draw_wires(&self, look: &SideLook<'_>) -> Result<(), RenderError> {
        let wire = Wire { is_dark: look.view.is_clay(), cut: look.cut };
        for (part, _) in self.shown(look.view, look.side) {
            let geometry = self.geometry(look.context, &part, look.skinned(), DrawnShape::Edges);
            draw(look.context, look.eye, &geometry, &wire, "wireframe")?;
        }
        Ok(())
    }

    /// For the contact shadow.
    pub fn draw_heights(
        &self,
        context: &Context,
        view: &View,
        skinned: SkinnedSide<'_>,
        eye: &Eye,
        material: &HeightAboveGround,
    ) -> Result<(), RenderError> {
        for (part, _) in self.shown(view, skinned.side) {
            let geometry = self.geometry(context, &part, skinned, DrawnShape::Surface);
            draw(context, eye, &geometry, material, "shadow")?;
        }
        Ok(())
    }
}

fn part_bounds(rig: &Rig, palettes: &[Palette]) -> Vec<Bounds> {
    let none = Palette::default();
    let parts = rig.instances.iter().enumerate().flat_map(|(index, instance)| {
        let palette = palettes.get(index).unwrap_or(&none);
        rig.meshes[instance.mesh].primitives.iter().map(move |primitive| posed_bounds(primitive, palette))
    });
    parts.collect()
}

/// Draws by a program that is compiled when it is first needed and kept by its shaders' numbers.
fn draw(
    context: &Context,
    eye: &Eye,
    geometry: &SkinnedPrimitive<'_>,
    material: &dyn Material,
    name: &'static str,
) -> Result<(), RenderError> {
    three_d::render_with_material(context, eye, geometry, material, &[]).map_err(|e| match e {
        three_d::RendererError::CoreError(source) => RenderError::Program { program: name, source },
        other => RenderError::Drawing(three_d::CoreError::ContextError(other.to_string())),
    })
}
