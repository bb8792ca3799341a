//! New frames for nodes, with the same motion. A change gives each node a constant `D_n`, and the world a `G`:
//!
//! | | becomes |
//! | --- | --- |
//! | `W_n` | `G * W_n * D_n` |
//! | `L_n`, each key of a clip | `inverse(D_p) * L_n * D_n`, for roots `G * L_n * D_n` |
//! | `IB_j` | `inverse(D_j) * IB_j * inverse(G)` |
//! | vertices of a skinned mesh | `G * p` |
//! | vertices of a mesh on a node | `inverse(D_n) * p` |
//!
//! Hence `T_j` becomes `G * T_j * inverse(G)` in every pose: the skin moves as before, seen through `G`.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3, Mat3, Quat, Vec3};

use super::error::RefitError;
use super::similarity::{Similarity, is_even};
use rigscope_core::rig::{
    Channel, Clip, FileLens, Hierarchy, Interpolation, Mesh, NodeDescription, NodeIndex, Primitive, Property, Rig,
    RigData, Trs,
};

pub(super) struct FrameChange {
    /// `D_n`, old node from new node.
    pub nodes: Vec<Similarity>,
    /// `G`, new world from old world.
    pub world: Similarity,
}

impl FrameChange {
    pub(super) fn identity(rig: &Rig) -> Self {
        Self { nodes: vec![Similarity::IDENTITY; rig.hierarchy.len()], world: Similarity::IDENTITY }
    }

    pub(super) fn node(&self, node: NodeIndex) -> Similarity {
        self.nodes[node.index()]
    }

    /// Returns the transform from the left: `inverse(D_p)`, or `G` for roots.
    fn above(&self, hierarchy: &Hierarchy, node: NodeIndex) -> Similarity {
        hierarchy.parent(node).map_or(self.world, |parent| self.node(parent).inverse())
    }

    /// Changes the frames. *Errors*: a node would need shear, or a behaviour depends on a changed frame.
    pub(super) fn applied(&self, rig: &Rig, operation: &'static str) -> Result<RigData, RefitError> {
        self.check_behaviours(rig, operation)?;
        let mut data = (**rig).clone();
        let mut nodes = rig.hierarchy.descriptions();
        for node in rig.hierarchy.nodes() {
            self.local(rig, node).change_rest(&mut nodes[rig.hierarchy.source(node)], operation)?;
        }
        data.hierarchy = hierarchy(&nodes, operation)?;
        for clip in &mut data.clips {
            self.change_clip(rig, clip, operation)?;
        }
        self.change_binds(&mut data);
        self.change_meshes(&mut data);
        for camera in &mut data.cameras {
            camera.turn = (self.node(camera.node).rotation.conjugate() * camera.turn.as_dquat()).as_quat();
            if let FileLens::Orthographic(half_height) = &mut camera.lens {
                *half_height *= self.world.scale as f32;
            }
        }
        Ok(data)
    }

