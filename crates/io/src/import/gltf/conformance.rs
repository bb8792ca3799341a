//! Warns about violations of glTF that Rigscope tolerates but stricter programs reject, in skeletons, skins, meshes,
//! morph targets, clips and their accessors. *Source*: glTF 2.0, 3.4 to 3.11, and `KHR_mesh_quantization`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use glam::{DVec3, DVec4, Mat4};
use gltf::json::accessor::{BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT};
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use gltf::json::{Index, Node};

use super::accessor::component_size;
use super::loader::GltfLoader;
use super::schema::{self, Accessor, Attributes, GltfPrimitive, Lenient, Shape, View, number, size, valid};
use crate::import::warning::PrimitiveLocation;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};

/// Tolerance for matrices: maximum cosine of the angle between two axes, and maximum error of the last row.
const ROUNDING: f64 = 1e-4;

impl GltfLoader<'_> {
    /// Warns about violations in the document; data is checked where it is read. *Cost*: linear in the document.
    pub(super) fn warn_of_conformance(&self) {
        self.warn_of_nodes();
        self.warn_of_lists();
        for (index, accessor) in self.source.document.accessors.iter().enumerate() {
            if let Some(accessor) = accessor.valid() {
                self.warn_of_accessor(index, accessor);
            }
        }
        let mut views = BTreeMap::new();
        for (mesh, described) in self.source.document.meshes.iter().enumerate() {
            let primitives = described.valid().map(|mesh| &mesh.primitives).into_iter().flatten();
            for (primitive, described) in primitives.enumerate() {
                if let Some(described) = described.valid() {
                    self.warn_of_primitive(&self.source.location(mesh, primitive), described, &mut views);
                }
            }
        }
        let is_shared = |accessors: &&BTreeSet<usize>| accessors.len() > 1;
        for accessor in views.values().filter(is_shared).filter_map(BTreeSet::first) {
            self.against(GltfRule::SharedView, *accessor);
        }
        self.warn_of_clip_accessors();
    }

    pub(super) fn warn_violation(&self, rule: GltfRule, object: impl FnOnce() -> String) {
        self.report.warn_violation(rule as usize, rule.problem(), object);
    }

    fn against(&self, rule: GltfRule, accessor: usize) {
        self.warn_violation(rule, || format!("Accessor {accessor}"));
    }

    fn view(&self, accessor: &Accessor) -> Option<&View> {
        valid(&self.source.document.buffer_views, accessor.buffer_view?)
    }

    fn warn_of_nodes(&self) {
        let all = || self.source.document.nodes.iter().enumerate();
        let numbers = |is: fn(&Node) -> bool| -> Vec<usize> {
            all().filter(|(_, node)| is(node)).map(|(index, _)| index).collect()
        };
        let with_trs = numbers(|node| {
            node.matrix.is_some() && (node.translation.is_some() || node.rotation.is_some() || node.scale.is_some())
        });
        let not_trs = numbers(|node| node.matrix.is_some_and(|matrix| !is_trs(&matrix)));
        let below: HashSet<usize> = all().flat_map(|(_, n)| n.children.iter().flatten().map(Index::value)).collect();
        let roots = self.source.document.scenes.iter().flat_map(|scene| &scene.nodes);
        let roots: BTreeSet<usize> = roots.copied().filter(|root| below.contains(root)).collect();
        for (code, nodes, [before, after]) in [
            (
                Code::MatrixWithTrs,
                with_trs,
                ["given by a matrix and by translation, rotation or scale too,", "; the matrix counts"],
            ),
            (
                Code::MatrixNotTrs,
                not_trs,
                ["given by a matrix that is not a product of translation, rotation and scale,", ""],
            ),
            (Code::SceneRootBelow, Vec::from_iter(roots), ["in the list of a scene, and below another node:", ""]),
        ] {
            let Some(&first) = nodes.first() else { continue };
            let are = if nodes.len() == 1 { "1 node is".to_owned() } else { format!("{} nodes are", nodes.len()) };
            let message = format!("{are} {before} first node {first}{after}.");
            let warning = ImportWarning::new(code, Target::for_nodes(nodes), message);
            let is_formal = code == Code::SceneRootBelow;
            self.report.warn(if is_formal { warning.with_scope(WarningScope::Conformance) } else { warning });
        }
        for (index, node) in all() {
            let rules = [
                (GltfRule::EmptyChildren, node.children.as_ref().is_some_and(Vec::is_empty)),
                (GltfRule::SkinWithoutMesh, node.skin.is_some() && node.mesh.is_none()),
                (GltfRule::WeightsWithoutMesh, node.weights.is_some() && node.mesh.is_none()),
            ];
            for (rule, _) in rules.into_iter().filter(|(_, is_broken)| *is_broken) {
                self.warn_violation(rule, || format!("Node {index}"));
            }
        }
    }

    fn warn_of_lists(&self) {
        for (index, skin) in self.source.document.skins.iter().enumerate() {
            if skin.valid().is_some_and(|skin| repeats(skin.joints.iter().map(Index::value))) {
                self.warn_violation(GltfRule::JointOnce, || format!("Skin {index}"));
            }
            let binds = skin.valid().and_then(|skin| number(skin.inverse_bind_matrices));
            self.warn_of_stride(binds);
        }
        for (index, scene) in self.source.document.scenes.iter().enumerate() {
            if repeats(scene.nodes.iter().copied()) {
                self.warn_violation(GltfRule::RootOnce, || format!("Scene {index}"));
            }
        }
    }

    fn warn_of_accessor(&self, index: usize, accessor: &Accessor) {
        let component = component_size(accessor.component_type);
        let start = self.start(accessor);
        let is_matrix = matches!(accessor.shape, Checked::Valid(Shape::Mat2 | Shape::Mat3 | Shape::Mat4));
        let unit = if is_matrix { component.max(4) } else { component };
        if start.is_some_and(|start| !start.is_multiple_of(unit)) || !accessor.byte_offset.is_multiple_of(component) {
            self.against(GltfRule::Alignment, index);
        }
        if accessor.normalized && matches!(accessor.component_type, UNSIGNED_INT | FLOAT) {
            self.against(GltfRule::Normalized, index);
        }
    }

    fn start(&self, accessor: &Accessor) -> Option<usize> {
        Some(self.view(accessor)?.byte_offset.map_or(0, size).saturating_add(accessor.byte_offset))
    }

    fn warn_of_stride(&self, accessor: Option<usize>) {
        let Some(index) = accessor else { return };
        let view = self.source.accessor(index).ok().and_then(|accessor| self.view(accessor));
        if view.is_some_and(|view| view.byte_stride.is_some()) {
            self.against(GltfRule::Stride, index);
        }
    }

    /// Warns about violations of a primitive. For each buffer view without a stride, `views` collects its vertex
    /// accessors.
    fn warn_of_primitive(
        &self,
        location: &PrimitiveLocation,
        primitive: &GltfPrimitive,
        views: &mut BTreeMap<usize, BTreeSet<usize>>,
    ) {
        if super::draco::is_compressed(primitive) {
            return;
        }
        self.warn_of_stride(primitive.indices);
        self.warn_of_sets(location, &primitive.attributes);
        let position = primitive.attributes.get(&Checked::Valid(Semantic::Positions)).copied();
        self.warn_without_bounds(position);
        let targets = primitive.targets.iter().filter_map(Lenient::valid);
        if targets.clone().flat_map(Attributes::keys).any(|name| !primitive.attributes.contains_key(name)) {
            self.warn_violation(GltfRule::TargetAttributes, || location.to_string());
        }
        let of_targets = targets.flat_map(|target| target.iter().map(|entry| (entry, true)));
        for ((name, &index), is_target) in primitive.attributes.iter().map(|entry| (entry, false)).chain(of_targets) {
            let (Checked::Valid(name), Ok(accessor)) = (name, self.source.accessor(index)) else { continue };
            self.warn_of_vertices(index, accessor, views);
            let is_allowed = is_allowed(name, is_target, self.is_quantized(), accessor);
            if !is_allowed && component_size(accessor.component_type) > 0 {
                let attribute = name.to_string() + if is_target { " of a morph target" } else { "" };
                let stored = format!("{location}: {attribute} is stored as {}", format_name(accessor));
                let message = format!("{stored}, which glTF does not allow for it.");
                let warning = ImportWarning::new(Code::AttributeFormat, location.target(), message);
                self.report.warn(warning.with_scope(WarningScope::Conformance));
            }
        }
    }

    fn is_quantized(&self) -> bool {
        self.source.document.extensions_used.iter().any(|name| name == "KHR_mesh_quantization")
    }

    fn warn_of_vertices(&self, index: usize, accessor: &Accessor, views: &mut BTreeMap<usize, BTreeSet<usize>>) {
        let (Some(view), Some(start), Some(number)) = (self.view(accessor), self.start(accessor), accessor.buffer_view)
        else {
            return;
        };
        let Checked::Valid(shape) = accessor.shape else { return };
        let (rows, columns) = super::accessor::rows_and_columns(shape);
        let element = rows.saturating_mul(columns).saturating_mul(component_size(accessor.component_type));
        let stride = view.byte_stride.map_or(element, |stride| stride.0);
        if [start, stride].into_iter().any(|bytes| !bytes.is_multiple_of(4)) {
            self.against(GltfRule::VertexAlignment, index);
        }
        if view.byte_stride.is_none() {
            views.entry(number).or_default().insert(index);
        }
    }

    /// Warns about gaps in set numbers, such as `JOINTS_1` without `JOINTS_0`.
    fn warn_of_sets(&self, location: &PrimitiveLocation, attributes: &Attributes) {
        let mut sets: BTreeMap<u8, (u32, u32)> = BTreeMap::new();
        for name in attributes.keys() {
            let (kind, number) = match name {
                Checked::Valid(Semantic::Colors(n)) => (0, *n),
                Checked::Valid(Semantic::TexCoords(n)) => (1, *n),
                Checked::Valid(Semantic::Joints(n)) => (2, *n),
                Checked::Valid(Semantic::Weights(n)) => (3, *n),
                _ => continue,
            };
            let (count, largest) = sets.entry(kind).or_default();
            (*count, *largest) = (count.saturating_add(1), number.max(*largest));
        }
        if sets.values().any(|(count, largest)| *count != largest.saturating_add(1)) {
            self.warn_violation(GltfRule::SetNumbers, || location.to_string());
        }
    }

    fn warn_without_bounds(&self, index: Option<usize>) {
        let Some((index, accessor)) = index.and_then(|index| Some((index, self.source.accessor(index).ok()?))) else {
            return;
        };
        if [&accessor.min, &accessor.max].into_iter().any(|bound| bound.valid().is_none()) {
            self.against(GltfRule::Bounds, index);
        }
    }

    fn warn_of_clip_accessors(&self) {
        let mut seen = HashSet::new();
        for (number, clip) in self.source.document.animations.iter().enumerate() {
            let Some(clip) = clip.valid() else { continue };
            for sampler in clip.samplers.iter().filter_map(Lenient::valid) {
                for index in [sampler.input, sampler.output].into_iter().filter(|index| seen.insert(*index)) {
                    self.warn_of_stride(Some(index));
                    if index == sampler.input {
                        self.warn_without_bounds(Some(index));
                    }
                }
                let keys = self.source.accessor(sampler.input).map_or(2, |times| times.count);
                if sampler.interpolation.as_deref() == Some("CUBICSPLINE") && keys < 2 {
                    self.warn_violation(GltfRule::SplineKeys, || format!("Clip {number}"));
                }
            }
            for channel in clip.channels.iter().filter_map(Lenient::valid) {
                self.warn_of_key_format(clip, channel);
            }
        }
    }

    fn warn_of_key_format(&self, clip: &schema::Animation, channel: &schema::GltfChannel) {
        let Some(sampler) = valid(&clip.samplers, channel.sampler) else { return };
        let Ok(values) = self.source.accessor(sampler.output) else { return };
        let is_fraction = values.normalized && matches!(values.component_type, BYTE..=UNSIGNED_SHORT);
        let is_allowed = match channel.target.path.as_str() {
            "translation" | "scale" => values.component_type == FLOAT,
            "rotation" | "weights" => values.component_type == FLOAT || is_fraction,
            _ => true,
        };
        if !is_allowed {
            self.against(GltfRule::KeyFormat, sampler.output);
        }
    }

    pub(super) fn warn_of_bounds<const N: usize>(&self, index: usize, values: &[[f32; N]]) {
        let Ok(accessor) = self.source.accessor(index) else { return };
        let (Some(min), Some(max)) = (accessor.min.valid(), accessor.max.valid()) else { return };
        let is_stored = accessor.component_type == FLOAT
            && !accessor.normalized
            && accessor.buffer_view.is_some_and(|view| !self.source.is_compressed(view));
        if !is_stored || values.is_empty() || min.len() != N || max.len() != N {
            return;
        }
        let mut found = [[f32::INFINITY; N], [f32::NEG_INFINITY; N]];
        for value in values {
            let [lowest, highest] = &mut found;
            for ((lowest, highest), x) in lowest.iter_mut().zip(highest.iter_mut()).zip(value) {
                (*lowest, *highest) = (lowest.min(*x), highest.max(*x));
            }
        }
        let same = |declared: &[f64], found: &[f32; N]| declared.iter().zip(found).all(|(d, f)| *d as f32 == *f);
        let [lowest, highest] = &found;
        if !(same(min, lowest) && same(max, highest)) {
            self.against(GltfRule::WrongBounds, index);
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum GltfRule {
    Alignment,
    VertexAlignment,
    Normalized,
    SharedView,
    Stride,
    Bounds,
    WrongBounds,
    Restart,
    SetNumbers,
    TargetAttributes,
    KeyFormat,
    SplineKeys,
    JointOnce,
    RootOnce,
    EmptyChildren,
    SkinWithoutMesh,
    WeightsWithoutMesh,
}

impl GltfRule {
    fn problem(self) -> [&'static str; 2] {
        match self {
            Self::Alignment => [
                "does not start at a multiple of its component size",
                "do not start at a multiple of their component size",
            ],
            Self::VertexAlignment => [
                "has vertices that do not start at a multiple of four bytes",
                "have vertices that do not start at a multiple of four bytes",
            ],
            Self::Normalized => [
                "is normalized, which floats and 32-bit integers cannot be",
                "are normalized, which floats and 32-bit integers cannot be",
            ],
            Self::SharedView => [
                "shares its buffer view with another one without a stride",
                "share their buffer views with others without a stride",
            ],
            Self::Stride => [
                "has a stride, which only vertex attributes may have",
                "have a stride, which only vertex attributes may have",
            ],
            Self::Bounds => ["has no bounds (min and max)", "have no bounds (min and max)"],
            Self::WrongBounds => ["has bounds that do not match its data", "have bounds that do not match their data"],
            Self::Restart => [
                "uses the largest index of its type, which is reserved",
                "use the largest index of their type, which is reserved",
            ],
            Self::SetNumbers => {
                ["has attribute sets that are not numbered from 0", "have attribute sets that are not numbered from 0"]
            }
            Self::TargetAttributes => [
                "has a morph target for an attribute that the primitive lacks",
                "have morph targets for attributes that the primitives lack",
            ],
            Self::KeyFormat => [
                "is stored in a format that its use in a clip does not allow",
                "are stored in formats that their use in a clip does not allow",
            ],
            Self::SplineKeys => ["has a spline of a single key", "have splines of a single key"],
            Self::JointOnce => ["lists a joint twice", "list a joint twice"],
            Self::RootOnce => ["lists a node twice", "list a node twice"],
            Self::EmptyChildren => ["has an empty list of children", "have empty lists of children"],
            Self::SkinWithoutMesh => ["has a skin and no mesh", "have a skin and no mesh"],
            Self::WeightsWithoutMesh => ["has morph weights and no mesh", "have morph weights and no mesh"],
        }
    }
}

fn repeats(numbers: impl Iterator<Item = usize>) -> bool {
    let mut seen = HashSet::new();
    !numbers.into_iter().all(|number| seen.insert(number))
}

/// Returns whether a matrix can be decomposed into a TRS with nonzero scale. Accepts non-finite matrices, which cause
/// their own warning.
fn is_trs(matrix: &[f32; 16]) -> bool {
    let matrix = Mat4::from_cols_array(matrix).as_dmat4();
    if !matrix.is_finite() {
        return true;
    }
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec4::truncate);
    let last = matrix.row(3);
    let [a, b, c] = [x, y, z].map(DVec3::normalize_or_zero);
    let is_square = [a.dot(b), b.dot(c), c.dot(a)].into_iter().all(|cosine| cosine.abs() <= ROUNDING);
    let has_room = [x, y, z].into_iter().all(|axis| axis.length() > 0.0);
    last.truncate().abs().max_element() <= ROUNDING && (last.w - 1.0).abs() <= ROUNDING && is_square && has_room
}

/// Returns whether glTF allows an attribute's component type. Shapes are checked where values are read.
fn is_allowed(name: &Semantic, is_target: bool, is_quantized: bool, accessor: &Accessor) -> bool {
    let (component, is_normalized) = (accessor.component_type, accessor.normalized);
    let is_float = component == FLOAT;
    let is_small = matches!(component, BYTE..=UNSIGNED_SHORT);
    let is_signed = matches!(component, BYTE | SHORT);
    let is_unsigned = matches!(component, UNSIGNED_BYTE | UNSIGNED_SHORT);
    match name {
        Semantic::Positions => is_float || is_quantized && if is_target { is_signed } else { is_small },
        Semantic::Normals | Semantic::Tangents => is_float || is_quantized && is_signed && is_normalized,
        Semantic::TexCoords(_) => is_float || is_unsigned && is_normalized || is_quantized && is_small,
        Semantic::Colors(_) => is_float || is_normalized && (is_unsigned || is_target && is_small),
        Semantic::Joints(_) => is_unsigned && !is_normalized,
        Semantic::Weights(_) => is_float || is_unsigned && is_normalized,
        Semantic::Extras(_) => component != UNSIGNED_INT,
    }
}

fn format_name(accessor: &Accessor) -> &'static str {
    match (accessor.component_type, accessor.normalized) {
        (BYTE, true) => "normalized bytes",
        (BYTE, false) => "bytes, not normalized",
        (UNSIGNED_BYTE, true) => "normalized unsigned bytes",
        (UNSIGNED_BYTE, false) => "unsigned bytes, not normalized",
        (SHORT, true) => "normalized 16-bit integers",
        (SHORT, false) => "16-bit integers, not normalized",
        (UNSIGNED_SHORT, true) => "normalized unsigned 16-bit integers",
        (UNSIGNED_SHORT, false) => "unsigned 16-bit integers, not normalized",
        (UNSIGNED_INT, _) => "unsigned 32-bit integers",
        _ => "floats",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_translation_rotation_and_scale_or_not() {
        let columns = |change: &dyn Fn(&mut [f32; 16])| {
            let mut matrix = Mat4::from_scale_rotation_translation(
                glam::Vec3::new(2.0, -3.0, 0.01),
                glam::Quat::from_rotation_x(1.0),
                glam::Vec3::splat(100.0),
            )
            .to_cols_array();
            change(&mut matrix);
            matrix
        };
        assert!(is_trs(&columns(&|_| ())));
        assert!(is_trs(&columns(&|m| m[0] = f32::NAN)), "that has a warning of its own");
        assert!(!is_trs(&columns(&|m| m[3] = 0.5)), "a last row");
        assert!(!is_trs(&columns(&|m| m[1] = 0.01)), "a shear");
        assert!(!is_trs(&columns(&|m| m[..3].fill(0.0))), "no room");
    }
}
