//! Comparisons of GPU and CPU skinning, and rendered images of rigs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Mat3, Quat, Vec3};
use image::RgbaImage;
use rigscope::actor::{Actor, SharedPose};
use rigscope::render::{FrameInput, Headless, Scene, SkinningDevice};
use rigscope::rig::{ClipMoment, NodeIndex, Pose, Posed, Primitive, Rig, Trs, evaluate};
use rigscope::skinning::{
    Deformed, JointTransform, Method, Normals, Palette, RecomputedNormals, SkinPose, Skinner, Skinning, deform,
};
use rigscope::view::{Camera, View};

/// A rig in a pose, with everything that a frame needs.
pub struct Still {
    pub rig: Arc<Rig>,
    pub pose: Pose,
    pub actor: Actor,
    pub version: u64,
}

impl Still {
    pub fn new(rig: &Arc<Rig>, pose: Pose) -> Self {
        Self::at(rig, None, pose)
    }

    pub fn at(rig: &Arc<Rig>, clip: Option<ClipMoment>, pose: Pose) -> Self {
        static VERSION: AtomicU64 = AtomicU64::new(0);
        let actor = Actor::new(rig, SharedPose::new(rig, evaluate(rig, clip, &pose)));
        Self { rig: Arc::clone(rig), pose, actor, version: VERSION.fetch_add(1, Ordering::Relaxed) }
    }

    pub fn posed(&self) -> &Posed {
        &self.actor.pose.posed
    }

    pub fn palettes(&self) -> &[Arc<Palette>] {
        &self.actor.pose.palettes
    }

    pub fn skin_pose(&self) -> SkinPose<'_> {
        self.actor.pose.skin_pose()
    }

    pub fn frame<'a>(&'a self, view: &'a View, size: [u32; 2]) -> FrameInput<'a> {
        let frame = FrameInput::for_actor(&self.actor, (&self.pose, view), size);
        FrameInput { open: &self.rig, version: self.version, ..frame }
    }

    /// Returns a view from the default direction in which the rig fills the image.
    pub fn view(&self, method: Method, size: [u32; 2]) -> View {
        let scene_size = self.rig.size();
        let mut camera = Camera { scene_size, ..Camera::default() };
        camera.frame(self.rig.rest_bounds(), size[0] as f32 / size[1] as f32);
        View { camera, ..View::skinned(method) }
    }

    pub fn draw(&self, scene: &mut Scene, view: &View, size: [u32; 2]) -> RgbaImage {
        scene.draw(&self.frame(view, size)).unwrap();
        scene.pixels().unwrap()
    }
}

/// Runs a test with a scene, in an OpenGL context of this thread.
pub fn with_scene(test: impl FnOnce(&mut Scene)) {
    with_scene_and_renderer(|scene, _| test(scene));
}

/// Like [`with_scene`], and also passes the name of the OpenGL renderer.
pub fn with_scene_and_renderer(test: impl FnOnce(&mut Scene, &str)) {
    let headless = Headless::new().expect("the tests draw without a window; Mesa's software device is enough");
    let mut scene = headless.scene().unwrap();
    test(&mut scene, &headless.renderer());
}

/// Returns the rest pose with one node rotated.
pub fn turned(rig: &Rig, node: NodeIndex, rotation: Quat) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(node, Trs::from_rotation(rotation));
    pose
}

/// Returns a pose in which every node is rotated, moved slightly and scaled, and every morph target has a weight. The
/// seed determines the pose.
pub fn random_pose(rig: &Rig, seed: u64) -> Pose {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut pose = Pose::rest(&rig.hierarchy);
    for node in rig.hierarchy.nodes() {
        let rotation = Quat::from_array([random.signed(), random.signed(), random.signed(), random.signed()]);
        let translation = random.vector() * 0.1 * rig.size();
        let scale = Vec3::ONE + random.vector() * 0.3;
        pose.set_user_local(node, Trs { translation, rotation, scale });
    }
    for (morph, _) in rig.indexed_morphs() {
        pose.set_morph_weight(morph, 2.0 * random.signed());
    }
    pose
}

/// A small random number generator (xorshift).
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Asserts that GPU and CPU agree for LBS, DQS and blends of them; see [`assert_skinner_agrees`].
pub fn assert_gpu_equals_cpu(scene: &mut Scene, name: &str, still: &Still) {
    for method in [Method::Lbs, Method::Dqs, Method::Blend(0.3), Method::Blend(0.5)] {
        let skinner = Skinner::new(&still.rig, &method.into()).expect("these methods serve every rig");
        assert_skinner_agrees(scene, name, still, &skinner);
    }
}

/// Asserts for every primitive and device that positions agree with the CPU to 1e-5 of the posed size, and normals to
/// 1e-3.
pub fn assert_skinner_agrees(scene: &mut Scene, name: &str, still: &Still, skinner: &Skinner) {
    for device in SkinningDevice::ALL {
        scene.set_skinning_device(device);
        assert_drawn_vertices_agree(scene, &format!("{name} on the {device}"), still, skinner);
    }
}

