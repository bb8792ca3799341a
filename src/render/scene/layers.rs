//! What a picture is made of, one over the other.

use super::super::RenderError;
use super::super::frame::FrameInput;
use super::super::ground::GroundLook;
use super::super::loaded::Loaded;
use super::super::pane::{Cut, Pane, SideLook};
use super::super::picture::Picture;
use super::super::skinning_stage::SideInput;
use super::{Scene, Shadowed};
use crate::view::{Ghost, Side};

impl Scene {
    /// Renews the vertices that the picture shows and that have moved.
    pub(super) fn skin(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let Some(loaded) = &mut self.rig else { return Ok(()) };
        let shown = Side::ALL.into_iter().filter(|&side| frame.view.compare.shows(side));
        for side in shown {
            loaded.skin(&mut self.stage, SideInput { context: &self.context, frame, side })?;
        }
        Ok(())
    }

    /// The shadow does not depend on the camera: orbiting costs nothing.
    pub(super) fn draw_shadow(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let side = frame.view.compare.leading();
        let view = frame.view;
        let wanted = Some(Shadowed {
            version: frame.version,
            side,
            skinning: view.sides[side].skinning.clone(),
            hidden: view.hidden.clone(),
        });
        let Some(loaded) = self.rig.as_ref().filter(|_| view.display.grid && self.shadowed != wanted) else {
            return Ok(());
        };
        let context = &self.context;
        self.shadow.update(&self.quad, loaded.bounds(view, side), |eye, material| {
            loaded.draw_heights(context, (view, side), eye, material)
        })?;
        self.shadowed = wanted;
        Ok(())
    }

    /// Where B is, for a ghost that is an outline.
    pub(super) fn draw_outline_mask(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let is_outline = frame.view.compare.ghost == Ghost::Outline;
        let pane = Pane::all(frame).into_iter().find(|pane| pane.has_ghost && is_outline);
        let (Some(loaded), Some(pane)) = (&self.rig, pane) else {
            self.outline.clear();
            return Ok(());
        };
        let look = SideLook { context: &self.context, eye: &pane.eye, view: frame.view, side: Side::B, cut: Cut::NONE };
        self.outline.update(&self.context, (frame.size, self.pictures.current_samples()), || loaded.draw_mask(&look))
    }

    pub(super) fn draw_layers(&self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let (Some(loaded), Some(picture)) = (&self.rig, self.pictures.current()) else { return Ok(()) };
        picture.clear();
        for pane in Pane::all(frame) {
            self.draw_pane(frame, loaded, picture, &pane)?;
        }
        picture.write(|| {
            self.divider.draw(&self.quad, frame);
            Ok(())
        })?;
        picture.resolve();
        Ok(())
    }

    fn draw_pane(
        &self,
        frame: &FrameInput<'_>,
        loaded: &Loaded,
        picture: &Picture,
        pane: &Pane,
    ) -> Result<(), RenderError> {
        let (eye, view, display) = (&pane.eye, frame.view, frame.view.display);
        let ground = GroundLook { rig_size: frame.rig.size(), is_dark: display.is_dark };
        let looks: Vec<SideLook<'_>> =
            pane.sides.iter().map(|&(side, cut)| SideLook { context: &self.context, eye, view, side, cut }).collect();
        picture.write_in(eye.viewport, || {
            self.background.draw(&self.quad, display.is_dark, eye.viewport);
            if display.grid {
                self.ground.draw_shadow(&self.quad, eye, &self.shadow, ground);
            }
            looks.iter().try_for_each(|look| loaded.draw_solid(look))?;
            if display.grid {
                self.ground.draw_grid(&self.quad, eye, &view.camera, &self.shadow, ground);
            }
            for look in &looks {
                loaded.draw_blended(look)?;
                if display.wireframe {
                    loaded.draw_wires(look)?;
                }
                self.marks.draw(look, &self.quad);
            }
            Ok(())
        })?;
        if let Some(solid) = looks.first().filter(|_| pane.has_ghost) {
            self.draw_ghost(loaded, picture, solid)?;
        }
        if display.bones {
            if display.bones_in_front {
                picture.clear_depth();
            }
            picture.write_in(eye.viewport, || {
                self.skeleton.draw(eye, &self.quad, view);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// B over what has been drawn.
    fn draw_ghost(&self, loaded: &Loaded, picture: &Picture, solid: &SideLook<'_>) -> Result<(), RenderError> {
        let ghost = SideLook { side: Side::B, ..*solid };
        let is_outline = solid.view.compare.ghost == Ghost::Outline;
        if !is_outline {
            picture.clear_depth();
        }
        picture.write(|| {
            if is_outline {
                self.outline.draw(&self.quad, solid.eye);
            } else {
                loaded.draw_ghost(&ghost, solid)?;
            }
            self.marks.draw(&ghost, &self.quad);
            Ok(())
        })
    }
}