    fn local<'a>(&self, rig: &'a Rig, node: NodeIndex) -> LocalChange<'a> {
        LocalChange { name: rig.hierarchy.name(node), above: self.above(&rig.hierarchy, node), own: self.node(node) }
    }

    fn check_behaviours(&self, rig: &Rig, operation: &'static str) -> Result<(), RefitError> {
        let name = |node: NodeIndex| rig.hierarchy.name(node);
        let refused = |node, what: &str| {
            let reason = format!("{what} of \"{}\" depends on the axes and the scale of its node", name(node));
            Err(RefitError::new(operation, reason))
        };
        let is_changed = |node: &NodeIndex| !self.node(*node).is_identity() || !self.world.is_identity();
        let turns = |node: NodeIndex| self.node(node).turns() || self.above(&rig.hierarchy, node).turns();
        if rig.vrm_version.is_some() && !self.world.is_identity() {
            return Err(RefitError::new(operation, "a VRM is always in metres and has +Y up"));
        }
        if let Some(constraint) = rig.constraints.iter().find(|c| turns(c.node) || turns(c.source)) {
            return refused(constraint.node, "the constraint");
        }
        let springs = &rig.spring_bones;
        let of_springs =
            springs.chains.iter().flat_map(|chain| chain.joints.iter().map(|j| j.node).chain(chain.center));
        if let Some(node) = of_springs.chain(springs.colliders.iter().map(|c| c.node)).find(is_changed) {
            return refused(node, "the spring or collider");
        }
        let of_gaze = rig.look_at.iter().flat_map(|look_at| std::iter::once(look_at.head).chain(look_at.eyes()));
        if let Some(node) = of_gaze.into_iter().find(is_changed) {
            return refused(node, "the look-at");
        }
        let moved = rig.cameras.iter().find(|camera| self.node(camera.node).translation != DVec3::ZERO);
        moved.map_or(Ok(()), |camera| refused(camera.node, "the camera"))
    }

    fn change_clip(&self, rig: &Rig, clip: &mut Clip, operation: &'static str) -> Result<(), RefitError> {
        for node in rig.hierarchy.nodes().filter(|node| self.node(*node).translation != DVec3::ZERO) {
            let turns = |channel: &&Channel| channel.node == node && channel.property != Property::MorphWeights;
            if clip.channels.iter().any(|channel| turns(&channel)) {
                let name = rig.hierarchy.name(node);
                let reason = format!("the clip \"{}\" moves \"{name}\", whose origin would change", clip.title());
                return Err(RefitError::new(operation, reason));
            }
        }
        clip.channels.iter_mut().try_for_each(|channel| self.local(rig, channel.node).change_keys(channel, operation))
    }

    fn change_binds(&self, data: &mut RigData) {
        let old_from_new = self.world.inverse().affine();
        for skin in &mut data.skins {
            for (joint, bind) in skin.joints.iter().zip(&mut skin.inverse_bind) {
                let own = self.node(*joint);
                if !own.is_identity() || !self.world.is_identity() {
                    *bind = (own.inverse().affine() * bind.as_daffine3() * old_from_new).as_affine3();
                }
            }
        }
    }

    fn change_meshes(&self, data: &mut RigData) {
        let map = |node: NodeIndex, skin: Option<usize>| match skin {
            Some(_) => self.world,
            None => self.node(node).inverse(),
        };
        let maps: Vec<Similarity> = data.instances.iter().map(|placed| map(placed.node, placed.skin)).collect();
        change_meshes(data, &maps, |mesh, map| mesh.primitives.iter_mut().for_each(|p| transform(p, *map)));
    }
}

/// Changes the mesh of each instance by the instance's entry in `changes`. Instances of one mesh with different changes
/// get meshes of their own.
pub(super) fn change_meshes<T: PartialEq>(data: &mut RigData, changes: &[T], change: impl Fn(&mut Mesh, &T)) {
    // Changes of each mesh, and the mesh that has the change.
    let mut by_mesh: BTreeMap<usize, Vec<(&T, usize)>> = BTreeMap::new();
    for (instance, wanted) in data.instances.iter_mut().zip(changes) {
        let made = by_mesh.entry(instance.mesh).or_default();
        if let Some((_, mesh)) = made.iter().find(|(done, _)| *done == wanted) {
            instance.mesh = *mesh;
            continue;
        }
        let mesh = if made.is_empty() {
            instance.mesh
        } else {
            // All copies are made before the first change.
            data.meshes.push(data.meshes[instance.mesh].clone());
            data.meshes.len() - 1
        };
        made.push((wanted, mesh));
        instance.mesh = mesh;
    }
    for (wanted, mesh) in by_mesh.into_values().flatten() {
        change(&mut data.meshes[mesh], wanted);
    }
}

