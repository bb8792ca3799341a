use std::sync::Arc;

use super::drawn_actor::DrawnActor;
use super::{KeyShadowInput, Scene, ShadowInput, ready};
use crate::render::RenderError;
use crate::render::annotations::marks::Marks;
use crate::render::annotations::skeleton::Skeleton;
use crate::render::annotations::trails::TrailLines;
use crate::render::background::contact_shadow::ContactShadow;
use crate::render::background::environment::EnvironmentBackground;
use crate::render::background::ground::{Ground, GroundStyle, ground_height};
use crate::render::compare::divider::Divider;
use crate::render::compare::glass::Glass;
use crate::render::compare::outline::Outline;
use crate::render::frame::{FrameInput, PaneContent};
use crate::render::gl::get_or_create;
use crate::render::gl::picture::OffscreenImage;
use crate::render::light::key_shadow::KeyShadow;
use crate::render::light::lights::Lights;
use crate::render::panes::pane::{ClipHalfPlane, Pane, lines_between};
use crate::render::surface::cast::CastMap;
use crate::render::surface::draw_material::{ActorDraw, Pass};
use rigscope_core::rig::Bounds;
use rigscope_core::skinning::Skinning;
use rigscope_core::view::{Backdrop, Ghost, ShadingMode};

impl Scene {
    pub(super) fn skin(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let Self { characters, actors, stage, context, .. } = self;
        for index in frame.shown() {
            let Some(rig) = ready(characters, frame, index) else { continue };
            let is_wanted = actors.drawn(frame, index, rig).has_to_be_skinned();
            actors.skin((stage, context), (frame, index, rig), |part| is_wanted[part.index])?;
        }
        Ok(())
    }

    /// Updates the maps of the contact shadow and, for lit materials, of the key light's shadows. They don't depend on
    /// the camera.
    pub(super) fn draw_shadows(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let Self { context, quad, characters, actors, programs, .. } = self;
        let view = frame.view;
        let actor = |index| Some(actors.drawn(frame, index, ready(characters, frame, index)?));
        let is_lit = view.shading_mode() == ShadingMode::Textured;
        if is_lit {
            let lights = self.lights.get_or_insert_with(|| Lights::new(context));
            lights.update(view, frame.open.front(), frame.actors.len());
            if view.shows_environment() {
                get_or_create(&mut self.environment, || EnvironmentBackground::new(context))?;
            }
            self.key_shadow_inputs.resize(frame.actors.len(), None);
        }
        let leading = frame.leading().next().and_then(|index| Some((index, actor(index)?)));
        if let Some((index, actor)) = leading.filter(|_| view.display.grid) {
            let wanted = Some(ShadowInput::new(frame, index));
            if self.shadow_input != wanted {
                let shadow = get_or_create(&mut self.shadow, || ContactShadow::new(context))?;
                get_or_create(&mut self.ground, || Ground::new(context))?;
                let ground = ground_height(frame.open.hierarchy.anchor());
                shadow
                    .update(quad, (actor.bounds(), ground), |eye, map| actor.draw_casters(&programs.begin(eye), map))?;
                self.shadow_input = wanted;
            }
        }
        let Some(lights) = self.lights.as_mut().filter(|_| is_lit) else { return Ok(()) };
        let Some(towards_key) = lights.towards_key() else {
            lights.shadows.iter_mut().for_each(KeyShadow::clear);
            self.key_shadow_inputs.fill(None);
            return Ok(());
        };
        // Ghosts cast no shadow.
        for index in frame.solids() {
            let Some(actor) = actor(index) else { continue };
            let is_leading = frame.leading().any(|leading| leading == index);
            let ground = (view.display.grid && is_leading).then(|| ground_height(frame.open.hierarchy.anchor()));
            let wanted = Some(KeyShadowInput { caster: ShadowInput::new(frame, index), towards_key, ground });
            if self.key_shadow_inputs[index] != wanted {
                lights.shadows[index].update(context, actor.bounds(), towards_key, |eye| {
                    actor.draw_casters(&programs.begin(eye), CastMap::Distances)
                })?;
                if let Some(height) = ground {
                    lights.cast_on_ground(quad, index, height)?;
                }
                self.key_shadow_inputs[index] = wanted;
            }
        }
        Ok(())
    }

