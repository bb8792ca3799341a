use glam::{Affine3, Mat3, Mat4, Quat, Vec2, Vec3, Vec3Swizzles as _, Vec4};

use super::Lens;
use crate::rig::{Bounds, FileLens};

/// An orbit camera around a target; +Y is up.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Camera {
    /// World position of the orbit centre, in the middle of the view.
    #[schemars(with = "[f32; 3]")]
    pub target: Vec3,
    /// Rotation about +Y, radians; 0 looks from +Z along -Z.
    pub yaw: f32,
    /// Elevation of the eye above the horizon, radians.
    pub pitch: f32,
    /// Distance of the eye from the target, metres.
    pub distance: f32,
    /// Vertical field of view, radians.
    pub fov: f32,
    /// True for orthographic projection; `distance` and `fov` set its scale.
    pub is_orthographic: bool,
    /// Scene diagonal, metres; determines the clip planes.
    pub scene_size: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            yaw: 0.45,
            pitch: 0.18,
            distance: 3.0,
            fov: FOVS[1],
            is_orthographic: false,
            scene_size: 1.0,
        }
    }
}

/// Clip distances, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthRange {
    /// Near clip distance, metres.
    pub near: f32,
    /// Far clip distance, metres.
    pub far: f32,
}

/// Selectable vertical fields of view, radians: 20°, 35° (default), 50° and 75°.
pub const FOVS: [f32; 4] = [20.0 * DEGREE, 0.61, 50.0 * DEGREE, 75.0 * DEGREE];
/// Minimum and maximum field of view, radians.
pub const FOV_RANGE: [f32; 2] = [5.0 * DEGREE, 120.0 * DEGREE];
const DEGREE: f32 = std::f32::consts::PI / 180.0;
/// Range of the vertical field of view of cameras from files, radians.
const LENS_RANGE: [f32; 2] = [0.1 * DEGREE, 170.0 * DEGREE];
/// Margin around a framed box, as a factor.
const FRAME_MARGIN: f32 = 1.12;
/// Margin around fitted points, as a factor; larger than `FRAME_MARGIN`, since a box's corners already leave room.
const FIT_MARGIN: f32 = 1.2;
/// Side margin in the narrow halves of a side-by-side comparison, as a factor.
const EDGE_MARGIN: f32 = 1.06;
/// A unit direction counts as vertical if its horizontal component is no longer than this.
const POLE: f32 = 1e-4;
const MAX_PITCH: f32 = std::f32::consts::FRAC_PI_2;

impl Camera {
    /// Creates a camera in front of a character, slightly to the side and above. `front` is the direction that the
    /// character faces, a horizontal unit vector.
    pub fn facing(front: Vec3) -> Self {
        let camera = Self::default();
        Self { yaw: camera.yaw + front.x.atan2(front.z), ..camera }
    }

    /// Returns a copy with the eye, direction and lens of a file camera (which looks along -Z), but without its roll.
    /// For a perspective lens, the target is at the depth of `center`. `None` if the transform or lens is invalid.
    pub fn through(self, world_from_camera: &Affine3, lens: FileLens, center: Vec3) -> Option<Self> {
        let eye = world_from_camera.translation;
        let forward = world_from_camera.transform_vector3(Vec3::NEG_Z).try_normalize()?;
        let (fov, is_orthographic) = match lens {
            FileLens::Perspective(fov) => (fov.clamp(LENS_RANGE[0], LENS_RANGE[1]), false),
            FileLens::Orthographic(_) => (self.fov, true),
        };
        let distance = match lens {
            FileLens::Perspective(_) => (center - eye).dot(forward).max(self.scene_size * 0.05),
            FileLens::Orthographic(half_height) => half_height / (fov * 0.5).tan(),
        };
        // Looking straight down, the camera's up direction is the heading; looking straight up, its opposite.
        let up = world_from_camera.transform_vector3(Vec3::Y) * -forward.y.signum();
        let ahead = if forward.xz().length() > POLE { forward } else { up };
        let camera = Self {
            target: eye + forward * distance,
            yaw: (-ahead.x).atan2(-ahead.z),
            pitch: (-forward.y).clamp(-1.0, 1.0).asin(),
            distance,
            fov,
            is_orthographic,
            ..self
        };
        Some(camera).filter(Self::is_usable)
    }

