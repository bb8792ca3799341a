//! Picking on the skin: the vertices, and the joint that moves them most.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use crate::rig::{MeshInstance, NodeIndex, Primitive, Rig};
use crate::skinning::{Deformed, Normals, RigSkinning, SkinPose, Skinner, Skinning};
use crate::state::{Notice, OpenDocument};
use crate::view::{Hidden, Ray, Side};

/// Least triangle indices, or vertices, that one core takes at a time.
const CHUNK: usize = 3 * 8192;

/// The skin as last posed, so that a second click costs only the search.
#[derive(Default)]
pub(crate) struct SkinPicker {
    /// Version of the state and skinning that `deformed` was made with.
    shown: Option<(u64, Skinning)>,
    /// Deformed primitives in the order of [`Rig::primitives`]; positions only.
    deformed: Vec<Deformed>,
}

/// The skin of a side as it is shown now.
#[derive(Clone, Copy)]
pub(crate) struct PosedSkin<'a> {
    pub pose: SkinPose<'a>,
    /// Skinning that deforms the skin.
    pub skinning: RigSkinning<'a>,
    /// Hidden meshes and materials.
    pub hidden: &'a Hidden,
    /// Number that changes whenever the pose does.
    pub version: u64,
}

impl OpenDocument {
    /// Selects the joint that moves the skin of a side most under a ray, or adds it; returns a notice on why it cannot be selected.
    pub(in crate::state) fn pick_skin(&mut self, side: Side, ray: &Ray, adds: bool) -> Option<Notice> {
        let (pose, rig) = (self.actor(side).pose.clone(), Arc::clone(&self.actor(side).rig));
        let (skinning, centers, hidden) =
            (self.skinning_on(side).into_owned(), self.centers(side).cloned(), self.actor(side).hidden.clone());
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &hidden,
            version: self.version(),
        };
        let joint = self.skin[side].joint_under(&rig, skin, ray);
        match joint.and_then(|joint| self.actor(side).open_node(joint)) {
            Some(joint) if adds => self.toggle_selected(joint),
            Some(joint) => self.select(Some(joint)),
            None => return self.told_lone(side, joint?),
        }
        None
    }
}

/// A hit on a triangle: distance along the ray, and the shares of the second and third corner.
#[derive(Clone, Copy)]
struct Hit {
    distance: f32,
    shares: [f32; 2],
    /// Position of the triangle's first index.
    triangle: usize,
}

/// A point of the skin, in a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SkinPoint {
    /// Position in [`Rig::primitives`].
    pub part: usize,
    /// Vertices of the triangle, each with the point's share.
    pub corners: [(usize, f32); 3],
}

impl SkinPoint {
    /// Vertex of the triangle nearest to the point.
    pub(crate) fn vertex(&self) -> usize {
        let [a, b, c] = self.corners;
        [b, c].into_iter().fold(a, |best, corner| if corner.1 > best.1 { corner } else { best }).0
    }

    /// Interpolated value at the point, from values by vertex.
    pub(crate) fn value(&self, values: &[f32]) -> Option<f32> {
        self.corners.iter().try_fold(0.0, |sum, (vertex, share)| Some(sum + values.get(*vertex)? * share))
    }
}

impl SkinPicker {
    /// Point where a ray first meets the posed skin.
    pub(crate) fn point_under(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>, ray: &Ray) -> Option<SkinPoint> {
        let deformed = self.posed(rig, skin)?;
        point_in(rig, deformed.iter().map(|deformed| deformed.positions.as_slice()), skin.hidden, ray)
    }

    /// The posed skin, positions only, in the order of [`Rig::primitives`]. `None` where the skinning does not suit the character.
    pub(crate) fn posed(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>) -> Option<&[Deformed]> {
        let RigSkinning { skinning, centers } = skin.skinning;
        if self.shown.as_ref().is_none_or(|(of, way)| (*of, way) != (skin.version, skinning)) {
            // Normals are not needed.
            let way = Skinning { normals: Normals::Transformed, ..skinning.clone() };
            let skinner = Skinner::with_centers(rig, &way, &centers.cloned().unwrap_or_default()).ok()?;
            self.deform(&skinner, skin.pose);
            self.shown = Some((skin.version, skinning.clone()));
        }
        Some(&self.deformed)
    }

