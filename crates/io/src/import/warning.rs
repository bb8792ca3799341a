use std::fmt;

use rigscope_core::findings::{Code, Finding, Severity, Target};
use rigscope_core::rig::VertexList;
use rigscope_core::text::{counted, shortened};

/// Why content cannot be used, as a clause of a message.
pub(super) type Reason = String;

pub(super) const MALFORMED: &str = "it is malformed";

pub(super) const NO_DATA: &str = "it has neither a uri nor data of its own";

pub(super) fn too_many_joints(count: usize) -> Reason {
    format!("it has {count} joints, more than the 65536 that a vertex can refer to")
}

pub(super) const NO_ELEMENTS: &str = "it has too few vertices or indices for one triangle, line or point";

pub(super) const PRIMITIVE_TOO_LARGE: &str = "it would exceed the rest of the memory limit for one file";

/// Describes the read error of a file that changed or disappeared during the import.
#[expect(clippy::needless_pass_by_value, reason = "stands in `map_err`")]
pub(super) fn unread(error: std::io::Error) -> Reason {
    format!("its data cannot be read: {error}")
}

pub(super) fn exceeds_memory(bytes: u64) -> Reason {
    format!("its {bytes} bytes exceed the rest of the memory limit for one file")
}

/// Warning about content that was corrected, ignored or left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportWarning {
    /// The finding; its message states the problem, its location and its effect.
    pub finding: Finding,
    /// Aspect of the character that the warning affects.
    pub scope: WarningScope,
    /// Weight sum that is farthest from 1; only for [`Code::WeightSum`].
    pub worst_sum: Option<f32>,
}

impl ImportWarning {
    /// Creates a warning that affects the shape, with the severity of its code.
    pub fn new(code: Code, target: Target, message: impl Into<String>) -> Self {
        let finding = Finding::new(code, message.into(), target);
        Self { finding, scope: WarningScope::Shape, worst_sum: None }
    }

    pub(super) fn with_scope(self, scope: WarningScope) -> Self {
        Self { scope, ..self }
    }

    /// Lowers the severity to a warning, for content that conforms to the format.
    pub(super) fn lowered(mut self) -> Self {
        self.finding.severity = Severity::Warning;
        self
    }

    /// `kind`: noun that starts the message, such as `Mesh` or `Clip`.
    pub(super) fn malformed(kind: &str, index: usize) -> Self {
        let is_of_appearance = matches!(kind, "Camera" | "Material" | "Sampler");
        let scope = if is_of_appearance { WarningScope::Appearance } else { WarningScope::Shape };
        let message = format!("{kind} {index} is malformed, or does not exist; it was left out.");
        Self::new(Code::Malformed, Target::File, message).with_scope(scope)
    }

    pub(super) fn unusable_transform(node: usize, property: &str) -> Self {
        let message = format!("The {property} of node {node} is not a usable transform; it was left out.");
        Self::new(Code::TransformUnusable, Target::for_nodes([node]), message)
    }

    pub(super) fn primitive_skipped(location: &PrimitiveLocation, reason: &str) -> Self {
        Self::new(Code::PrimitiveSkipped, location.target(), format!("{location} was left out: {reason}."))
    }

    pub(super) fn instance_skipped(node: usize, mesh: usize) -> Self {
        let message = format!(
            "Node {node} was left out: another instance of mesh {mesh} would exceed the memory limit for one file."
        );
        Self::new(Code::PrimitiveSkipped, Target::for_nodes([node]), message)
    }

    pub(super) fn not_finite(location: &PrimitiveLocation, attribute: &str, vertices: VertexList) -> Self {
        let count = counted(vertices.count(), "vertex", "vertices");
        let message = format!("{location}: {attribute} of {count} is not a finite number; it counts as 0.");
        Self::new(Code::VertexNotFinite, location.vertices(vertices), message)
    }

    pub(super) fn skin_skipped(skin: usize, reason: &str) -> Self {
        let message = format!("Skin {skin} was left out: {reason}. Meshes bound to it do not follow the joints.");
        Self::new(Code::SkinSkipped, Target::Skin(skin), message)
    }

    pub(super) fn binds_not_finite(skin: usize, count: usize) -> Self {
        let matrices = counted(count, "inverse bind matrix is", "inverse bind matrices are");
        let message = format!("Skin {skin}: {matrices} not finite; the identity is used instead.");
        Self::new(Code::BindsUnreadable, Target::Skin(skin), message)
    }

    pub(super) fn lights_ignored(count: usize) -> Self {
        let message = format!("{} ignored; the viewer has its own.", counted(count, "light is", "lights are"));
        Self::new(Code::NotShown, Target::File, message).with_scope(WarningScope::Appearance)
    }

    /// `drawn`: texture kinds that are supported. `ignored`: texture kinds that are not, each with the number of
    /// materials that use it.
    pub(super) fn materials_simplified(drawn: &str, ignored: &[(&str, usize)]) -> Self {
        let phrase = |&(what, count): &(&str, usize)| {
            let materials = if count == 1 { "material" } else { "materials" };
            format!("{what} ({count} {materials})")
        };
        let ignored: Vec<String> = ignored.iter().map(phrase).collect();
        let message = format!("Not drawn: {}. Drawn are {drawn}. Surfaces may look different.", ignored.join(", "));
        Self::new(Code::NotShown, Target::File, message).with_scope(WarningScope::Appearance)
    }
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.finding.message)
    }
}

/// Aspect of the character that a warning affects. A command that uses an aspect also uses the aspects listed before
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningScope {
    /// Joints, surfaces and clips.
    Shape,
    /// Vertex colours.
    Colors,
    /// Materials, textures, lights and everything else that only affects rendering.
    Appearance,
    /// Conformance of the file. Rigscope reads everything, but stricter programs may reject the file.
    Conformance,
}

/// Location of a primitive in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PrimitiveLocation {
    pub mesh: usize,
    pub name: String,
    pub primitive: usize,
}

impl PrimitiveLocation {
    pub(super) fn target(&self) -> Target {
        self.vertices(VertexList::default())
    }

    pub(super) fn vertices(&self, vertices: VertexList) -> Target {
        Target::Primitive { mesh: self.mesh, primitive: self.primitive, vertices, joint: None }
    }
}

impl fmt::Display for PrimitiveLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            write!(f, "Mesh {}, primitive {}", self.mesh, self.primitive)
        } else {
            write!(f, "Mesh {} \"{}\", primitive {}", self.mesh, self.name, self.primitive)
        }
    }
}

pub(super) fn short(text: &str) -> String {
    shortened(text, 80)
}

pub(super) fn and_more(others: usize) -> String {
    if others > 0 { format!(" and {others} more") } else { String::new() }
}
