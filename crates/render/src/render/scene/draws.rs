use three_d::Cull;

use super::drawn_actor::DrawnActor;
use crate::render::RenderError;
use crate::render::rig::gpu_rig::DrawnPrimitive;
use crate::render::surface::cast::{Cast, CastMap};
use crate::render::surface::draw_material::{ActorDraw, DrawMaterial, GLASS_NEARER, Pass};
use crate::render::surface::posed_primitive::{DepthOffset, DrawnShape, PosedPrimitive};
use crate::render::surface::primitive_programs::PrimitiveDraws;
use crate::render::surface::wire::{WIRE_NEARER, Wire};
use rigscope_core::rig::{Alpha, Bounds};
use rigscope_core::view::ShadingMode;

impl DrawnActor<'_> {
    /// Draws translucent fragments, starting with the farthest primitives.
    pub(super) fn draw_blended(self, look: &ActorDraw<'_>) -> Result<(), RenderError> {
        let is_textured = look.view.shading_mode() == ShadingMode::Textured;
        let distance = |bounds: &Bounds| (bounds.center() - look.eye.position).dot(look.eye.forward);
        let mut parts: Vec<(f32, DrawnPrimitive<'_>)> = self
            .seen(look.eye)
            .filter(|(part, _)| {
                part.material.alpha == Alpha::Blend || (is_textured && part.material.transmission > 0.0)
            })
            .map(|(part, bounds)| (distance(bounds), part))
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let draws = begin(look);
        for (_, part) in parts {
            if part.material.is_double_sided {
                // Draws back faces before front faces.
                self.draw_surface(&draws, look, &part, (Pass::Blended, Some(Cull::Front)))?;
                self.draw_surface(&draws, look, &part, (Pass::Blended, Some(Cull::Back)))?;
            } else {
                self.draw_surface(&draws, look, &part, (Pass::Blended, None))?;
            }
        }
        Ok(())
    }

    pub(super) fn draw(self, look: &ActorDraw<'_>, pass: Pass<'_>) -> Result<(), RenderError> {
        let draws = begin(look);
        self.seen(look.eye).try_for_each(|(part, _)| self.draw_surface(&draws, look, &part, (pass, None)))
    }

    fn draw_surface(
        self,
        draws: &PrimitiveDraws<'_>,
        look: &ActorDraw<'_>,
        part: &DrawnPrimitive<'_>,
        (pass, cull): (Pass<'_>, Option<Cull>),
    ) -> Result<(), RenderError> {
        let Some(vertices) = self.vertices(part) else { return Ok(()) };
        let is_glass = matches!(pass, Pass::Glass { .. });
        let is_colored = matches!(pass, Pass::Solid | Pass::Blended);
        let painted = self.painted(part);
        let geometry = PosedPrimitive {
            hovered: self.hovered(part).filter(|_| is_colored),
            painted: painted.filter(|_| is_colored),
            nearer: if is_glass { GLASS_NEARER } else { DepthOffset::NO_OFFSET },
            ..PosedPrimitive::bare(part.primitive, vertices)
        };
        let surface = DrawMaterial {
            features: geometry.features(),
            has_strokes: part.primitive.has_strokes(),
            has_points: part.primitive.has_points(),
            material: part.material,
            textures: part.textures,
            look,
            // Draws primitives without overlay values in clay, so that nobody reads their colour as a value.
            shown: if painted.is_some() { ShadingMode::Clay } else { look.view.shading_mode() },
            mirrors: geometry.mirrors(),
            is_fine: is_colored && self.is_fine(part, look.eye),
            pass,
            cull,
        };
        draws.draw(&geometry, &surface)
    }

    pub(super) fn draw_wires(self, look: &ActorDraw<'_>) -> Result<(), RenderError> {
        let wire = Wire { is_dark: look.view.is_clay(), cut: look.cut };
        let draws = look.programs.begin(look.eye);
        for (part, _) in self.seen(look.eye) {
            let Some(vertices) = self.vertices(&part) else { continue };
            let geometry = PosedPrimitive {
                shape: DrawnShape::Edges,
                nearer: WIRE_NEARER,
                ..PosedPrimitive::bare(part.primitive, vertices)
            };
            draws.draw(&geometry, &wire)?;
        }
        Ok(())
    }

    pub(super) fn draw_casters(self, draws: &PrimitiveDraws<'_>, map: CastMap) -> Result<(), RenderError> {
        // A transmissive primitive such as a cornea casts no shadow on the eye.
        let casts = |part: &DrawnPrimitive<'_>| part.material.transmission <= 0.5;
        for (part, _) in self.seen(draws.eye()).filter(|(part, _)| casts(part)) {
            let Some(vertices) = self.vertices(&part) else { continue };
            // Height maps are blurred, which hides single missing pixels.
            let is_by_vertices = map != CastMap::Distances && self.is_covered_by_vertices(&part, draws.eye());
            let shape = if is_by_vertices { DrawnShape::Spread } else { DrawnShape::Surface };
            let geometry = PosedPrimitive { shape, ..PosedPrimitive::bare(part.primitive, vertices) };
            let cast =
                Cast { features: geometry.features(), map, material: part.material, texture: part.textures.base() };
            draws.draw(&geometry, &cast)?;
        }
        Ok(())
    }
}

fn begin<'a>(look: &ActorDraw<'a>) -> PrimitiveDraws<'a> {
    look.lights.into_iter().for_each(|lights| lights.bind(look.actor));
    look.programs.begin(look.eye)
}
