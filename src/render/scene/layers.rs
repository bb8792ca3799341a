//! What a picture is made of, one over the other.

use super::versions::SideFrames;
use super::{Scene, Shadowed};
use crate::render::RenderError;
use crate::render::backdrop::ground::{Ground, GroundLook, ground_height};
use crate::render::backdrop::shadow::ContactShadow;
use crate::render::compare::divider::Divider;
use crate::render::compare::glass::Glass;
use crate::render::compare::outline::Outline;
use crate::render::frame::FrameInput;
use crate::render::gl::picture::Picture;
use crate::render::light::lights::Lights;
use crate::render::panes::pane::{Cut, Pane};
use crate::render::signs::marks::Marks;
use crate::render::signs::skeleton::Skeleton;
use crate::render::skinning::skinning_stage::SideInput;
use crate::render::surface::cast::CastMap;
use crate::render::surface::side_look::SideLook;
use crate::rig::Bounds;
use crate::view::{Backdrop, Ghost, Layout, Look, Side};

impl Scene {
    /// Renews the vertices that the picture shows and that have moved.
    pub(super) fn skin(&mut self, frame: &FrameInput<'_>, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        let shown = Side::ALL.into_iter().filter(|&side| frame.view.compare.shows(side));
        for side in shown {
            let Self { rig, versions, stage, context, .. } = self;
            let Some(loaded) = versions[side].or_mut(rig.as_mut()) else { continue };
            loaded.skin(stage, SideInput { context, frame: &frames.of(side), side })?;
        }
        Ok(())
    }

    /// Light where the file's materials are shown; shadows do not depend on the camera, so that orbiting costs nothing.
    pub(super) fn draw_shadows(&mut self, frame: &FrameInput<'_>, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        let side = frame.view.compare.leading();
        let (context, view) = (&self.context, frames.view(side));
        let is_lit = view.look() == Look::Textured;
        if is_lit {
            self.lights.get_or_insert_with(|| Lights::new(context)).update(view.display.light, frame.rig.front());
        }
        let shadowed = |side: Side| {
            let view = frames.view(side);
            let (skinning, hidden) = (view.sides[side].skinning.clone(), view.hidden.clone());
            Shadowed { version: frame.version, side, skinning, hidden }
        };
        let Some(loaded) = self.versions[side].or(self.rig.as_ref()) else { return Ok(()) };
        let wanted = Some(shadowed(side));
        if view.display.grid && self.shadowed != wanted {
            let shadow = made(&mut self.shadow, || ContactShadow::new(context))?;
            made(&mut self.ground, || Ground::new(context))?;
            let ground = ground_height(frame.rig.hierarchy.anchor());
            shadow.update(&self.quad, (loaded.bounds(view, side), ground), |eye, map| {
                loaded.draw_casters((view, side), &self.programs.begin(eye), map)
            })?;
            self.shadowed = wanted;
        }
        let Some(lights) = self.lights.as_mut().filter(|_| is_lit) else { return Ok(()) };
        let towards_key = lights.towards_key();
        // A ghost casts none.
        for (side, _) in Pane::all(frame, Bounds::default()).into_iter().flat_map(|pane| pane.sides) {
            let wanted = Some((shadowed(side), towards_key));
            let Some(loaded) = self.versions[side].or(self.rig.as_ref()) else { continue };
            let view = frames.view(side);
            if self.key_shadowed[side] != wanted {
                lights.shadows[side].update(context, loaded.bounds(view, side), towards_key, |eye| {
                    loaded.draw_casters((view, side), &self.programs.begin(eye), CastMap::Distances)
                })?;
                self.key_shadowed[side] = wanted;
            }
        }
        Ok(())
    }

    /// Makes ready what shows B over A: the outline's mask, or room for the glass.
    pub(super) fn prepare_ghost(&mut self, frame: &FrameInput<'_>, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        let (context, samples) = (&self.context, self.pictures.current_samples());
        let pane = Pane::all(frame, self.shown_bounds(frame, frames)).into_iter().find(|pane| pane.has_ghost);
        let (outlined, glazed) = match frame.view.compare.ghost {
            Ghost::Outline => (pane.as_ref(), None),
            Ghost::Translucent => (None, pane.as_ref()),
        };
        match (self.versions.b.or(self.rig.as_ref()), outlined) {
            (Some(loaded), Some(pane)) => {
                let look = SideLook {
                    programs: &self.programs,
                    lights: None,
                    eye: &pane.eye,
                    view: frames.view(Side::B),
                    side: Side::B,
                    cut: Cut::NONE,
                    blends_light: false,
                    samples,
                };
                let outline = made(&mut self.outline, || Outline::new(context))?;
                outline.update(context, (frame.drawn_part().size, samples), || loaded.draw_mask(&look))?;
            }
            _ => self.outline.iter_mut().for_each(Outline::clear),
        }
        if glazed.is_some() {
            made(&mut self.glass, || Glass::new(context))?.prepare(context, frame.drawn_part().size, samples)?;
        } else {
            self.glass.iter_mut().for_each(Glass::clear);
        }
        Ok(())
    }

    /// Puts joints and marks where the frame has them, and makes what only some frames need.
    pub(super) fn update_signs(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let (context, view) = (&self.context, frame.view);
        if view.display.bones {
            made(&mut self.skeleton, || Skeleton::new(context))?.update(frame);
        }
        if !view.marked.is_empty() || self.marks.is_some() {
            made(&mut self.marks, || Marks::new(context))?.update(frame);
        }
        if matches!(view.compare.shown_layout(), Layout::Wipe | Layout::SideBySide) {
            made(&mut self.divider, || Divider::new(context))?;
        }
        Ok(())
    }