    /// Frames the points from the current direction, or the bounds if there are no points. `size` is the scene size in
    /// metres. In landscape views, the points stay in view at every yaw.
    pub fn show_all(&mut self, (all, size): (Bounds, f32), points: &[Vec3], aspect: f32) {
        self.scene_size = size;
        self.frame(all, aspect);
        self.fit(points, aspect);
        if aspect >= 1.0 {
            self.fit_turntable(points, aspect);
        }
    }

    /// Frames the bounds from the current direction.
    pub fn frame(&mut self, bounds: Bounds, aspect: f32) {
        let size = bounds.diagonal();
        let size = if size > 0.0 && size.is_finite() { size } else { self.scene_size };
        let half = if bounds.is_empty() { Vec3::ZERO } else { (bounds.max - bounds.min) * 0.5 };
        // Half the box's extent along a view axis.
        let extent = |axis: Vec3| (self.rotation() * axis).abs().dot(half);
        let half_height = extent(Vec3::Y).max(extent(Vec3::X) / aspect.max(0.1)).max(size * 0.1);
        self.distance = half_height / (self.fov * 0.5).tan() * FRAME_MARGIN + extent(Vec3::Z);
        self.target = bounds.center();
    }

    /// Frames points from the current direction, with a larger margin than [`Self::frame`]. Ignores an empty list.
    pub fn fit(&mut self, points: &[Vec3], aspect: f32) {
        let (turn, tangent) = (self.rotation(), (self.fov * 0.5).tan());
        // Each edge of the view bounds a weighted sum of a point's x or y and its depth.
        let depth = if self.is_orthographic { 0.0 } else { tangent };
        let eye_from_world = Mat3::from_quat(turn.inverse());
        let [ahead, back] = [1.0, -1.0].map(|side| {
            let depths = Vec3::new(depth * aspect, depth, side);
            let towards = Mat3::from_cols(Vec3::X * side, Vec3::Y * side, depths) * eye_from_world;
            let seen = points.iter().map(|point| towards * *point).filter(|point| point.is_finite());
            seen.fold(Vec3::NEG_INFINITY, Vec3::max)
        });
        let (Vec3 { x: right, y: top, z: front }, Vec3 { x: left, y: bottom, z: rear }) = (ahead, back);
        if !(right + left).is_finite() || !front.is_finite() {
            return;
        }
        let (x, y) = ((right - left) * 0.5, (top - bottom) * 0.5);
        // Depth of the eye from the origin, or from the foremost point if orthographic.
        let eye = ((right + left) * 0.5 / (tangent * aspect)).max((top + bottom) * 0.5 / tangent);
        let middle = (front - rear) * 0.5;
        let from_middle = if self.is_orthographic { eye } else { eye - middle };
        self.distance = (from_middle * FIT_MARGIN).max(self.scene_size * 0.05);
        self.target = turn * Vec3::new(x, y, middle);
    }

    /// Returns whether a view of this aspect ratio (width over height) contains all points.
    pub fn sees_all(&self, points: &[Vec3], aspect: f32) -> bool {
        let lens = self.lens(Vec2::new(aspect, 1.0) * 1e3);
        points.iter().all(|point| {
            lens.project(*point).is_some_and(|at| at.cmpge(Vec2::ZERO).all() && at.cmple(lens.viewport).all())
        })
    }

    /// Returns whether a view of this aspect ratio (width over height) may contain part of a box.
    pub fn may_see(&self, bounds: Bounds, aspect: f32) -> bool {
        let clip_from_world = self.clip_from_view(aspect) * self.view_from_world();
        let corners = bounds.corners().map(|corner| clip_from_world * corner.extend(1.0));
        let outside: [fn(&Vec4) -> bool; 5] =
            [|at| at.x > at.w, |at| at.x < -at.w, |at| at.y > at.w, |at| at.y < -at.w, |at| at.z < -at.w];
        !outside.iter().any(|is_outside| corners.iter().all(is_outside))
    }

