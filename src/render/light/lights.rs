//! The light of a picture, as input of shaders.

use glam::{Mat4, Vec3};
use three_d::Context;

use super::environment::Surroundings;
use super::key_shadow::KeyShadow;
use super::tables::Tables;
use crate::render::gl::gpu_program::{GpuProgram, bind_shared};
use crate::render::gl::program::SetUniform;
use crate::view::Lighting;

/// Surroundings, and the shadow of their key light on each actor.
pub(crate) struct Lights {
    context: Context,
    tables: Tables,
    /// Lighting and front of the character that the surroundings were made for.
    known: Option<(Lighting, Vec3)>,
    surroundings: Surroundings,
    irradiance: [Mat4; 3],
    /// Shadow of the key light on each actor of the frame.
    pub shadows: Vec<KeyShadow>,
}

impl Lights {
    pub(crate) fn new(context: &Context) -> Self {
        let surroundings = Surroundings::new(Lighting::default().environment);
        Self {
            context: context.clone(),
            tables: Tables::new(context),
            known: None,
            irradiance: surroundings.irradiance(),
            surroundings,
            shadows: Vec::new(),
        }
    }

    /// Sets the lighting for a character that looks along `front`, and makes room for the shadows of this many actors.
    pub(crate) fn update(&mut self, lighting: Lighting, front: Vec3, actors: usize) {
        self.shadows.resize_with(actors, KeyShadow::default);
        if self.known != Some((lighting, front)) {
            let angle = front.x.atan2(front.z) + lighting.turn;
            self.surroundings = Surroundings::new(lighting.environment).turned(angle, lighting.exposure.exp2());
            self.irradiance = self.surroundings.irradiance();
            self.known = Some((lighting, front));
        }
    }

    /// Direction towards the key light, world space.
    pub(crate) fn towards_key(&self) -> Vec3 {
        self.surroundings.key.towards
    }

    /// Binds the textures of `lights.glsl` for an actor.
    pub(crate) fn bind(&self, actor: usize) {
        bind_shared(&self.context, "mirroredShapes", self.tables.mirrored.id());
        bind_shared(&self.context, "reflectance", self.tables.reflectance.id());
        bind_shared(&self.context, "keyShadow", self.shadows[actor].texture());
    }

    /// The uniforms of `lights.glsl` for an actor.
    pub(crate) fn use_uniforms(&self, program: &GpuProgram, actor: usize) {
        let around = &self.surroundings;
        program.set("ground", around.ground);
        program.set("sky", around.sky);
        program.set("horizon", around.horizon);
        program.set("lightAxes", Mat4::from_cols_array_2d(&around.lights.map(|l| l.towards.extend(0.0).to_array())));
        program.set("lightColors", Mat4::from_cols_array_2d(&around.lights.map(|l| l.color.extend(0.0).to_array())));
        for (name, matrix) in ["irradianceRed", "irradianceGreen", "irradianceBlue"].into_iter().zip(self.irradiance) {
            program.set(name, matrix);
        }
        program.set("towardsKey", around.key.towards);
        program.set("keyColor", around.key.color);
        self.shadows[actor].use_uniforms(program);
    }
}
