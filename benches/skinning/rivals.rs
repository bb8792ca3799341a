//! Loops to compare the kernels with: one that only moves the bytes, and plain ones with glam.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};
use rigscope::rig::Influences;
use rigscope::skinning::{Deformed, Palette};

/// Reads the 48 bytes of a vertex (position, normal, joints, weights) and writes 24 bytes, like a kernel.
pub fn move_bytes(influences: &Influences, positions: &[Vec3], normals: &[Vec3], out: &mut Deformed) {
    let Deformed { positions: moved, normals: Some(turned), .. } = out else { return };
    let (joints, _) = influences.joints().as_chunks::<4>();
    let (weights, _) = influences.weights().as_chunks::<4>();
    for (((((p, n), j), w), moved), turned) in
        positions.iter().zip(normals).zip(joints).zip(weights).zip(moved).zip(turned)
    {
        *moved = *p + Vec3::new(w[0], w[1], w[2] + w[3]);
        *turned = *n + Vec3::splat(f32::from(j[0] ^ j[1] ^ j[2] ^ j[3]));
    }
}

/// Linear blend skinning with glam's aligned types.
pub struct PlainLinear(Vec<Affine3A>);

impl PlainLinear {
    pub fn new(palette: &Palette) -> Self {
        Self(palette.joints.iter().map(|j| Affine3A::from(j.matrix)).collect())
    }

    pub fn skin(&self, influences: &Influences, positions: &[Vec3], normals: &[Vec3], out: &mut Deformed) {
        let Deformed { positions: moved, normals: Some(turned), .. } = out else { return };
        for (vertex, (&position, &normal)) in positions.iter().zip(normals).enumerate() {
            let mut matrix = Affine3A::ZERO;
            for (joint, weight) in influences.vertex(vertex) {
                matrix.matrix3 += self.0[joint].matrix3 * weight;
                matrix.translation += self.0[joint].translation * weight;
            }
            moved[vertex] = matrix.transform_point3(position);
            turned[vertex] = Vec3::from(normal_matrix(matrix.matrix3) * Vec3A::from(normal)).normalize_or_zero();
        }
    }
}

fn normal_matrix(m: Mat3A) -> Mat3A {
    let cofactor = Mat3A::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.x_axis.dot(cofactor.x_axis) < 0.0 { cofactor * -1.0 } else { cofactor }
}

/// Dual quaternion skinning of rigid joints with glam's vectors.
pub struct PlainDual(Vec<(Vec4, Vec4)>);

impl PlainDual {
    pub fn new(palette: &Palette) -> Self {
        Self(palette.joints.iter().map(|j| (j.rigid.real, j.rigid.dual)).collect())
    }

    pub fn skin(&self, influences: &Influences, positions: &[Vec3], normals: &[Vec3], out: &mut Deformed) {
        let Deformed { positions: moved, normals: Some(turned), .. } = out else { return };
        for (vertex, (&position, &normal)) in positions.iter().zip(normals).enumerate() {
            let (mut real, mut dual, mut pivot) = (Vec4::ZERO, Vec4::ZERO, None);
            for (joint, weight) in influences.vertex(vertex) {
                let (r, d) = self.0[joint];
                let sign = if pivot.get_or_insert(r).dot(r) < 0.0 { -weight } else { weight };
                real += r * sign;
                dual += d * sign;
            }
            let length = real.length();
            let (real, dual) = (real / length, dual / length);
            let (r, d) = (real.truncate(), dual.truncate());
            let rotation = Quat::from_vec4(real);
            moved[vertex] = rotation * position + 2.0 * (d * real.w - r * dual.w + r.cross(d));
            turned[vertex] = rotation * normal.normalize_or_zero();
        }
    }
}