    /// Moves back until the points that are horizontally in view at aspect ratio `from` are also in view at the
    /// narrower `to`. Aspect ratios are width over height.
    pub fn narrow(&mut self, points: &[Vec3], from: f32, to: f32) {
        let tangent = (self.fov * 0.5).tan();
        let max_distance = self.distance * (from / to).max(1.0);
        let needed = points.iter().map(|point| {
            let Vec3 { x, z, .. } = self.rotation().inverse() * (*point - self.target);
            let depth = if self.is_orthographic { 0.0 } else { z };
            let is_seen = x.abs() <= (self.distance - depth) * tangent * from;
            // Points outside the original view count as needing the distance that shows its full width.
            if is_seen { x.abs() * EDGE_MARGIN / (tangent * to) + depth } else { max_distance }
        });
        self.distance = needed.fold(self.distance, f32::max).min(max_distance);
    }

    /// Moves back until the points stay in view from every yaw. `aspect` is width over height.
    pub fn fit_turntable(&mut self, points: &[Vec3], aspect: f32) {
        let (tangent, (sine, cosine)) = ((self.fov * 0.5).tan(), self.pitch.sin_cos());
        let depth = if self.is_orthographic { 0.0 } else { 1.0 };
        // Each point moves in a circle. Its extreme positions to the side, top and bottom must be in view.
        let needed = points.iter().map(|point| {
            let Vec3 { x, y, z } = *point - self.target;
            let radius = x.hypot(z);
            let aside = radius * (cosine * depth).hypot((tangent * aspect).recip());
            let along = |up: f32| up * y * cosine / tangent + radius * (cosine * depth - up * sine / tangent).abs();
            aside.max(along(1.0)).max(along(-1.0)) + y * sine * depth
        });
        self.distance = needed.filter(|distance| distance.is_finite()).fold(self.distance, f32::max);
    }

    /// Returns whether all values are finite and in range; files may contain any numbers.
    pub fn is_usable(&self) -> bool {
        let lengths = [self.distance, self.scene_size];
        lengths.iter().all(|l| *l > 0.0 && l.is_finite())
            && self.target.is_finite()
            && self.yaw.is_finite()
            && self.pitch.abs() <= MAX_PITCH
            && (LENS_RANGE[0]..=LENS_RANGE[1]).contains(&self.fov)
    }

    /// Sets the vertical field of view, in radians, clamped to [`FOV_RANGE`]. Objects at the target keep their size.
    pub fn set_fov(&mut self, fov: f32) {
        let half_height = self.half_height();
        self.fov = fov.clamp(FOV_RANGE[0], FOV_RANGE[1]);
        self.distance = half_height / (self.fov * 0.5).tan();
    }

    fn half_height(&self) -> f32 {
        self.distance * (self.fov * 0.5).tan()
    }

    /// Returns the world-from-view rotation.
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Returns the world position of the eye.
    pub fn eye(&self) -> Vec3 {
        self.target + self.rotation() * Vec3::Z * self.distance
    }

