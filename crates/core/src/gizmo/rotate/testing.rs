//! Test scenes, and rings computed independently of the tested code.

use glam::{Mat3, Quat, Vec2, Vec3};
use proptest::prelude::*;

use super::RotateHandle;
use crate::gizmo::{GizmoFrame, GizmoSize};
use crate::view::{Camera, Lens};

const VIEWPORT: Vec2 = Vec2::new(900.0, 700.0);

fn lens(yaw: f32, pitch: f32, distance: f32, is_orthographic: bool) -> Lens {
    let target = Vec3::new(0.4, 1.1, -0.3) * distance;
    Camera { target, yaw, pitch, distance, is_orthographic, scene_size: distance, ..Camera::default() }.lens(VIEWPORT)
}

pub(crate) fn any_rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0)
        .prop_filter("too short", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.1)
        .prop_map(|q| Quat::from_array(q).normalize())
}

pub(crate) fn any_scene() -> impl Strategy<Value = (GizmoFrame, Lens)> {
    let camera = (0.0..std::f32::consts::TAU, -1.5_f32..1.5, 0.2_f32..300.0, any::<bool>());
    let place = prop::array::uniform3(-0.15_f32..0.15);
    let size = prop::sample::select(&GizmoSize::ALL[..]);
    (camera, place, any_rotation(), any_rotation(), size).prop_map(
        |((yaw, pitch, distance, is_orthographic), place, rotation, other_rotation, size)| {
            let lens = lens(yaw, pitch, distance, is_orthographic);
            let origin = Vec3::new(0.4, 1.1, -0.3) * distance + Vec3::from(place) * distance;
            (
                GizmoFrame {
                    origin,
                    axes: Mat3::from_quat(rotation),
                    other_axes: Mat3::from_quat(other_rotation),
                    is_swapped: false,
                    radius: size.radius(),
                },
                lens,
            )
        },
    )
}

pub(crate) fn seen_with(yaw: f32, pitch: f32, is_orthographic: bool) -> (GizmoFrame, Lens) {
    let lens = lens(yaw, pitch, 3.0, is_orthographic);
    let origin = Vec3::new(0.4, 1.1, -0.3) * 3.0;
    let other_axes = Mat3::from_rotation_z(0.5);
    (
        GizmoFrame { origin, axes: Mat3::IDENTITY, other_axes, is_swapped: false, radius: GizmoSize::Large.radius() },
        lens,
    )
}

pub(crate) fn rotated(axis: Vec3, angle: f32, vector: Vec3) -> Vec3 {
    Quat::from_axis_angle(axis, angle) * vector
}

pub(crate) fn handle_axis(handle: RotateHandle, frame: &GizmoFrame, lens: &Lens) -> Vec3 {
    match handle {
        RotateHandle::X => frame.axes * Vec3::X,
        RotateHandle::Y => frame.axes * Vec3::Y,
        RotateHandle::Z => frame.axes * Vec3::Z,
        RotateHandle::View if lens.is_orthographic => -lens.forward,
        RotateHandle::View | RotateHandle::Trackball => (lens.eye - frame.origin).normalize_or_zero(),
    }
}

pub(crate) fn ring_point(handle: RotateHandle, frame: &GizmoFrame, lens: &Lens, angle: f32) -> Vec3 {
    let axis = handle_axis(handle, frame, lens);
    let points = frame.radius * if handle == RotateHandle::View { GizmoSize::VIEW_RING } else { 1.0 };
    let radius = points * lens.world_per_point(frame.origin);
    frame.origin + rotated(axis, angle, axis.any_orthonormal_vector()) * radius
}

pub(crate) fn tilt(handle: RotateHandle, frame: &GizmoFrame, lens: &Lens) -> f32 {
    handle_axis(handle, frame, lens).dot(lens.to_viewer(frame.origin)).abs()
}