fn assert_drawn_vertices_agree(scene: &mut Scene, name: &str, still: &Still, skinner: &Skinner) {
    let View { camera, .. } = still.view(Method::Lbs, [8, 8]);
    let view = View { camera, ..View::skinned(skinner.skinning().clone()) };
    let on_cpu = skinner.deform(still.posed());
    let asks = skinner.skinning().normals == Normals::Recomputed;
    let normals = asks.then(|| RecomputedNormals::new(&on_cpu, still.version));
    let mut frame = still.frame(&view, [8, 8]);
    let actor = Actor { rig: Arc::clone(skinner.rig()), ..still.actor.clone() };
    let shown = &mut frame.actors[0];
    (shown.actor, shown.centers, shown.normals) = (&actor, skinner.centers(), normals.as_ref());
    let on_card = scene.skinned(&frame).unwrap();
    let scale = posed_size(still);
    for (index, instance) in still.rig.instances.iter().enumerate() {
        let primitives = &skinner.rig().meshes[instance.mesh].primitives;
        assert_eq!(on_card[index].len(), primitives.len(), "{name}: every primitive comes back");
        for (primitive, (cpu, gpu)) in primitives.iter().zip(on_cpu[index].iter().zip(&on_card[index])) {
            let what = format!("{name}, {:?}, instance {index}", skinner.skinning());
            assert_positions(&what, cpu, gpu, scale);
            let [lbs, dqs] = Method::ALL
                .map(|m| deform(primitive, &still.palettes()[index], &still.posed().morph_weights[index], m));
            let is_ill_conditioned =
                |vertex: usize| is_ill_conditioned(still, index, primitive, vertex, skinner.skinning());
            let is_opposite =
                |v: usize| matches!((&lbs.normals, &dqs.normals), (Some(a), Some(b)) if a[v].dot(b[v]) < -0.98);
            assert_normals(&what, cpu, gpu, |vertex| is_opposite(vertex) || is_ill_conditioned(vertex));
            let is_opposite = |v: usize| {
                let direction = |of: &Deformed| of.tangents.as_ref().map(|tangents| tangents[v].truncate());
                matches!((direction(&lbs), direction(&dqs)), (Some(a), Some(b)) if a.dot(b) < -0.98)
            };
            if gpu.tangents.is_some() {
                assert_tangents(&what, cpu, gpu, |vertex| is_opposite(vertex) || is_ill_conditioned(vertex));
            }
        }
    }
}

fn posed_size(still: &Still) -> f32 {
    let farthest = still.palettes().iter().flat_map(|p| &p.joints).map(|j| j.matrix.translation.length());
    farthest.fold(still.rig.size(), f32::max)
}

fn assert_positions(what: &str, cpu: &Deformed, gpu: &Deformed, scale: f32) {
    assert_eq!(cpu.positions.len(), gpu.positions.len(), "{what}");
    for (vertex, (c, g)) in cpu.positions.iter().zip(&gpu.positions).enumerate() {
        assert!(c.distance(*g) <= 1e-5 * scale, "{what}, position of vertex {vertex}: {c} on the CPU, {g} on the GPU");
    }
}

fn assert_normals(what: &str, cpu: &Deformed, gpu: &Deformed, is_ill_conditioned: impl Fn(usize) -> bool) {
    assert_eq!(cpu.normals.is_some(), gpu.normals.is_some(), "{what}");
    let pairs = cpu.normals.iter().flatten().zip(gpu.normals.iter().flatten());
    for (vertex, (c, g)) in pairs.enumerate() {
        let is_near = c.distance(*g) <= 1e-3 || is_ill_conditioned(vertex);
        assert!(is_near, "{what}, normal of vertex {vertex}: {c} on the CPU, {g} on the GPU");
    }
}

/// Compares tangents, which exist if the file has a normal map.
fn assert_tangents(what: &str, cpu: &Deformed, gpu: &Deformed, is_ill_conditioned: impl Fn(usize) -> bool) {
    let pairs = cpu.tangents.iter().flatten().zip(gpu.tangents.iter().flatten());
    for (vertex, (c, g)) in pairs.enumerate() {
        let is_near = c.distance(*g) <= 1e-3 || is_ill_conditioned(vertex);
        assert!(is_near, "{what}, tangent of vertex {vertex}: {c} on the CPU, {g} on the GPU");
    }
}

/// Returns whether only rounding decides the normal, because the blended matrix is almost singular.
fn is_ill_conditioned(
    still: &Still,
    instance: usize,
    primitive: &Primitive,
    vertex: usize,
    skinning: &Skinning,
) -> bool {
    let joints = &still.palettes()[instance].joints;
    let blend = |part: fn(&JointTransform) -> Mat3| match &primitive.influences {
        Some(influences) if still.rig.instances[instance].skin.is_some() => {
            skinning.influences.apply(influences).vertex(vertex).map(|(j, w)| part(&joints[j]) * w).sum()
        }
        _ => joints[0].matrix.matrix3,
    };
    let is_singular = |blend: Mat3| {
        let size = blend.to_cols_array().iter().map(|x| x * x).sum::<f32>().sqrt();
        blend.determinant().abs() < 2e-4 * size.powi(3)
    };
    let is_mixed = !skinning.by_joint.is_empty() || skinning.method == Method::WeightedBlend;
    let share = skinning.method.dq_blend_weight();
    ((share < 1.0 || is_mixed) && is_singular(blend(|j| j.matrix.matrix3)))
        || ((share > 0.0 || is_mixed) && is_singular(blend(|j| j.stretch_axes)))
}
