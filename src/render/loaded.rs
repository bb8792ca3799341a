//! A rig on the graphics card in its newest frame, and the draws that it takes part in.

use three_d::{Context, Cull, Material};

use super::RenderError;
use super::bounds::posed_bounds;
use super::eye::Eye;
use super::frame::Frame;
use super::frame_data::FrameData;
use super::gpu_rig::{GpuRig, Part};
use super::primitive::{Shape, SkinnedPrimitive};
use super::shadow::HeightAboveGround;
use super::surface::{Pass, Surface};
use super::wire::{WIRE_BIAS, Wire};
use crate::rig::{Alpha, Bounds, Rig};
use crate::skinning::{Method, Palette};
use crate::view::View;

/// The uploaded rig, its palettes and where its parts are.
pub(super) struct Loaded {
    pub rig: GpuRig,
    frame: FrameData,
    version: u64,
    /// Of each part, in the order of `GpuRig::parts`.
    bounds: Vec<Bounds>,
}

impl Loaded {
    /// Puts an uploaded rig into its first frame.
    pub fn new(context: &Context, rig: GpuRig, frame: &Frame<'_>) -> Result<Self, RenderError> {
        let data = FrameData::new(context, frame.rig, frame.palettes, frame.posed)?;
        let bounds = part_bounds(frame.rig, frame.palettes);
        Ok(Self { rig, frame: data, version: frame.version, bounds })
    }

    /// Uploads the palettes of another frame; true if it is another one.
    pub fn update(&mut self, context: &Context, frame: &Frame<'_>) -> Result<bool, RenderError> {
        if self.version == frame.version {
            return Ok(false);
        }
        self.frame.update(context, frame.rig, frame.palettes, frame.posed)?;
        self.bounds = part_bounds(frame.rig, frame.palettes);
        self.version = frame.version;
        Ok(true)
    }

    /// Of everything, about.
    pub fn bounds(&self) -> Bounds {
        let mut all = Bounds::default();
        for part in self.bounds.iter().filter(|b| !b.is_empty()) {
            all.add(part.min);
            all.add(part.max);
        }
        all
    }

    /// A part as the vertex shader sees it.
    pub fn geometry<'a>(
        &'a self,
        context: &'a Context,
        part: &Part<'a>,
        method: Method,
        shape: Shape,
    ) -> SkinnedPrimitive<'a> {
        let depth_bias = if shape == Shape::Edges { WIRE_BIAS } else { 0.0 };
        let slot = self.frame.slot(part.instance);
        SkinnedPrimitive { context, primitive: part.primitive, frame: &self.frame, slot, method, shape, depth_bias }
    }

    /// Everything that hides what is behind.
    pub fn draw_solid(&self, context: &Context, view: &View, eye: &Eye) -> Result<(), RenderError> {
        for part in self.rig.parts() {
            self.draw_surface(context, &part, view, eye, Pass::Solid, None)?;
        }
        Ok(())
    }

    /// Everything that lets it through, farthest part first.
    pub fn draw_blended(&self, context: &Context, view: &View, eye: &Eye) -> Result<(), RenderError> {
        let distance = |bounds: &Bounds| (bounds.center() - eye.position).dot(eye.forward);
        let mut parts: Vec<(f32, Part<'_>)> = self
            .rig
            .parts()
            .zip(&self.bounds)
            .filter(|(part, _)| part.material.alpha == Alpha::Blend)
            .map(|(part, bounds)| (distance(bounds), part))
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, part) in parts {
            if part.material.is_double_sided {
                // The far side first.
                self.draw_surface(context, &part, view, eye, Pass::Blended, Some(Cull::Front))?;
                self.draw_surface(context, &part, view, eye, Pass::Blended, Some(Cull::Back))?;
            } else {
                self.draw_surface(context, &part, view, eye, Pass::Blended, None)?;
            }
        }
        Ok(())
    }

    fn draw_surface(
        &self,
        context: &Context,
        part: &Part<'_>,
        view: &View,
        eye: &Eye,
        pass: Pass,
        cull: Option<Cull>,
    ) -> Result<(), RenderError> {
        let geometry = self.geometry(context, part, view.skinning.method, Shape::Surface);
        let surface = Surface {
            features: part.primitive.features,
            has_strokes: part.primitive.has_strokes(),
            has_points: part.primitive.has_points(),
            material: part.material,
            texture: part.texture,
            eye,
            is_clay: view.is_clay(),
            mirrors: geometry.slot.mirrors,
            pass,
            cull,
        };
        draw(context, eye, &geometry, &surface, "surface")
    }

    /// The edges of all triangles.
    pub fn draw_wires(&self, context: &Context, view: &View, eye: &Eye) -> Result<(), RenderError> {
        let wire = Wire { is_dark: view.is_clay() };
        for part in self.rig.parts() {
            let geometry = self.geometry(context, &part, view.skinning.method, Shape::Edges);
            draw(context, eye, &geometry, &wire, "wireframe")?;
        }
        Ok(())
    }

    /// For the contact shadow.
    pub fn draw_heights(
        &self,
        context: &Context,
        method: Method,
        eye: &Eye,
        material: &HeightAboveGround,
    ) -> Result<(), RenderError> {
        for part in self.rig.parts() {
            let geometry = self.geometry(context, &part, method, Shape::Surface);
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