    /// Returns the view-from-world transform.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation(), self.eye()).inverse()
    }

    /// Returns clip distances for the scene and surrounding ground; if orthographic, `near` is behind the eye.
    pub fn depth_range(&self) -> DepthRange {
        let reach = self.scene_size.max(self.distance);
        if self.is_orthographic {
            let half = 6.0 * (self.scene_size + self.distance);
            return DepthRange { near: self.distance - half, far: self.distance + half };
        }
        let near = (self.distance * 0.02).min(self.scene_size * 0.02).max(reach * 1e-4);
        DepthRange { near, far: self.distance + reach * 20.0 }
    }

    /// Extends [`Self::depth_range`] to contain `bounds`, since a clip may move the character close to the eye or far
    /// away. In perspective, `near` is large enough for a 24-bit depth buffer to distinguish surfaces one pixel apart.
    pub fn depth_range_with(&self, bounds: Bounds) -> DepthRange {
        let DepthRange { near, far } = self.depth_range();
        if bounds.is_empty() || !bounds.diagonal().is_finite() {
            return DepthRange { near, far };
        }
        let (eye, forward) = (self.eye(), self.rotation() * Vec3::NEG_Z);
        let depths = bounds.corners().map(|corner| (corner - eye).dot(forward));
        let nearest = depths.into_iter().fold(f32::INFINITY, f32::min);
        let farthest = depths.into_iter().fold(f32::NEG_INFINITY, f32::max);
        // Allow for rounding.
        let (nearest, farthest) = (nearest - 0.01 * nearest.abs(), farthest + 0.01 * farthest.abs());
        let min_near = if self.is_orthographic { f32::NEG_INFINITY } else { near * 0.05 };
        DepthRange { near: nearest.clamp(min_near, near), far: far.max(farthest) }
    }

    /// Returns the clip-from-view projection, with the OpenGL depth range of -1 to 1. `aspect` is width over height.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        self.clip_from_view_within(self.depth_range(), aspect)
    }

    /// Like [`Self::clip_from_view`], but with the given clip distances.
    pub fn clip_from_view_within(&self, DepthRange { near, far }: DepthRange, aspect: f32) -> Mat4 {
        if self.is_orthographic {
            let half = self.half_height();
            glam::camera::rh::proj::opengl::orthographic(-half * aspect, half * aspect, -half, half, near, far)
        } else {
            glam::camera::rh::proj::opengl::perspective(self.fov, aspect, near, far)
        }
    }

    /// Rotates about the target by angles in radians.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pitch).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Sets yaw and pitch about the target, in radians. Pitch is clamped to ±π/2.
    pub fn look_from(&mut self, yaw: f32, pitch: f32) {
        (self.yaw, self.pitch) = (yaw, 0.0);
        self.orbit(0.0, pitch);
    }

    /// Sets yaw and pitch, in degrees. `None` leaves an angle unchanged.
    pub fn aim(&mut self, [yaw, pitch]: [Option<f32>; 2]) {
        self.look_from(yaw.map_or(self.yaw, f32::to_radians), pitch.map_or(self.pitch, f32::to_radians));
    }

    /// Pans so that points in the target's plane follow the pointer. `delta` and `viewport_height` are in points.
    pub fn pan(&mut self, delta: Vec2, viewport_height: f32) {
        let per_point = 2.0 * self.half_height() / viewport_height.max(1.0);
        self.target += self.rotation() * Vec3::new(-delta.x, delta.y, 0.0) * per_point;
    }

    /// Multiplies the distance by `factor`. The point of the target's plane that is under `cursor` (viewport points)
    /// stays under it.
    pub fn zoom(&mut self, factor: f32, cursor: Vec2, viewport: Vec2) {
        let wanted = self.distance * factor;
        let distance = wanted.clamp(self.scene_size * 1e-3, self.scene_size * 100.0);
        let factor = distance / self.distance;
        let from_middle = (cursor - viewport * 0.5) * Vec2::new(1.0, -1.0);
        let per_point = 2.0 * self.half_height() / viewport.y.max(1.0);
        let under = self.rotation() * (from_middle * per_point).extend(0.0);
        self.target += under * (1.0 - factor);
        self.distance = distance;
    }

    /// Creates the lens for a viewport size in points.
    pub fn lens(&self, viewport: Vec2) -> Lens {
        let viewport = viewport.max(Vec2::ONE);
        Lens {
            clip_from_world: self.clip_from_view(viewport.x / viewport.y) * self.view_from_world(),
            eye: self.eye(),
            forward: self.rotation() * Vec3::NEG_Z,
            right: self.rotation() * Vec3::X,
            up: self.rotation() * Vec3::Y,
            is_orthographic: self.is_orthographic,
            world_per_point_at_one_metre: if self.is_orthographic {
                2.0 * self.half_height() / viewport.y
            } else {
                2.0 * (self.fov * 0.5).tan() / viewport.y
            },
            viewport,
        }
    }
}

