use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use three_d::Viewport;

use crate::render::frame::Tile;
use crate::render::gl::program::SetUniform;
use rigscope_core::rig::Bounds;
use rigscope_core::view::Camera;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PaneCamera {
    pub position: Vec3,
    pub forward: Vec3,
    pub is_orthographic: bool,
    /// Viewport within the drawn tile, in pixels.
    pub viewport: Viewport,
    /// Left and bottom of the drawn tile in the full image, in pixels.
    origin: Vec2,
    /// World length of a screen point: in perspective projection, metres per metre of distance; in parallel projection,
    /// in metres.
    pub world_per_point: f32,
    pub pixels_per_point: f32,
    view_from_world: Mat4,
    clip_from_view: Mat4,
    pub world_from_view: Mat3,
}

impl PaneCamera {
    /// Creates the camera of a whole pane. The depth range includes all of `shown`.
    pub(crate) fn new(camera: &Camera, shown: Bounds, size: [u32; 2], pixels_per_point: f32) -> Self {
        let points = Vec2::new(size[0] as f32, size[1] as f32) / pixels_per_point;
        let lens = camera.lens(points);
        let depth_range = camera.depth_range_with(shown);
        let clip_from_view = camera.clip_from_view_within(depth_range, size[0] as f32 / size[1] as f32);
        let one_metre_ahead = lens.eye + lens.forward;
        Self {
            position: lens.eye,
            forward: lens.forward,
            is_orthographic: camera.is_orthographic,
            viewport: Viewport::new_at_origo(size[0], size[1]),
            origin: Vec2::ZERO,
            world_per_point: lens.world_per_point(one_metre_ahead),
            pixels_per_point,
            view_from_world: camera.view_from_world(),
            clip_from_view,
            world_from_view: Mat3::from_quat(camera.rotation()),
        }
    }

    /// Restricts a pane's camera to a tile; `None` if they don't overlap. `first` is the pane's lower left corner in
    /// pixels.
    pub(crate) fn within(mut self, first: [u32; 2], tile: Tile) -> Option<Self> {
        let Viewport { width, height, .. } = self.viewport;
        let size = [width, height];
        let [begin, end] = [
            [0, 1].map(|i| first[i].max(tile.origin[i])),
            [0, 1].map(|i| (first[i] + size[i]).min(tile.origin[i] + tile.size[i])),
        ];
        if begin[0] >= end[0] || begin[1] >= end[1] {
            return None;
        }
        let corner =
            |pixel: [u32; 2]| Vec2::from([0, 1].map(|i| 2.0 * (pixel[i] - first[i]) as f32 / size[i] as f32 - 1.0));
        self.clip_from_view = enlarged(corner(begin), corner(end)) * self.clip_from_view;
        self.viewport = Viewport {
            x: (begin[0] - tile.origin[0]).cast_signed(),
            y: (begin[1] - tile.origin[1]).cast_signed(),
            width: end[0] - begin[0],
            height: end[1] - begin[1],
        };
        self.origin = Vec2::from(tile.origin.map(|pixels| pixels as f32));
        Some(self)
    }

    /// Creates an orthographic camera that looks up from below the ground at a square around `centre` (x, z). All
    /// lengths are in metres.
    pub(crate) fn from_below(centre: Vec2, radius: f32, heights: [f32; 2], side: u32) -> Self {
        let position = Vec3::new(centre.x, 0.0, centre.y);
        let view_from_world = Mat4::from_cols(
            Vec4::X,
            Vec4::new(0.0, 0.0, -1.0, 0.0),
            Vec4::Y,
            Vec4::new(-centre.x, -centre.y, 0.0, 1.0),
        );
        Self::parallel(view_from_world, (position, Vec3::Y), (radius, side), heights)
    }

    /// Creates an orthographic camera far enough from `centre` to see everything within `radius` metres.
    pub(crate) fn from_afar(centre: Vec3, from: Vec3, radius: f32, side: u32) -> Self {
        let position = centre + 2.0 * radius * from;
        let up = if from.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
        let view_from_world = glam::camera::rh::view::look_to_mat4(position, -from, up);
        Self::parallel(view_from_world, (position, -from), (radius, side), [radius, 3.0 * radius])
    }

    /// Creates an orthographic camera for a square image with a half side length of `radius` metres. The depth range is
    /// `near` to `far`.
    fn parallel(
        view_from_world: Mat4,
        (position, forward): (Vec3, Vec3),
        (radius, side): (f32, u32),
        [near, far]: [f32; 2],
    ) -> Self {
        let clip_from_view = glam::camera::rh::proj::opengl::orthographic(-radius, radius, -radius, radius, near, far);
        Self {
            position,
            forward,
            is_orthographic: true,
            viewport: Viewport::new_at_origo(side, side),
            origin: Vec2::ZERO,
            world_per_point: 2.0 * radius / side as f32,
            pixels_per_point: 1.0,
            view_from_world,
            clip_from_view,
            world_from_view: Mat3::from_mat4(view_from_world).transpose(),
        }
    }