    /// The joint with the largest weight where a ray first meets the posed skin, or the node that carries a mesh without skin.
    pub(crate) fn joint_under(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>, ray: &Ray) -> Option<NodeIndex> {
        let point = self.point_under(rig, skin, ray)?;
        let (instance, primitive) = rig.primitives().nth(point.part)?;
        Some(heaviest(rig, instance, primitive, point))
    }

    fn deform(&mut self, skinner: &Skinner, pose: SkinPose<'_>) {
        let rig = skinner.rig();
        self.deformed.resize_with(rig.parts().count(), Deformed::default);
        for (part, deformed) in rig.parts().zip(&mut self.deformed) {
            skinner.deform_positions_into(part, pose, deformed);
        }
    }
}

/// Point where a ray first meets the visible part of a deformed skin. *Shapes*: `positions` in the order of [`Rig::primitives`].
pub(crate) fn point_in<'a>(
    rig: &Rig,
    positions: impl Iterator<Item = &'a [Vec3]>,
    hidden: &Hidden,
    ray: &Ray,
) -> Option<SkinPoint> {
    let parts = rig.parts().zip(rig.primitives().zip(positions)).enumerate();
    let shown = parts.filter(|(_, (place, _))| hidden.shows(rig, *place));
    let hits = shown.filter_map(|(part, (_, ((_, primitive), positions)))| {
        // Stale positions may be of a mesh with another vertex count.
        (positions.len() == primitive.positions.len()).then_some(())?;
        Some((first_hit(primitive, positions, ray)?, part, primitive))
    });
    let (hit, part, primitive) = hits.min_by(|(a, ..), (b, ..)| a.distance.total_cmp(&b.distance))?;
    let [u, v] = hit.shares;
    let corner = |i: usize, share| (primitive.indices[hit.triangle + i] as usize, share);
    Some(SkinPoint { part, corners: [corner(0, 1.0 - u - v), corner(1, u), corner(2, v)] })
}

fn first_hit(primitive: &Primitive, positions: &[Vec3], ray: &Ray) -> Option<Hit> {
    let sides = sides(positions, ray);
    let nearer = |a: Hit, b: Hit| if b.distance < a.distance { b } else { a };
    let chunks = primitive.indices.par_chunks(CHUNK).enumerate();
    chunks
        .filter_map(|(number, indices)| {
            let triangles = indices.chunks_exact(3).enumerate();
            let hits = triangles.filter_map(|(i, t)| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|v| sides[v as usize]);
                if a & b & c != 0 {
                    return None;
                }
                let (distance, shares) = meet(ray, [t[0], t[1], t[2]].map(|v| positions[v as usize]))?;
                Some(Hit { distance, shares, triangle: number * CHUNK + i * 3 })
            });
            hits.reduce(nearer)
        })
        .reduce_with(nearer)
}

/// For each vertex, the sides of the ray on which it lies, one bit each: right, left, above, below. A triangle whose corners share a side is not met, which
/// excludes all but a few; non-finite positions have no bits.
fn sides(positions: &[Vec3], ray: &Ray) -> Vec<u8> {
    let (right, up) = ray.direction.any_orthonormal_pair();
    let side = |position: &Vec3| {
        let from_ray = *position - ray.origin;
        let (x, y) = (from_ray.dot(right), from_ray.dot(up));
        u8::from(x > 0.0) | u8::from(x < 0.0) << 1 | u8::from(y > 0.0) << 2 | u8::from(y < 0.0) << 3
    };
    positions.par_iter().with_min_len(CHUNK).map(side).collect()
}

