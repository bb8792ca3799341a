use glam::{Mat4, Vec2, Vec3};

/// A half-line in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Origin, world space.
    pub origin: Vec3,
    /// Unit vector.
    pub direction: Vec3,
}

/// Maps between world space and viewport points (origin top left, y down).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Clip from world, OpenGL depth.
    pub clip_from_world: Mat4,
    /// World position of the eye.
    pub eye: Vec3,
    /// View direction, unit length.
    pub forward: Vec3,
    /// Unit vector to the right of the view.
    pub right: Vec3,
    /// Unit vector to the top of the view.
    pub up: Vec3,
    /// True for parallel projection.
    pub is_orthographic: bool,
    /// Viewport size, points.
    pub viewport: Vec2,
    pub(super) world_per_point_at_one_metre: f32,
}

impl Lens {
    /// Projects a world point to the viewport. Returns `None` if the point is behind the eye.
    pub fn project(&self, world: Vec3) -> Option<Vec2> {
        let clip = self.clip_from_world * world.extend(1.0);
        if clip.w <= 1e-6 {
            return None;
        }
        let ndc = clip.truncate() / clip.w;
        Some((Vec2::new(ndc.x, -ndc.y) * 0.5 + 0.5) * self.viewport)
    }

    /// Returns the ray under a viewport point.
    pub fn ray(&self, point: Vec2) -> Ray {
        let from_middle = (point - self.viewport * 0.5) * Vec2::new(1.0, -1.0);
        let offset = (self.right * from_middle.x + self.up * from_middle.y) * self.world_per_point_at_one_metre;
        if self.is_orthographic {
            Ray { origin: self.eye + offset, direction: self.forward }
        } else {
            Ray { origin: self.eye, direction: (self.forward + offset).normalize_or(self.forward) }
        }
    }

    /// Returns the world length of one viewport point at a world position.
    pub fn world_per_point(&self, world: Vec3) -> f32 {
        if self.is_orthographic {
            self.world_per_point_at_one_metre
        } else {
            let depth = (world - self.eye).dot(self.forward).max(1e-6);
            depth * self.world_per_point_at_one_metre
        }
    }

    /// Returns the unit direction from a world position towards the viewer.
    pub fn to_viewer(&self, world: Vec3) -> Vec3 {
        if self.is_orthographic { -self.forward } else { (self.eye - world).normalize_or(-self.forward) }
    }
}