/// A named camera.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedView {
    /// Unique name.
    pub name: String,
    /// Position, direction and projection.
    pub camera: Camera,
    /// Pose-file name of the joint that the camera follows, if any.
    pub follows: Option<String>,
}

impl SavedView {
    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.follows.as_ref().map_or(0, String::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn camera(yaw: f32, pitch: f32, distance: f32, is_orthographic: bool) -> Camera {
        Camera {
            target: Vec3::new(0.3, 1.0, -0.2),
            yaw,
            pitch,
            distance,
            is_orthographic,
            scene_size: 2.0,
            ..Camera::default()
        }
    }

    proptest! {
        #[test]
        fn the_ray_through_a_projected_point_meets_it(yaw in 0.0_f32..6.0, pitch in -1.5_f32..1.5, distance in 1.0_f32..9.0,
            x in 10.0_f32..790.0, y in 10.0_f32..590.0, depth in 0.5_f32..5.0, ortho: bool) {
            let lens = camera(yaw, pitch, distance, ortho).lens(Vec2::new(800.0, 600.0));
            let ray = lens.ray(Vec2::new(x, y));
            let seen = lens.project(ray.origin + ray.direction * depth).unwrap();
            prop_assert!(seen.distance(Vec2::new(x, y)) < 0.05, "{seen}");
        }

        #[test]
        fn zoom_keeps_what_is_under_the_cursor(x in 0.0_f32..800.0, y in 0.0_f32..600.0, factor in 0.5_f32..2.0, ortho: bool) {
            let viewport = Vec2::new(800.0, 600.0);
            let mut c = camera(0.7, 0.3, 4.0, ortho);
            let cursor = Vec2::new(x, y);
            // A point on the target's plane, under the cursor.
            let ray = c.lens(viewport).ray(cursor);
            let forward = c.rotation() * Vec3::NEG_Z;
            let point = ray.origin + ray.direction * ((c.target - ray.origin).dot(forward) / ray.direction.dot(forward));
            c.zoom(factor, cursor, viewport);
            prop_assert!(c.lens(viewport).project(point).unwrap().distance(cursor) < 0.1);
        }
    }

    #[test]
    fn camera_target_keeps_its_size_in_any_field_of_view() {
        let viewport = Vec2::new(800.0, 600.0);
        for is_orthographic in [false, true] {
            let mut camera = camera(0.7, 0.3, 4.0, is_orthographic);
            let beside = camera.target + camera.rotation() * Vec3::new(0.4, 0.5, 0.0);
            let seen = camera.lens(viewport).project(beside).unwrap();
            for fov in FOVS {
                camera.set_fov(fov);
                assert!(camera.is_usable() && camera.fov == fov);
                assert!(camera.lens(viewport).project(beside).unwrap().distance(seen) < 0.01, "{fov}");
            }
        }
        for (wanted, [min_fov, max_fov]) in [(0.0, FOV_RANGE), (9.0, FOV_RANGE)] {
            let mut camera = Camera::default();
            camera.set_fov(wanted);
            assert!(camera.is_usable() && (camera.fov == min_fov || camera.fov == max_fov));
        }
    }

    #[test]
    fn a_camera_of_a_file_sees_what_its_node_looks_at() {
        let rotation = Quat::from_rotation_y(2.0) * Quat::from_rotation_x(-0.4);
        let node = Affine3::from_rotation_translation(rotation, Vec3::new(3.0, 2.0, -1.0));
        for lens in [FileLens::Perspective(0.7), FileLens::Orthographic(1.5)] {
            let camera = Camera::default().through(&node, lens, Vec3::ZERO).unwrap();
            let viewport = Vec2::new(400.0, 300.0);
            let seen = |x: f32, y: f32, z: f32| {
                camera.lens(viewport).project(node.transform_point3(Vec3::new(x, y, z))).unwrap()
            };
            let top = if let FileLens::Perspective(fov) = lens { (fov * 0.5).tan() * 4.0 } else { 1.5 };
            for (point, expected) in
                [(seen(0.0, 0.0, -4.0), Vec2::new(200.0, 150.0)), (seen(0.0, top, -4.0), Vec2::new(200.0, 0.0))]
            {
                assert!(point.distance(expected) < 0.1, "{point} {lens:?}");
            }
            assert_eq!(camera.is_orthographic, matches!(lens, FileLens::Orthographic(_)));
        }
        for pitch in [-std::f32::consts::FRAC_PI_2, std::f32::consts::FRAC_PI_2] {
            for yaw in [0.0, 0.5, -2.0] {
                let node = Affine3::from_quat(Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch));
                let camera = Camera::default().through(&node, FileLens::Perspective(0.7), Vec3::ZERO).unwrap();
                let up = node.transform_vector3(Vec3::Y);
                assert!((camera.rotation() * Vec3::Y).distance(up) < 1e-3, "straight by {pitch}, turned by {yaw}");
            }
        }
        let long = Camera::default().through(&node, FileLens::Perspective(0.01), Vec3::ZERO).unwrap();
        assert!(long.fov == 0.01 && long.is_usable());
        assert_eq!(Camera::default().through(&Affine3::ZERO, FileLens::Perspective(0.7), Vec3::ZERO), None);
    }