/// Distance at which a ray meets a triangle from either side, and the shares of the second and third corner. *Source*: Möller and Trumbore, Fast, minimum
/// storage ray/triangle intersection, 1997.
fn meet(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 2])> {
    let (ab, ac, from_a) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let inverse = ab.dot(across).recip();
    let u = from_a.dot(across) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let lifted = from_a.cross(ab);
    let v = ray.direction.dot(lifted) * inverse;
    let distance = ac.dot(lifted) * inverse;
    (v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, [u, v]))
}

/// The joint with the largest weight at a point.
fn heaviest(rig: &Rig, instance: &MeshInstance, primitive: &Primitive, point: SkinPoint) -> NodeIndex {
    let skin = instance.skin.and_then(|s| rig.skins.get(s));
    let Some((influences, skin)) = primitive.influences.as_ref().zip(skin) else { return instance.node };
    let mut weights = vec![0.0; skin.joints.len()];
    for (vertex, share) in point.corners {
        for (joint, weight) in influences.of(vertex) {
            weights[joint] += weight * share;
        }
    }
    let heaviest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a)));
    heaviest.map_or(instance.node, |joint| skin.joints[joint])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::rig::{Pose, Trs, evaluate};
    use crate::skinning::{Method, palettes};
    use crate::stage::{BuiltIn, Document, Source};
    use glam::Quat;

    fn picked(turn: f32, method: Method, ray: &Ray) -> Option<String> {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let rig = document.rig;
        let mut pose = Pose::rest(&rig.hierarchy);
        let middle = rig.hierarchy.nodes().find(|&n| rig.hierarchy.name(n) == "Middle").unwrap();
        pose.set_user_local(middle, Trs::from_rotation(Quat::from_rotation_y(turn)));
        let posed = evaluate(&rig, None, &pose);
        let (palettes, skinning) = (palettes(&rig, &posed), method.into());
        let skin = PosedSkin {
            pose: SkinPose { posed: &posed, palettes: &palettes },
            skinning: RigSkinning { skinning: &skinning, centers: None },
            hidden: &Hidden::default(),
            version: 1,
        };
        let joint = SkinPicker::default().joint_under(&rig, skin, ray);
        joint.map(|n| rig.hierarchy.name(n).to_owned())
    }

    #[test]
    fn the_skin_is_picked_where_the_pose_has_put_it() {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let rest = evaluate(&document.rig, None, &Pose::rest(&document.rig.hierarchy));
        let at = |name: &str| {
            let hierarchy = &document.rig.hierarchy;
            let node = hierarchy.nodes().find(|&n| hierarchy.name(n) == name).unwrap();
            rest.world_from_node[node.index()].translation
        };
        let (middle, far) = (at("Middle"), at("Far"));
        let end = middle + (far - middle) * 1.5;
        let down_on = |p: Vec3| Ray { origin: p + Vec3::Y * 5.0, direction: Vec3::NEG_Y };
        for method in [Method::Lbs, Method::Dqs] {
            assert_eq!(picked(0.0, method, &down_on(end)).as_deref(), Some("Far"));
            // Turned aside by a quarter, the end is elsewhere and its old place is empty.
            let turned = middle + Quat::from_rotation_y(1.57) * (end - middle);
            assert_eq!(picked(1.57, method, &down_on(turned)).as_deref(), Some("Far"));
            assert_eq!(picked(1.57, method, &down_on(end)), None);
        }
    }

    #[test]
    fn a_triangle_is_met_from_both_sides_and_not_behind_the_eye() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let ray = |z: f32, direction: Vec3| Ray { origin: Vec3::new(0.25, 0.5, z), direction };
        for (z, direction, wanted) in
            [(2.0, Vec3::NEG_Z, Some(2.0)), (-3.0, Vec3::Z, Some(3.0)), (2.0, Vec3::Z, None), (2.0, Vec3::X, None)]
        {
            let met = meet(&ray(z, direction), triangle);
            assert_eq!(met.map(|(distance, _)| distance), wanted);
            assert!(met.is_none_or(|(_, shares)| shares == [0.25, 0.5]));
        }
    }
}
