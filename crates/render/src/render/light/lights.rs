use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec2, Vec3, Vec4};
use three_d::context::{FLOAT, LINEAR, RGBA, RGBA8, RGBA16F, TEXTURE_MAG_FILTER, TEXTURE_MIN_FILTER, UNSIGNED_BYTE};
use three_d::{Context, Program, Wrapping};

use super::built_in::built_in;
use super::ground_shadow::ground_shadow_program;
use super::key_shadow::KeyShadow;
use super::reflectance;
use crate::render::RenderError;
use crate::render::gl::get_or_create;
use crate::render::gl::gpu_program::{GpuProgram, bind_shared};
use crate::render::gl::gpu_texture::{GpuTexture, Texels};
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::Quad;
use rigscope_core::environment::{EnvironmentLight, EnvironmentMap, KeyLight, LEVELS, SIDE, luminance};
use rigscope_core::view::{Environment, View};

pub(crate) struct Lights {
    context: Context,
    reflectance: GpuTexture,
    origin: LightOrigin,
    reflections: GpuTexture,
    /// Rotation of the environment about the vertical axis, in radians.
    light_angle: f32,
    strength: f32,
    irradiance: [Mat4; 3],
    key: KeyLight,
    pub shadows: Vec<KeyShadow>,
    ground_shadow: Option<Program>,
}

#[derive(Clone, PartialEq)]
enum LightOrigin {
    BuiltIn(Environment),
    File(Arc<EnvironmentMap>),
}

impl LightOrigin {
    fn from_view(view: &View) -> Self {
        let file = view.environment_file.shown.clone();
        file.map_or(Self::BuiltIn(view.display.light.environment), Self::File)
    }

    fn light(&self) -> &EnvironmentLight {
        match self {
            Self::BuiltIn(environment) => built_in(*environment),
            Self::File(map) => &map.light,
        }
    }

    /// Returns the intensity factor at zero exposure. It scales environment maps to the mean luminance of the studio.
    fn strength(&self) -> f32 {
        match self {
            Self::BuiltIn(_) => 1.0,
            Self::File(map) => built_in(Environment::Studio).mean_luminance() / map.light.mean_luminance(),
        }
    }
}

impl Lights {
    pub(crate) fn new(context: &Context) -> Self {
        let origin = LightOrigin::BuiltIn(Environment::default());
        let EnvironmentLight { irradiance, key, .. } = *origin.light();
        Self {
            context: context.clone(),
            reflectance: reflectance(context),
            reflections: reflections(context, origin.light()),
            origin,
            light_angle: 0.0,
            strength: 1.0,
            irradiance,
            key,
            shadows: Vec::new(),
            ground_shadow: None,
        }
    }

    /// Updates the lighting for a character that faces `front`, and allocates shadow maps for this many actors.
    pub(crate) fn update(&mut self, view: &View, front: Vec3, actors: usize) {
        self.shadows.resize_with(actors, KeyShadow::default);
        let origin = LightOrigin::from_view(view);
        if self.origin != origin {
            self.reflections = reflections(&self.context, origin.light());
            self.origin = origin;
        }
        let light = view.display.light;
        self.light_angle = front.x.atan2(front.z) + light.angle;
        self.strength = self.origin.strength() * light.exposure.exp2();
        let turn = Mat4::from_rotation_y(self.light_angle);
        let EnvironmentLight { irradiance, key, .. } = self.origin.light();
        self.irradiance = irradiance.map(|m| turn * m * turn.transpose() * self.strength);
        let towards = Quat::from_rotation_y(self.light_angle) * key.towards;
        self.key = KeyLight { towards, color: key.color * self.strength };
    }

    pub(crate) fn cast_on_ground(&mut self, quad: &Quad, actor: usize, ground: f32) -> Result<(), RenderError> {
        let program = get_or_create(&mut self.ground_shadow, || ground_shadow_program(&self.context))?;
        self.shadows[actor].cast_on_ground(&self.context, (program, quad), ground)
    }

    pub(crate) fn towards_key(&self) -> Option<Vec3> {
        (self.key.color != Vec3::ZERO).then_some(self.key.towards)
    }

    /// Returns the fraction (0 to 1) of the light on level ground that comes from the key light.
    pub(crate) fn share_of_key(&self) -> f32 {
        let up = Vec4::new(0.0, 1.0, 0.0, 1.0);
        let rest = Vec3::from(self.irradiance.map(|m| up.dot(m * up)));
        let [key, rest] = [self.key.color * self.key.towards.y.max(0.0), rest].map(luminance);
        key / (key + rest).max(f32::MIN_POSITIVE)
    }

    pub(crate) fn bind(&self, actor: usize) {
        bind_shared(&self.context, "environment", self.reflections.id());
        bind_shared(&self.context, "reflectance", self.reflectance.id());
        bind_shared(&self.context, "keyShadow", self.shadows[actor].texture());
    }

    pub(crate) fn use_uniforms(&self, program: &GpuProgram, actor: usize) {
        self.use_environment(program);
        let of = |term: fn(&Mat4) -> f32| Vec3::from(self.irradiance.each_ref().map(term));
        program.set("irradianceEven", of(|m| m.w_axis.w));
        let linear = [of(|m| 2.0 * m.w_axis.x), of(|m| 2.0 * m.w_axis.y), of(|m| 2.0 * m.w_axis.z)];
        let mixed = [of(|m| 2.0 * m.x_axis.y), of(|m| 2.0 * m.y_axis.z), of(|m| 2.0 * m.z_axis.x)];
        let square = [of(|m| m.x_axis.x), of(|m| m.y_axis.y), of(|m| m.z_axis.z)];
        for (name, [x, y, z]) in
            [("irradianceLinear", linear), ("irradianceMixed", mixed), ("irradianceSquare", square)]
        {
            program.set(name, Mat3::from_cols(x, y, z));
        }
        program.set("towardsKey", self.key.towards);
        program.set("keyColor", self.key.color);
        self.shadows[actor].use_uniforms(program);
    }

    pub(crate) fn use_environment(&self, program: &impl SetUniform) {
        program.set("environmentRotation", Vec2::from(self.light_angle.sin_cos()));
        program.set("strength", self.strength);
    }

    pub(crate) fn reflections(&self) -> &GpuTexture {
        &self.reflections
    }
}

fn reflectance(context: &Context) -> GpuTexture {
    let format = Texels { stored: RGBA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
    texture(context, [reflectance::SIDE; 2], format, reflectance::table().as_flattened())
}

fn reflections(context: &Context, light: &EnvironmentLight) -> GpuTexture {
    let format = Texels { stored: RGBA16F, channels: RGBA, kind: FLOAT, bytes: 16 };
    texture(context, [SIDE, LEVELS * SIDE], format, bytemuck::cast_slice(&light.reflections))
}

fn texture(context: &Context, [width, height]: [usize; 2], format: Texels, texels: &[u8]) -> GpuTexture {
    let (size, filters) = ([width as u32, height as u32], [TEXTURE_MIN_FILTER, TEXTURE_MAG_FILTER]);
    let texture =
        GpuTexture::new(context, size, 1, format, [Wrapping::ClampToEdge; 2], &filters.map(|name| (name, LINEAR)));
    texture.write(0, 0, [width, height], texels);
    texture
}
