//! Warnings about an FBX file: content that is not read, and content that other programs lose or change.

use std::collections::{BTreeMap, BTreeSet};

use ufbx::{BakedAnim, ElementType, InheritMode, Node, RotationOrder, SubdivisionDisplayMode};

use super::clips::weight_places;
use super::constraints::told;
use super::from_ufbx::{affine, vec3};
use super::loader::FbxLoader;
use super::nodes::index;
use crate::import::warning::short;
use crate::import::{FbxWarning, ImportWarning};
use crate::rig::{Clip, Hierarchy, UnrunConstraint};

/// Unit of length of most FBX files, metres.
const CENTIMETRE: f64 = 0.01;

/// Tolerance between two bind poses, relative to the size of the skeleton: exporters round.
const BIND_ROUNDING: f32 = 1e-3;

/// Tolerance of a mesh's displacement since binding, relative to its distance from the origin.
const MOVED: f32 = 1e-2;

const MAX_POSES: usize = 1_000_000;

impl FbxLoader<'_> {
    pub(super) fn warn_of_the_rest(&self, hierarchy: &Hierarchy, constraints: &[UnrunConstraint]) {
        let mut repaired: BTreeMap<String, usize> = BTreeMap::new();
        for warning in &self.scene.metadata.warnings {
            let count = repaired.entry(short(&warning.description)).or_default();
            *count = count.saturating_add(warning.count.max(1));
        }
        for (what, count) in repaired {
            self.warn(FbxWarning::Repaired { what, count });
        }
        let metres = self.scene.settings.unit_meters;
        if (metres - CENTIMETRE).abs() > 1e-9 {
            self.warn(FbxWarning::Unit { metres });
        }
        self.warn_of_scale(hierarchy);
        self.warn_of_rotation_orders(hierarchy);
        self.warn_of_binds(hierarchy);
        self.warn_of_moved_meshes(hierarchy);
        self.warn_of_what_moves(told(constraints, hierarchy));
        self.warn_of_what_is_not_drawn();
    }

    fn sources(&self, hierarchy: &Hierarchy, is: impl Fn(&Node) -> bool) -> Vec<usize> {
        let nodes = self.scene.nodes.iter().filter(|node| is(node));
        nodes.filter_map(|node| index(hierarchy, node)).map(|node| hierarchy.source(node)).collect()
    }

    fn warn_of_scale(&self, hierarchy: &Hierarchy) {
        let is_freed = |node: &Node| {
            let parent = node.parent.as_ref();
            let is_scaled = parent.is_some_and(|p| p.is_scale_compensate_parent || p.scale_helper.is_some());
            node.original_inherit_mode != InheritMode::Normal && is_scaled && !node.is_scale_helper
        };
        let nodes = self.sources(hierarchy, is_freed);
        if !nodes.is_empty() {
            self.warn(FbxWarning::ScaleNotInherited { nodes });
        }
    }

    fn warn_of_rotation_orders(&self, hierarchy: &Hierarchy) {
        let other = |node: &Node| !matches!(node.rotation_order, RotationOrder::Xyz | RotationOrder::Spheric);
        let nodes = self.sources(hierarchy, other);
        if !nodes.is_empty() {
            self.warn(FbxWarning::RotationOrders { nodes });
        }
        let nodes = self.sources(hierarchy, |node| node.rotation_order == RotationOrder::Spheric);
        if !nodes.is_empty() {
            self.warn(FbxWarning::SphericRotation { nodes });
        }
    }

    fn warn_of_binds(&self, hierarchy: &Hierarchy) {
        let count = self.scene.skin_clusters.iter().filter(|cluster| cluster.bone_node.is_none()).count();
        if count > 0 {
            self.warn(FbxWarning::ClustersWithoutJoint { count });
        }
        let poses = self.scene.poses.iter().filter(|pose| pose.is_bind_pose).flat_map(|pose| &pose.bone_poses);
        let posed: BTreeMap<u32, _> = poses
            .take(MAX_POSES)
            .map(|pose| (pose.bone_node.element.element_id, affine(&pose.bone_to_world)))
            .collect();
        let bound = self.scene.skin_clusters.iter().filter_map(|cluster| {
            let node = cluster.bone_node.as_ref()?;
            // If a helper holds a node's scale, the cluster refers to the helper.
            let node = node.parent.as_ref().filter(|_| node.is_scale_helper).unwrap_or(node);
            Some((node, affine(&cluster.bind_to_world), *posed.get(&node.element.element_id)?))
        });
        let bound: Vec<_> = bound.take(MAX_POSES).collect();
        let size = bound.iter().map(|(_, bind, _)| bind.translation.abs().max_element()).fold(0.0, f32::max);
        let (mut nodes, mut distance) = (Vec::new(), 0.0_f32);
        for (node, bind, pose) in bound {
            let is_turned = !bind.matrix3.abs_diff_eq(pose.matrix3, BIND_ROUNDING);
            let moved = bind.translation.distance(pose.translation);
            if (moved > BIND_ROUNDING * size || is_turned) && moved.is_finite() {
                nodes.extend(index(hierarchy, node).map(|node| hierarchy.source(node)));
                distance = distance.max(moved);
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        if !nodes.is_empty() {
            self.warn(FbxWarning::BindPosesDiffer { nodes, distance });
        }
    }

    /// Warns about skinned meshes whose nodes have moved since binding: Maya moves their vertices with the node too.
    fn warn_of_moved_meshes(&self, hierarchy: &Hierarchy) {
        let (mut nodes, mut distance) = (Vec::new(), 0.0_f32);
        for node in &self.scene.nodes {
            let Some(mesh) = node.mesh.as_deref() else { continue };
            let cluster = mesh.skin_deformers.iter().flat_map(|skin| &skin.clusters).next();
            let Some(cluster) = cluster else { continue };
            let [bone, mesh_in_bone, now, local] =
                [&cluster.bind_to_world, &cluster.mesh_node_to_bone, &node.node_to_world, &node.geometry_to_node]
                    .map(affine);
            let (mut size, mut moved) = (0.0_f32, 0.0_f32);
            for point in &mesh.vertices {
                let point = local.transform_point3(vec3(point));
                let bound = bone.transform_point3(mesh_in_bone.transform_point3(point));
                let drawn = now.transform_point3(point);
                (size, moved) = (size.max(drawn.length()), moved.max(bound.distance(drawn)));
            }
            if moved.is_finite() && moved > MOVED * size {
                nodes.extend(index(hierarchy, node).map(|node| hierarchy.source(node)));
                distance = distance.max(moved);
            }
        }
        if !nodes.is_empty() {
            self.warn(FbxWarning::MovedAfterBinding { nodes, distance });
        }
    }

    fn warn_of_what_moves(&self, follows: String) {
        let scene = self.scene;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let constraints = scene.constraints.iter().filter(|c| c.active);
        let constraints = constraints.map(|c| format!("{} constraints", named(&c.type_name, "unnamed")));
        let caches = scene.cache_deformers.iter().map(|_| "vertex caches".to_owned());
        let unknown = scene.unknowns.iter().filter(|u| matches!(&*u.super_type, "Deformer" | "Constraint"));
        let unknown = unknown.map(|u| format!("{} {}s", named(&u.sub_type, "unnamed"), u.super_type.to_lowercase()));
        let characters = scene.characters.iter().map(|_| "character definitions".to_owned());
        for kind in constraints.chain(caches).chain(unknown).chain(characters) {
            let count = kinds.entry(kind).or_default();
            *count = count.saturating_add(1);
        }
        if !kinds.is_empty() {
            self.warn(FbxWarning::NotEvaluated { kinds: kinds.into_iter().take(MAX_KINDS).collect(), follows });
        }
    }

    fn warn_of_what_is_not_drawn(&self) {
        let scene = self.scene;
        let of_type = |wanted: &[ElementType]| scene.elements.iter().filter(|e| wanted.contains(&e.type_)).count();
        if scene.lights.count > 0 {
            self.report.warn(ImportWarning::LightsIgnored { count: scene.lights.count });
        }
        let smooth = |mesh: &&ufbx::Ref<ufbx::Mesh>| mesh.subdivision_display_mode != SubdivisionDisplayMode::Disabled;
        let is_offset =
            |prop: &ufbx::Prop| matches!(&*prop.name, "FilmOffsetX" | "FilmOffsetY") && prop.value_vec4.x != 0.0;
        let shifted = |camera: &&ufbx::Ref<ufbx::Camera>| camera.element.props.props.iter().any(is_offset);
        let kinds = [
            ("curves", of_type(&[ElementType::LineCurve, ElementType::NurbsCurve])),
            ("NURBS surfaces", of_type(&[ElementType::NurbsSurface, ElementType::NurbsTrimSurface])),
            ("procedural surfaces", of_type(&[ElementType::ProceduralGeometry])),
            ("smoothed previews of meshes", scene.meshes.iter().filter(smooth).count()),
            ("shifted lenses of cameras", scene.cameras.iter().filter(shifted).count()),
            ("sounds", of_type(&[ElementType::AudioClip])),
        ];
        for (what, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
            self.warn(FbxWarning::NotDrawn { what, count });
        }
    }

    pub(super) fn warn_of_clip(&self, number: usize, clip: &Clip, baked: &BakedAnim) {
        let mut properties: BTreeMap<String, usize> = BTreeMap::new();
        let weights: BTreeSet<(u32, &str)> = self.scene.blend_channels.iter().flat_map(|c| weight_places(c)).collect();
        let moved = baked.elements.iter().flat_map(|element| element.props.iter().map(|p| (element.element_id, p)));
        let unplayed = moved.filter(|(element, p)| !p.constant_value && !weights.contains(&(*element, &*p.name)));
        for (_, property) in unplayed {
            let count = properties.entry(short(&property.name)).or_default();
            *count = count.saturating_add(1);
        }
        if !properties.is_empty() {
            let properties = properties.into_iter().take(MAX_KINDS).collect();
            self.warn(FbxWarning::PropertiesNotPlayed { number, clip: short(&clip.name), properties });
        }
    }
}

const MAX_KINDS: usize = 16;

fn named(name: &str, otherwise: &str) -> String {
    let name = name.trim();
    short(if name.is_empty() { otherwise } else { name })
}