    #[test]
    fn clip_distances_contain_what_a_clip_brings_near_the_eye_or_far_away() {
        let camera = camera(0.0, 0.0, 4.0, false);
        let usual = camera.depth_range();
        let away = |depth: f32| camera.eye() + Vec3::NEG_Z * depth;
        let range = |near: f32, far: f32| {
            camera.depth_range_with(Bounds { min: away(far) - Vec3::X * 0.5, max: away(near) + Vec3::X * 0.5 })
        };
        assert_eq!(range(3.0, 5.0), usual);
        let close = range(usual.near * 0.5, 5.0);
        assert!(close.near <= usual.near * 0.5 && close.near > 0.0 && close.far == usual.far, "{close:?}");
        let wide = range(3.0, usual.far * 2.0);
        assert!(wide.near == usual.near && wide.far >= usual.far * 2.0, "{wide:?}");
        assert!(range(-1.0, 5.0).near > 0.0, "nothing is seen behind the eye");
    }

    #[test]
    fn a_character_is_first_seen_from_its_front() {
        assert_eq!(Camera::facing(Vec3::Z), Camera::default());
        for front in [Vec3::Z, Vec3::X, Vec3::NEG_Z, Vec3::NEG_X] {
            let camera = Camera::facing(front);
            assert!((camera.eye() - camera.target).normalize_or_zero().dot(front) > 0.8, "{front}");
        }
    }

    #[test]
    fn framed_bounds_are_inside_the_picture() {
        let bounds = Bounds { min: Vec3::new(-50.0, 0.0, -10.0), max: Vec3::new(50.0, 180.0, 30.0) };
        for aspect in [0.5, 1.0, 2.0] {
            let mut c = Camera { scene_size: bounds.diagonal(), ..Camera::default() };
            c.frame(bounds, aspect);
            let viewport = Vec2::new(600.0 * aspect, 600.0);
            for corner in bounds.corners() {
                let seen = c.lens(viewport).project(corner).unwrap();
                assert!(seen.cmpge(Vec2::ZERO).all() && seen.cmple(viewport).all(), "{seen} at {aspect}");
            }
        }
    }

    #[test]
    fn fitted_points_fill_the_picture_in_one_direction_and_are_inside_in_both() {
        let points = [Vec3::new(-1.0, 0.2, 0.0), Vec3::new(1.2, 0.9, 0.4), Vec3::new(0.1, 1.8, -0.3), Vec3::ZERO];
        for (is_orthographic, aspect) in [(false, 0.5), (false, 2.0), (true, 0.5), (true, 2.0)] {
            let mut c = Camera { is_orthographic, ..Camera::default() };
            c.fit(&points, aspect);
            assert!(c.sees_all(&points, aspect), "{c:?}");
            let nearer = Camera { distance: c.distance * 0.8, ..c };
            assert!(!nearer.sees_all(&points, aspect), "{c:?}");
            let before = c;
            c.fit(&[], aspect);
            c.fit(&[Vec3::NAN], aspect);
            assert_eq!(c, before);
        }
    }

