use glam::Vec3;

/// A line segment, possibly of zero length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// Position of the joint.
    pub head: Vec3,
    /// Position of the child joint, or the end of a stub.
    pub tail: Vec3,
}

impl Segment {
    /// Returns the nearest point on the segment.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        self.head + (self.tail - self.head) * self.share(point)
    }

    /// Returns the position of the nearest point along the segment, from 0 at the head to 1 at the tail.
    pub fn share(&self, point: Vec3) -> f32 {
        let along = self.tail - self.head;
        let length_squared = along.length_squared();
        let share = if length_squared > 0.0 { (point - self.head).dot(along) / length_squared } else { 0.0 };
        share.clamp(0.0, 1.0)
    }

    /// Returns the distance from head to tail.
    pub fn length(&self) -> f32 {
        self.head.distance(self.tail)
    }

    /// Returns the distance from a point to the segment.
    pub fn distance(&self, point: Vec3) -> f32 {
        point.distance(self.nearest(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_between_the_ends() {
        let segment = Segment { head: Vec3::ZERO, tail: Vec3::X * 2.0 };
        let distances = [Vec3::new(1.0, 3.0, 0.0), Vec3::X * 5.0, Vec3::NEG_X * 4.0].map(|p| segment.distance(p));
        assert_eq!(distances, [3.0, 3.0, 4.0]);
        assert_eq!(Segment { head: Vec3::Y, tail: Vec3::Y }.distance(Vec3::ZERO), 1.0);
    }
}
