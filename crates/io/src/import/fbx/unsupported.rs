//! Warns about content of an FBX file that is not read, and about content that other programs lose or change.

use std::collections::{BTreeMap, BTreeSet};

use ufbx::{BakedAnim, ElementType, InheritMode, Node, RotationOrder, SubdivisionDisplayMode};

use super::clips::weight_places;
use super::constraints::describe;
use super::from_ufbx::{affine, vec3};
use super::loader::FbxLoader;
use super::nodes::index;
use crate::import::warning::short;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Clip, Hierarchy, UnsupportedConstraint};
use rigscope_core::text::{self, counted};

const CENTIMETRE: f64 = 0.01;

/// Allowed difference between the bind poses of the file and of a skin, to cover rounding by exporters. For positions,
/// it is relative to the size of the skeleton.
const BIND_ROUNDING: f32 = 1e-3;

/// Allowed displacement of a mesh since binding, relative to the distance of its farthest point from the origin.
const MOVED: f32 = 1e-2;

const MAX_POSES: usize = 1_000_000;

impl FbxLoader<'_> {
    pub(super) fn warn_of_the_rest(&self, hierarchy: &Hierarchy, constraints: &[UnsupportedConstraint]) {
        let mut repaired: BTreeMap<String, usize> = BTreeMap::new();
        for warning in &self.scene.metadata.warnings {
            let count = repaired.entry(short(&warning.description)).or_default();
            *count = count.saturating_add(warning.count.max(1));
        }
        for (what, count) in repaired {
            let times = if count > 1 { format!(", {count} times") } else { String::new() };
            self.warn(Code::Repaired, Target::File, format!("A part of the file was repaired: {what}{times}."));
        }
        let metres = self.scene.settings.unit_meters;
        if (metres - CENTIMETRE).abs() > 1e-9 {
            let unit = format!(
                "Lengths in the file are in units of {} m; they were converted to metres",
                text::number(metres)
            );
            let message = format!("{unit}. Programs that assume centimetres show another size.");
            self.warn(Code::UnusualUnit, Target::File, message);
        }
        self.warn_of_scale(hierarchy);
        self.warn_of_rotation_orders(hierarchy);
        self.warn_of_binds(hierarchy);
        self.warn_of_moved_meshes(hierarchy);
        self.warn_of_unread_motion(&describe(constraints, hierarchy));
        self.warn_of_undrawn_content();
    }

    fn sources(&self, hierarchy: &Hierarchy, is: impl Fn(&Node) -> bool) -> Vec<usize> {
        let nodes = self.scene.nodes.iter().filter(|node| is(node));
        nodes.filter_map(|node| index(hierarchy, node)).map(|node| hierarchy.source(node)).collect()
    }

    /// Warns about these nodes, if there are any. The message is their number, the verb for one or for several nodes, and
    /// `what`.
    fn warn_about_nodes(&self, code: Code, nodes: Vec<usize>, (verbs, what): ([&str; 2], &str)) {
        if !nodes.is_empty() {
            let [one, many] = verbs;
            let message = format!(
                "{} {} {what}.",
                counted(nodes.len(), "node", "nodes"),
                if nodes.len() == 1 { one } else { many }
            );
            self.warn(code, Target::for_nodes(nodes), message);
        }
    }

    fn warn_of_scale(&self, hierarchy: &Hierarchy) {
        let is_freed = |node: &Node| {
            let parent = node.parent.as_ref();
            let is_scaled = parent.is_some_and(|p| p.is_scale_compensate_parent || p.scale_helper.is_some());
            node.original_inherit_mode != InheritMode::Normal && is_scaled && !node.is_scale_helper
        };
        let nodes = self.sources(hierarchy, is_freed);
        let what = "the scale of the parent (scale compensation); engines without scale compensation show such nodes too large or too small";
        self.warn_about_nodes(Code::ScaleNotInherited, nodes, (["does not inherit", "do not inherit"], what));
    }

    fn warn_of_rotation_orders(&self, hierarchy: &Hierarchy) {
        let other = |node: &Node| !matches!(node.rotation_order, RotationOrder::Xyz | RotationOrder::Spheric);
        let nodes = self.sources(hierarchy, other);
        let what = "in an order other than FBX's XYZ (Rz * Ry * Rx); rotations are right here, but not in programs that ignore the order";
        self.warn_about_nodes(Code::RotationOrder, nodes, (["rotates", "rotate"], what));
        let nodes = self.sources(hierarchy, |node| node.rotation_order == RotationOrder::Spheric);
        let what = "spherical rotation order, which is read as FBX's XYZ (Rz * Ry * Rx)";
        self.warn_about_nodes(Code::RotationOrder, nodes, (["has", "have"], what));
    }

    fn warn_of_binds(&self, hierarchy: &Hierarchy) {
        let count = self.scene.skin_clusters.iter().filter(|cluster| cluster.bone_node.is_none()).count();
        if count > 0 {
            let message = format!(
                "{} no joint; such weights are lost.",
                counted(count, "cluster of skins has", "clusters of skins have")
            );
            self.warn(Code::ClusterWithoutJoint, Target::File, message);
        }
        let poses = self.scene.poses.iter().filter(|pose| pose.is_bind_pose).flat_map(|pose| &pose.bone_poses);
        let posed: BTreeMap<u32, _> = poses
            .take(MAX_POSES)
            .map(|pose| (pose.bone_node.element.element_id, affine(&pose.bone_to_world)))
            .collect();
        let bound = self.scene.skin_clusters.iter().filter_map(|cluster| {
            let node = cluster.bone_node.as_ref()?;
            // If a helper node has the scale of a joint, the cluster refers to the helper.
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
            let joints = counted(nodes.len(), "joint", "joints");
            let places = format!("The bind pose of the file and the skins place {joints} differently");
            let message = format!("{places}, by up to {distance:.4} m; the skins count.");
            self.warn(Code::BindPosesDiffer, Target::for_nodes(nodes), message);
        }
    }

    /// Warns about skinned meshes whose nodes moved after binding. In Maya, this motion also moves the vertices.
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
            let meshes = counted(nodes.len(), "skinned mesh is", "skinned meshes are");
            let drawn = "Skin is drawn where its joints are, as engines do";
            let moved = format!("{meshes} not where the skin was bound, by up to {distance:.4} m");
            let message = format!("{moved}. {drawn}; Maya adds the motion of the mesh's own node.");
            self.warn(Code::SkinnedNodeMoved, Target::for_nodes(nodes), message);
        }
    }

    fn warn_of_unread_motion(&self, follows: &str) {
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
            let baked = if follows.is_empty() {
                String::new()
            } else {
                format!("{follows}; programs that write FBX bake constraints into clips. ")
            };
            let message = format!("Not evaluated: {}. {baked}What they move stays as it is stored.", listed(kinds));
            self.warn(Code::NotEvaluated, Target::File, message);
        }
    }

    fn warn_of_undrawn_content(&self) {
        let scene = self.scene;
        let of_type = |wanted: &[ElementType]| scene.elements.iter().filter(|e| wanted.contains(&e.type_)).count();
        if scene.lights.count > 0 {
            self.report.warn(ImportWarning::lights_ignored(scene.lights.count));
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
            let warning = ImportWarning::new(Code::NotShown, Target::File, format!("{count} {what} are not shown."));
            self.report.warn(warning.with_scope(WarningScope::Appearance));
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
            let what = format!(" also moves properties that are not played: {}.", listed(properties));
            self.warn_of_content(number, &clip.name, &what);
        }
    }
}

fn listed(kinds: BTreeMap<String, usize>) -> String {
    let phrases: Vec<String> = kinds.into_iter().take(16).map(|(kind, count)| format!("{kind} ({count})")).collect();
    phrases.join(", ")
}

fn named(name: &str, otherwise: &str) -> String {
    let name = name.trim();
    short(if name.is_empty() { otherwise } else { name })
}