    pub(super) fn draw_layers(&self, frame: &FrameInput<'_>, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        let Some(picture) = self.pictures.current() else { return Ok(()) };
        picture.clear_to(match frame.view.backdrop {
            Backdrop::White => [1.0; 4],
            Backdrop::Black | Backdrop::Surroundings => [0.0, 0.0, 0.0, 1.0],
        });
        for pane in Pane::all(frame, self.shown_bounds(frame, frames)) {
            self.draw_pane(frame, frames, picture, &pane)?;
        }
        if let Some(divider) = &self.divider {
            picture.write(|| {
                divider.draw(&self.quad, frame);
                Ok(())
            })?;
        }
        picture.resolve();
        Ok(())
    }

    /// Bounds of both sides as they are posed, about, and of their bones.
    fn shown_bounds(&self, frame: &FrameInput<'_>, frames: &SideFrames<'_>) -> Bounds {
        let shown = Side::ALL.into_iter().filter(|&side| frames.view(side).compare.shows(side));
        let bounds = shown.filter_map(|side| Some(self.loaded(side)?.bounds(frames.view(side), side)));
        let bones = self.skeleton.as_ref().filter(|_| frame.view.display.bones).map(Skeleton::bounds);
        bounds.chain(bones).fold(Bounds::default(), Bounds::joined)
    }

    fn draw_pane(
        &self,
        frame: &FrameInput<'_>,
        frames: &SideFrames<'_>,
        picture: &Picture,
        pane: &Pane,
    ) -> Result<(), RenderError> {
        let (eye, view, display) = (&pane.eye, frame.view, frame.view.display);
        let is_lit = view.look() == Look::Textured;
        let has_surroundings = view.backdrop == Backdrop::Surroundings;
        let (rig_size, is_dark) = (frame.rig.size(), display.is_dark);
        let anchor = frame.rig.hierarchy.anchor();
        let look_of_ground = GroundLook { rig_size, anchor, is_dark, is_lit, has_pool: has_surroundings };
        let samples = self.pictures.current_samples();
        let blends_light = picture.encodes_light();
        let (programs, lights) = (&self.programs, self.lights.as_ref());
        let look =
            |side, cut| SideLook { programs, lights, eye, view: frames.view(side), side, cut, blends_light, samples };
        let looks: Vec<SideLook<'_>> = pane.sides.iter().map(|&(side, cut)| look(side, cut)).collect();
        let floor = self.ground.as_ref().zip(self.shadow.as_ref()).filter(|_| display.grid);
        picture.write_in(eye.viewport, || {
            if has_surroundings {
                self.background.draw(&self.quad, look_of_ground, eye, frame.size[1]);
            }
            if let Some((ground, shadow)) = floor {
                // Where sides share a ground, that of the first lies on it.
                let side = looks.first().map(|look| look.side);
                let key = lights.zip(side).map(|(lights, side)| &lights.shadows[side]).filter(|_| is_lit);
                ground.draw_shadow(&self.quad, eye, (shadow, key), look_of_ground);
            }
            self.within_cuts(&looks, |look| self.loaded(look.side).map_or(Ok(()), |loaded| loaded.draw_solid(look)))?;
            if let Some((ground, _)) = floor.filter(|_| has_surroundings) {
                ground.draw_grid(&self.quad, eye, &view.camera, look_of_ground);
            }
            self.within_cuts(&looks, |look| {
                let Some(loaded) = self.loaded(look.side) else { return Ok(()) };
                picture.encoding_light(|| loaded.draw_blended(look))?;
                if display.wireframe {
                    loaded.draw_wires(look)?;
                }
                if let Some(marks) = &self.marks {
                    marks.draw(look, &self.quad);
                }
                Ok(())
            })
        })?;
        if let Some(solid) = looks.first().filter(|_| pane.has_ghost) {
            let ghost = SideLook { side: Side::B, view: frames.view(Side::B), ..*solid };
            self.draw_ghost(picture, &ghost)?;
        }
        if let Some(skeleton) = self.skeleton.as_ref().filter(|_| display.bones) {
            if display.bones_in_front {
                picture.clear_depth();
            }
            picture.write_in(eye.viewport, || {
                skeleton.draw(pane, &self.quad, frame);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Draws each side of a pane where its cut leaves something of it: what is beyond costs next to nothing.
    fn within_cuts(
        &self,
        looks: &[SideLook<'_>],
        draw: impl Fn(&SideLook<'_>) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        for look in looks {
            let kept = look.cut.bounds(look.eye.viewport);
            if kept.width > 0 && kept.height > 0 {
                self.context.set_scissor(kept.into());
                draw(look)?;
                self.context.set_scissor(look.eye.viewport.into());
            }
        }
        Ok(())
    }

    /// Draws B over what has been drawn.
    fn draw_ghost(&self, picture: &Picture, ghost: &SideLook<'_>) -> Result<(), RenderError> {
        if let Some((glass, loaded)) = self.glass.as_ref().zip(self.loaded(Side::B)) {
            glass.draw(&self.quad, (ghost.eye, picture), |solid_depth| loaded.draw_glass(ghost, solid_depth))?;
        }
        picture.write(|| {
            if let Some(outline) = &self.outline {
                outline.draw(&self.quad, ghost.eye);
            }
            if let Some(marks) = &self.marks {
                marks.draw(ghost, &self.quad);
            }
            Ok(())
        })
    }
}

/// Content of a slot, made where there is none yet.
fn made<T>(slot: &mut Option<T>, make: impl FnOnce() -> Result<T, RenderError>) -> Result<&mut T, RenderError> {
    let known = slot.take();
    Ok(slot.insert(known.map_or_else(make, Ok)?))
}