    /// Renders the masks of ghosts that are drawn as outlines, and allocates layers for ghosts that are drawn as glass.
    pub(super) fn prepare_ghosts(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let panes = Pane::all(frame, self.shown_bounds(frame));
        let ghosts = |kind| panes.iter().filter_map(move |pane| Some((pane, pane.ghost_shown_as(kind)?)));
        let (samples, size) = (self.pictures.current_samples(), frame.drawn_part().size);
        let mut outline = self.outline.take();
        if ghosts(Ghost::Outline).next().is_some() {
            let draw_mask = |(pane, ghost)| {
                let look = self.look(frame, pane, (ghost, ClipHalfPlane::NONE));
                let look = ActorDraw { lights: None, blends_light: false, ..look };
                self.actor(frame, ghost).map_or(Ok(()), |actor| actor.draw(&look, Pass::Mask))
            };
            let draw_masks = || ghosts(Ghost::Outline).try_for_each(draw_mask);
            get_or_create(&mut outline, || Outline::new(&self.context))?.update(
                &self.context,
                (size, samples),
                draw_masks,
            )?;
        } else {
            outline.iter_mut().for_each(Outline::clear);
        }
        self.outline = outline;
        if ghosts(Ghost::Translucent).next().is_some() {
            get_or_create(&mut self.glass, || Glass::new(&self.context))?.prepare(&self.context, size, samples)?;
        } else {
            self.glass.iter_mut().for_each(Glass::clear);
        }
        Ok(())
    }

    pub(super) fn update_annotations(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let (context, view) = (&self.context, frame.view);
        if view.display.bones {
            get_or_create(&mut self.skeleton, || Skeleton::new(context))?.update(context, frame);
        }
        if !view.marked.is_empty() || !view.vertices.is_empty() || self.marks.is_some() {
            get_or_create(&mut self.marks, || Marks::new(context))?.update(context, frame);
        }
        if frame.actors.iter().any(|shown| shown.trails.is_some()) || self.trails.is_some() {
            get_or_create(&mut self.trails, || TrailLines::new(context))?.update(context, frame);
        }
        if frame.panes.len() > 1 || frame.panes.iter().any(|pane| matches!(pane.shows, PaneContent::Wipe(..))) {
            get_or_create(&mut self.divider, || Divider::new(context))?;
        }
        Ok(())
    }

    pub(super) fn draw_layers(&self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let Some(picture) = self.pictures.current() else { return Ok(()) };
        picture.drawn.clear(Some(match frame.view.backdrop {
            Backdrop::White => [1.0; 4],
            Backdrop::Black | Backdrop::Environment => [0.0, 0.0, 0.0, 1.0],
        }));
        let panes = Pane::all(frame, self.shown_bounds(frame));
        panes.iter().try_for_each(|pane| self.draw_pane(frame, picture, pane))?;
        if let Some(divider) = &self.divider {
            let lines = panes.iter().filter_map(Pane::line).chain(lines_between(frame));
            picture.drawn.write(|| lines.for_each(|line| divider.draw(&self.quad, line, frame.pixels_per_point)));
        }
        picture.resolve();
        Ok(())
    }

    /// Returns approximate bounds of all posed actors in the image, including bones and trails.
    fn shown_bounds(&self, frame: &FrameInput<'_>) -> Bounds {
        let bounds = frame.shown().filter_map(|index| Some(self.actor(frame, index)?.bounds()));
        let bones = self.skeleton.as_ref().filter(|_| frame.view.display.bones).map(Skeleton::bounds);
        let trails = self.trails.as_ref().map(TrailLines::bounds);
        bounds.chain(bones).chain(trails).fold(Bounds::default(), Bounds::joined)
    }