    #[test]
    fn turntable_fits_the_image_as_large_as_possible() {
        let long = [Vec3::new(0.2, 0.1, -1.5), Vec3::new(-0.3, 0.9, 1.4), Vec3::new(0.2, 1.2, 0.0), Vec3::NAN];
        for (is_orthographic, pitch, aspect) in
            [(false, 0.18, 1.3), (true, 0.18, 1.3), (false, -0.9, 0.6), (true, 1.2, 0.6), (false, 1.3, 2.0)]
        {
            let mut camera = Camera { pitch, is_orthographic, ..Camera::default() };
            camera.fit(&long, aspect);
            let fitted = camera;
            camera.fit_turntable(&long, aspect);
            assert!(camera.distance > fitted.distance);
            assert_eq!(Camera { distance: fitted.distance, ..camera }, fitted, "from the same direction");
            let stays_in = |camera: Camera| {
                (0..720).all(|half| {
                    let mut turned = camera;
                    turned.orbit((0.5 * half as f32).to_radians(), 0.0);
                    turned.sees_all(&long[..3], aspect)
                })
            };
            assert!(stays_in(Camera { distance: camera.distance * 1.0001, ..camera }), "{camera:?}");
            assert!(!stays_in(Camera { distance: camera.distance * 0.98, ..camera }), "{camera:?}");
            let before = camera;
            camera.fit_turntable(&long, aspect);
            assert_eq!(camera, before);
        }
    }

    #[test]
    fn a_narrower_picture_shows_what_the_wider_one_did() {
        let bounds = Bounds { min: Vec3::new(-0.9, 0.0, -0.2), max: Vec3::new(0.9, 1.8, 0.3) };
        for is_orthographic in [false, true] {
            let mut camera = Camera { yaw: 0.0, is_orthographic, ..Camera::default() };
            camera.frame(bounds, 1.5);
            let framed = camera;
            camera.narrow(&bounds.corners(), 1.5, 0.75);
            let lens = camera.lens(Vec2::new(300.0, 400.0));
            for corner in bounds.corners() {
                let seen = lens.project(corner).unwrap();
                assert!(seen.cmpge(Vec2::ZERO).all() && seen.cmple(lens.viewport).all(), "{seen}");
            }
            let near = Camera { distance: 0.3, ..framed };
            let (mut narrow, mut wide) = (near, near);
            narrow.narrow(&bounds.corners(), 1.5, 0.75);
            assert!((narrow.distance - 0.6).abs() < 1e-6, "as wide as before, though not all is seen");
            wide.narrow(&bounds.corners(), 0.75, 1.5);
            assert_eq!(wide, near);
        }
        let mut slim = Camera::default();
        slim.narrow(&Bounds { min: Vec3::splat(-0.1), max: Vec3::splat(0.1) }.corners(), 1.5, 0.75);
        assert_eq!(slim, Camera::default(), "what has room stays as it is");
    }

    #[test]
    fn the_camera_goes_no_further_than_straight_up_and_stays_in_sight_of_the_scene() {
        let mut camera = camera(0.0, 0.0, 4.0, false);
        for by in [10.0, -10.0] {
            camera.orbit(0.0, by);
            assert!((camera.pitch.abs() - std::f32::consts::FRAC_PI_2).abs() < 1e-6, "{}", camera.pitch);
        }
        let viewport = Vec2::new(800.0, 600.0);
        for (factor, wanted) in [(1e-9, 2e-3), (1e9, 200.0)] {
            camera.zoom(factor, viewport * 0.5, viewport);
            assert!((camera.distance - wanted).abs() < 1e-3 * wanted, "{}", camera.distance);
        }
    }
}