fn transform(primitive: &mut Primitive, map: Similarity) {
    if map.is_identity() {
        return;
    }
    let (linear, turn) = (|v: &mut Vec3| *v = map.offset(v.as_dvec3()).as_vec3(), map.rotation.as_quat());
    let rotation = Mat3::from_quat(turn);
    let turned = |v: &mut Vec3| *v = rotation * *v;
    primitive.positions.iter_mut().for_each(|p| *p = map.point(p.as_dvec3()).as_vec3());
    primitive.normals.iter_mut().flatten().for_each(turned);
    for tangents in [&mut primitive.tangents, &mut primitive.generated_tangents].into_iter().flatten() {
        for tangent in tangents {
            *tangent = (rotation * tangent.truncate()).extend(tangent.w);
        }
    }
    for target in &mut primitive.morph_targets {
        target.positions.iter_mut().for_each(linear);
        target.normals.iter_mut().chain(&mut target.tangents).for_each(turned);
    }
}

/// Change of a node's local transform: `above * L * own`.
struct LocalChange<'a> {
    name: &'a str,
    above: Similarity,
    own: Similarity,
}

impl LocalChange<'_> {
    fn is_none(&self) -> bool {
        self.above.is_identity() && self.own.is_identity()
    }

    fn rotation(&self, rotation: Quat) -> Quat {
        (self.above.turned(rotation) * self.own.rotation).as_quat()
    }

    fn scale_factor(&self) -> f64 {
        self.above.scale * self.own.scale
    }

    fn change_rest(&self, node: &mut NodeDescription, operation: &'static str) -> Result<(), RefitError> {
        if self.is_none() {
            return Ok(());
        }
        let Trs { translation, rotation, scale } = node.rest;
        self.check_scale(scale, operation)?;
        let moved = rotation.as_dquat() * (scale.as_dvec3() * self.own.translation);
        node.matrix = node.matrix.map(|m| (self.above.affine() * m.as_daffine3() * self.own.affine()).as_affine3());
        node.rest = Trs {
            translation: self.above.point(translation.as_dvec3() + moved).as_vec3(),
            rotation: self.rotation(rotation).normalize(),
            scale: (scale.as_dvec3() * self.scale_factor()).as_vec3(),
        };
        Ok(())
    }

    fn check_scale(&self, scale: Vec3, operation: &'static str) -> Result<(), RefitError> {
        if self.own.turns() && !is_even(scale) {
            let reason = format!("\"{}\" has an uneven scale, whose axes can't be turned", self.name);
            return Err(RefitError::new(operation, reason));
        }
        Ok(())
    }

    fn change_keys(&self, channel: &mut Channel, operation: &'static str) -> Result<(), RefitError> {
        if self.is_none() || channel.property == Property::MorphWeights {
            return Ok(());
        }
        let (width, property) = (channel.width.max(1), channel.property);
        let is_spline = channel.interpolation == Interpolation::CubicSpline;
        for (number, value) in channel.values.chunks_exact_mut(width).enumerate() {
            let is_tangent = is_spline && number % 3 != 1;
            match property {
                Property::Translation => {
                    let key = Vec3::from_slice(value).as_dvec3();
                    let key = if is_tangent { self.above.offset(key) } else { self.above.point(key) };
                    key.as_vec3().write_to_slice(value);
                }
                Property::Rotation => {
                    // Linear in all four numbers, so that tangents and lengths other than 1 are kept.
                    let key = DQuat::from_array([0, 1, 2, 3].map(|at| f64::from(value[at])));
                    (self.above.rotation * key * self.own.rotation).as_quat().write_to_slice(value);
                }
                Property::Scale => {
                    let key = Vec3::from_slice(value);
                    if !is_tangent {
                        self.check_scale(key, operation)?;
                    }
                    (key.as_dvec3() * self.scale_factor()).as_vec3().write_to_slice(value);
                }
                Property::MorphWeights => {}
            }
        }
        Ok(())
    }
}

pub(super) fn hierarchy(nodes: &[NodeDescription], operation: &'static str) -> Result<Hierarchy, RefitError> {
    Hierarchy::new(nodes).map_err(|error| RefitError::new(operation, error.to_string()))
}