    fn look<'a>(
        &'a self,
        frame: &FrameInput<'a>,
        pane: &'a Pane,
        (actor, cut): (usize, ClipHalfPlane),
    ) -> ActorDraw<'a> {
        ActorDraw {
            programs: &self.programs,
            lights: self.lights.as_ref(),
            eye: &pane.eye,
            view: frame.view,
            actor,
            cut,
            blends_light: self.pictures.current().is_some_and(OffscreenImage::encodes_light),
            samples: self.pictures.current_samples(),
        }
    }

    fn draw_pane(&self, frame: &FrameInput<'_>, picture: &OffscreenImage, pane: &Pane) -> Result<(), RenderError> {
        let (eye, view, display) = (&pane.eye, frame.view, frame.view.display);
        let is_lit = view.shading_mode() == ShadingMode::Textured;
        let shows_environment = view.backdrop == Backdrop::Environment;
        let (rig_size, is_dark) = (frame.open.size(), display.is_dark);
        let anchor = frame.open.hierarchy.anchor();
        let ground_style = GroundStyle { rig_size, anchor, is_dark, is_lit, has_pool: shows_environment };
        let looks: Vec<ActorDraw<'_>> = pane.solids.iter().map(|&solid| self.look(frame, pane, solid)).collect();
        let floor = self.ground.as_ref().zip(self.shadow.as_ref()).filter(|_| display.grid);
        picture.drawn.write_in(eye.viewport, || {
            let behind = self.environment.as_ref().zip(self.lights.as_ref()).filter(|_| view.shows_environment());
            if let Some((environment, lights)) = behind {
                environment.draw(&self.quad, lights, eye);
            } else if shows_environment {
                self.background.draw(&self.quad, ground_style, eye, frame.size[1]);
            }
            if let Some((ground, shadow)) = floor {
                // All actors of a pane use the ground shadow of the first actor.
                let lit = self.lights.as_ref().zip(looks.first()).filter(|_| is_lit);
                let key = lit.map(|(lights, first)| (&lights.shadows[first.actor], lights.share_of_key()));
                let key = key.filter(|(key, _)| key.is_on_ground());
                ground.draw_shadow(&self.quad, eye, (shadow, key), ground_style);
            }
            self.within_cuts(frame, &looks, |actor, look| actor.draw(look, Pass::Solid))?;
            if let Some((ground, _)) = floor.filter(|_| shows_environment) {
                ground.draw_grid(&self.quad, eye, &view.camera, ground_style);
            }
            self.within_cuts(frame, &looks, |actor, look| {
                picture.encoding(|| actor.draw_blended(look))?;
                if display.wireframe {
                    actor.draw_wires(look)?;
                }
                if let Some(marks) = &self.marks {
                    marks.draw(look, &self.quad);
                }
                Ok(())
            })
        })?;
        self.draw_ghost(frame, picture, pane)?;
        if let Some(trails) = &self.trails {
            picture.drawn.write_in(eye.viewport, || trails.draw(pane, &self.quad));
        }
        if let Some(skeleton) = self.skeleton.as_ref().filter(|_| display.bones) {
            if display.bones_in_front {
                picture.drawn.clear(None);
            }
            picture.drawn.write_in(eye.viewport, || skeleton.draw(pane, &self.quad, frame));
        }
        Ok(())
    }

    /// Draws each actor of a pane within its clip half-plane. A scissor box cheaply skips most clipped pixels.
    fn within_cuts(
        &self,
        frame: &FrameInput<'_>,
        looks: &[ActorDraw<'_>],
        draw: impl Fn(DrawnActor<'_>, &ActorDraw<'_>) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        for look in looks {
            let kept = look.cut.bounds(look.eye.viewport);
            if let Some(actor) = self.actor(frame, look.actor).filter(|_| kept.width > 0 && kept.height > 0) {
                self.context.set_scissor(kept.into());
                draw(actor, look)?;
                self.context.set_scissor(look.eye.viewport.into());
            }
        }
        Ok(())
    }

    fn draw_ghost(&self, frame: &FrameInput<'_>, picture: &OffscreenImage, pane: &Pane) -> Result<(), RenderError> {
        let Some((index, kind)) = pane.ghost else { return Ok(()) };
        let look = self.look(frame, pane, (index, ClipHalfPlane::NONE));
        let glass = self.glass.as_ref().filter(|_| kind == Ghost::Translucent);
        if let Some((glass, actor)) = glass.zip(self.actor(frame, index)) {
            glass
                .draw(&self.quad, (look.eye, picture), |solid_depth| actor.draw(&look, Pass::Glass { solid_depth }))?;
        }
        picture.drawn.write_in(look.eye.viewport, || {
            if let Some(outline) = self.outline.as_ref().filter(|_| kind == Ghost::Outline) {
                outline.draw(&self.quad, look.eye);
            }
            if let Some(marks) = &self.marks {
                marks.draw(&look, &self.quad);
            }
        });
        Ok(())
    }
}

impl ShadowInput {
    fn new(frame: &FrameInput<'_>, actor: usize) -> Self {
        let shown = &frame.actors[actor];
        let (skinning, hidden) = (Skinning::clone(&shown.skinning), Arc::clone(&shown.actor.hidden));
        Self { version: frame.version, actor, skinning, hidden }
    }
}