    /// Returns the matrix that maps viewport positions (x, y, 1), where x and y are from -1 to 1, to world directions.
    /// The directions aren't normalised.
    pub(crate) fn rays(&self) -> Mat3 {
        if self.is_orthographic {
            return Mat3::from_cols(Vec3::ZERO, Vec3::ZERO, self.forward);
        }
        let view_from_clip = self.clip_from_view.inverse();
        let seen = |x: f32, y: f32| {
            let point = view_from_clip.project_point3(Vec3::new(x, y, 1.0));
            self.world_from_view * (point / -point.z)
        };
        let middle = seen(0.0, 0.0);
        Mat3::from_cols(seen(1.0, 0.0) - middle, seen(0.0, 1.0) - middle, middle)
    }

    pub(crate) fn clip_from_world(&self) -> Mat4 {
        self.clip_from_view * self.view_from_world
    }

    /// Returns false if the box with these corners is entirely outside the image.
    pub(crate) fn sees(&self, corners: [Vec3; 8]) -> bool {
        /// Margin as a fraction of the image, for rounding errors and wide lines.
        const MARGIN: f32 = 0.01;
        let clip_from_world = self.clip_from_world();
        let clip = corners.map(|corner| clip_from_world * corner.extend(1.0));
        let is_beyond = |axis: usize, sign: f32| clip.iter().all(|c| c[axis] * sign > c.w + MARGIN * c.w.abs());
        !(0..3).any(|axis| is_beyond(axis, 1.0) || is_beyond(axis, -1.0))
    }

    /// Returns the maximum on-screen length, in pixels, of a line of `length` metres inside the box with these corners.
    /// Infinite if the box reaches behind the camera.
    pub(crate) fn max_pixels(&self, length: f32, corners: [Vec3; 8]) -> f32 {
        let pixels_at_one_metre = length * self.pixels_per_point / self.world_per_point;
        if self.is_orthographic {
            return pixels_at_one_metre;
        }
        let ahead =
            corners.map(|corner| (corner - self.position).dot(self.forward)).into_iter().fold(f32::INFINITY, f32::min);
        if ahead > 0.0 { pixels_at_one_metre / ahead } else { f32::INFINITY }
    }

    pub(crate) fn use_uniforms(&self, program: &impl SetUniform) {
        program.set("eye", self.position);
        program.set("forward", self.forward);
        program.set("isOrthographic", self.is_orthographic);
        program.set("worldPerPoint", self.world_per_point);
        program.set("worldPerPixel", self.world_per_point / self.pixels_per_point);
        program.set("pictureOrigin", self.origin);
    }
}

/// Returns the clip-space transform that enlarges a rectangle (coordinates -1 to 1) to the full view.
fn enlarged(low: Vec2, high: Vec2) -> Mat4 {
    let scale = 2.0 / (high - low);
    let shift = -scale * (low + high) * 0.5;
    Mat4::from_translation(shift.extend(0.0)) * Mat4::from_scale(scale.extend(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_box_with_anything_in_the_picture_is_seen(
            at in prop::array::uniform3(-3.0_f32..3.0),
            sides in prop::array::uniform3(0.0_f32..2.0),
            share in prop::array::uniform3(0.0_f32..=1.0),
            yaw in -3.0_f32..3.0,
            is_orthographic in any::<bool>(),
        ) {
            let camera = Camera { yaw, is_orthographic, ..Camera::default() };
            let eye = PaneCamera::new(&camera, Bounds::default(), [64, 48], 1.0);
            let (min, sides) = (Vec3::from(at), Vec3::from(sides));
            let within = min + sides * Vec3::from(share);
            let clip = eye.clip_from_view * eye.view_from_world * within.extend(1.0);
            let is_in_picture = clip.truncate().abs().max_element() <= clip.w;
            let corners = Bounds { min, max: min + sides }.corners();
            prop_assert!(eye.sees(corners) || !is_in_picture);
        }
    }

    #[test]
    fn a_length_has_most_pixels_where_it_is_nearest() {
        let camera = Camera::default();
        let eye = PaneCamera::new(&camera, Bounds::default(), [64, 48], 2.0);
        let ahead = |metres: f32| [eye.position + metres * eye.forward; 8];
        // Half the image height at two metres; the image is 48 pixels high.
        let half = 2.0 * (0.5 * camera.fov).tan();
        assert!((eye.max_pixels(half, ahead(2.0)) - 24.0).abs() < 0.01);
        let mut some_nearer = ahead(8.0);
        some_nearer[3] = ahead(4.0)[0];
        assert!((eye.max_pixels(half, some_nearer) - 12.0).abs() < 0.01);
        assert_eq!(eye.max_pixels(half, ahead(-1.0)), f32::INFINITY);
        let parallel = PaneCamera::new(&Camera { is_orthographic: true, ..camera }, Bounds::default(), [64, 48], 2.0);
        assert_eq!(parallel.max_pixels(half, ahead(-1.0)), parallel.max_pixels(half, ahead(9.0)));
    }

    #[test]
    fn boxes_behind_or_outside_the_image_are_culled() {
        let camera = Camera::default();
        let eye = PaneCamera::new(&camera, Bounds::default(), [64, 48], 1.0);
        let around = |middle: Vec3| Bounds { min: middle - 0.1, max: middle + 0.1 }.corners();
        let sideways = eye.world_from_view * Vec3::X;
        assert!(eye.sees(around(camera.target)));
        for away in [eye.forward * -20.0, sideways * 50.0, sideways * -50.0, Vec3::Y * 50.0] {
            assert!(!eye.sees(around(camera.target + away)), "{away}");
        }
    }
}
