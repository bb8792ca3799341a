//! Merges findings of lint and import.

use crate::analysis::lint::{Code, Finding, NodeList, Severity, Target, lint};
use crate::import::{ChannelFault, FbxWarning, ImportWarning, Place, TextureFault, UnskinnedReason};
use crate::jobs::Progress;
use crate::rig::{Rig, VertexList};

/// Returns all findings of lint and import, most severe first, then by code; `None` if cancelled. *Cost*: that of [`lint`].
pub fn findings(rig: &Rig, warnings: &[ImportWarning], progress: &Progress) -> Option<Vec<Finding>> {
    let mut all: Vec<Finding> = warnings.iter().map(import_finding).collect();
    all.extend(lint(rig, progress)?);
    for finding in all.iter_mut().filter(|_| !rig.is_gltf) {
        finding.severity = finding.severity.min(finding.code.severity_outside_gltf());
    }
    all.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.code));
    Some(all)
}

/// Converts an import warning to a finding.
pub fn import_finding(warning: &ImportWarning) -> Finding {
    let finding = Finding::new(code(warning), warning.to_string(), target(warning));
    if is_mild(warning) { Finding { severity: Severity::Warning, ..finding } } else { finding }
}

/// True for a warning that conforms to the format although its code is an error otherwise: content that exceeds the
/// memory limit or belongs to extensions.
fn is_mild(warning: &ImportWarning) -> bool {
    use ImportWarning as W;
    match warning {
        W::ChannelsSkipped { fault, .. } => {
            matches!(fault, ChannelFault::Path { .. } | ChannelFault::NoNode | ChannelFault::Interpolation { .. })
        }
        W::ExpressionBinds { .. } | W::ExpressionsTooLarge { .. } => true,
        W::Fbx(warning) => matches!(fbx_code(warning), Code::ChannelSkipped | Code::MorphIgnored),
        _ => false,
    }
}

fn code(warning: &ImportWarning) -> Code {
    use ImportWarning as W;
    match warning {
        W::Fbx(warning) => fbx_code(warning),
        W::ExtensionRequired { .. } => Code::ExtensionRequired,
        W::ExtensionIgnored { .. } | W::ExtensionInPart { .. } => Code::ExtensionIgnored,
        W::AgainstRule { .. } | W::AttributesUnknown { .. } => Code::AgainstRule,
        W::SceneRoots { .. } => Code::SceneRootBelow,
        W::MatrixWithTrs { .. } => Code::MatrixWithTrs,
        W::MatrixNotTrs { .. } => Code::MatrixNotTrs,
        W::AttributeFormat { .. } => Code::AttributeFormat,
        W::DirectionsNotUnit { .. } => Code::DirectionsNotUnit,
        W::UnequalTargets { .. } => Code::UnequalTargets,
        W::SkeletonNotRoot { .. } => Code::SkeletonNotRoot,
        W::ChannelsTwice { .. } => Code::ChannelsTwice,
        W::MatrixAnimated { .. } => Code::MatrixAnimated,
        W::HumanBoneTwice { .. } => Code::HumanBoneTwice,
        W::VrmShape { .. } => Code::VrmShape,
        W::Buffer { .. } => Code::DataMissing,
        W::Malformed { .. } | W::HumanBone { .. } | W::OmittedSprings { .. } => Code::Malformed,
        W::TrailingBytes { .. } => Code::TrailingBytes,
        W::ScenesIgnored { .. }
        | W::LightsIgnored { .. }
        | W::LooksIgnored { .. }
        | W::MorphLooksIgnored { .. }
        | W::ExpressionLooks { .. }
        | W::GazeCurves { .. }
        | W::ShadingOfVrm { .. } => Code::NotShown,
        W::Constraint { .. } => Code::ConstraintUnusable,
        W::SceneEmpty | W::NodesOutside { .. } => Code::OutsideScene,
        W::More { .. } => Code::MoreFindings,
        W::Transform { .. } => Code::TransformUnusable,
        W::WeightsRenormalized { .. } => Code::WeightSum,
        W::WeightsZero { .. } => Code::WeightZero,
        W::WeightsInvalid { .. } => Code::WeightInvalid,
        W::JointsOutOfRange { .. } => Code::JointOutOfRange,
        W::UnskinnedReason { reason: UnskinnedReason::NoSkin, .. } => Code::NoSkin,
        W::UnskinnedReason { .. } => Code::DrawnUnskinned,
        W::InfluenceSetIgnored { .. } => Code::InfluenceSetIgnored,
        W::SkinSkipped { .. } => Code::SkinSkipped,
        W::JointsOutside { .. } => Code::JointOutside,
        W::InverseBindsMissing { .. } => Code::BindsTooFew,
        W::InverseBindsAbsent { .. } => Code::BindsAbsent,
        W::InverseBindsIgnored { .. } | W::InverseBindsNotFinite { .. } => Code::BindsUnreadable,
        W::InverseBindsNotAffine { .. } => Code::BindNotAffine,
        W::RotationsNotUnit { .. } => Code::RotationNotUnit,
        W::PrimitiveSkipped { .. } | W::InstanceSkipped { .. } => Code::PrimitiveSkipped,
        W::AttributeIgnored { .. } | W::TexCoordsMissing { .. } => Code::AttributeIgnored,
        W::NotFinite { .. } => Code::VertexNotFinite,
        W::IndicesLeftOver { .. } => Code::IndicesLeftOver,
        W::MorphTargetIgnored { .. }
        | W::MorphWeights { .. }
        | W::ExpressionBinds { .. }
        | W::ExpressionsTooLarge { .. } => Code::MorphIgnored,
        W::ChannelsSkipped { fault: ChannelFault::TimesOrder { .. }, .. } => Code::KeyTimesOrder,
        W::ChannelsSkipped { .. } => Code::ChannelSkipped,
        W::KeysAtOneTime { .. } => Code::KeyTimesRepeat,
        W::TextureReplaced { fault: TextureFault::Source { .. } | TextureFault::NoImage, .. }
        | W::TextureLeftOut { fault: TextureFault::Source { .. } | TextureFault::NoImage, .. } => Code::ImageMissing,
        W::TextureReplaced { .. } | W::TextureLeftOut { .. } => Code::TextureReplaced,
        W::ImageShrunk { .. } => Code::ImageShrunk,
    }
}

fn target(warning: &ImportWarning) -> Target {
    use ImportWarning as W;
    match warning {
        W::Fbx(warning) => fbx_target(warning),
        W::WeightsRenormalized { place, vertices, .. }
        | W::WeightsZero { place, vertices }
        | W::WeightsInvalid { place, vertices }
        | W::JointsOutOfRange { place, vertices, .. }
        | W::DirectionsNotUnit { place, vertices, .. }
        | W::NotFinite { place, vertices, .. } => primitive(place, vertices.clone()),
        W::PrimitiveSkipped { place, .. }
        | W::AttributeIgnored { place, .. }
        | W::AttributesUnknown { place }
        | W::AttributeFormat { place, .. }
        | W::UnequalTargets { place, .. }
        | W::IndicesLeftOver { place, .. }
        | W::UnskinnedReason { place, .. }
        | W::InfluenceSetIgnored { place, .. }
        | W::MorphTargetIgnored { place, .. }
        | W::MorphLooksIgnored { place }
        | W::TexCoordsMissing { place, .. } => primitive(place, VertexList::default()),
        W::Transform { node, .. }
        | W::InstanceSkipped { node, .. }
        | W::MorphWeights { node, .. }
        | W::Constraint { node, .. } => Target::of_nodes([*node]),
        W::SceneRoots { nodes }
        | W::MatrixWithTrs { nodes }
        | W::MatrixNotTrs { nodes }
        | W::RotationsNotUnit { nodes }
        | W::JointsOutside { nodes, .. } => Target::of_nodes(nodes.iter().copied()),
        W::SkinSkipped { skin, .. }
        | W::SkeletonNotRoot { skin, .. }
        | W::InverseBindsMissing { skin, .. }
        | W::InverseBindsAbsent { skin }
        | W::InverseBindsNotAffine { skin, .. }
        | W::InverseBindsIgnored { skin, .. }
        | W::InverseBindsNotFinite { skin, .. } => Target::Skin(*skin),
        W::ChannelsSkipped { number, .. }
        | W::ChannelsTwice { number, .. }
        | W::MatrixAnimated { number, .. }
        | W::KeysAtOneTime { number, .. } => Target::Clip { clip: *number, nodes: NodeList::default() },
        W::TextureReplaced { material, .. } | W::TextureLeftOut { material, .. } => Target::Material(*material),
        W::ExtensionIgnored { .. }
        | W::ExtensionInPart { .. }
        | W::ExtensionRequired { .. }
        | W::AgainstRule { .. }
        | W::HumanBoneTwice { .. }
        | W::VrmShape { .. }
        | W::TrailingBytes { .. }
        | W::Buffer { .. }
        | W::Malformed { .. }
        | W::HumanBone { .. }
        | W::ShadingOfVrm { .. }
        | W::ExpressionBinds { .. }
        | W::ExpressionsTooLarge { .. }
        | W::ExpressionLooks { .. }
        | W::GazeCurves { .. }
        | W::OmittedSprings { .. }
        | W::SceneEmpty
        | W::ScenesIgnored { .. }
        | W::NodesOutside { .. }
        | W::LooksIgnored { .. }
        | W::ImageShrunk { .. }
        | W::LightsIgnored { .. }
        | W::More { .. } => Target::File,
    }
}

fn fbx_code(warning: &FbxWarning) -> Code {
    use FbxWarning as W;
    match warning {
        W::Repaired { .. } => Code::Repaired,
        W::Unit { .. } => Code::UnusualUnit,
        W::FollowMesh { .. } => Code::WeightZero,
        W::SeveralSkins { .. } => Code::SeveralSkins,
        W::ClustersWithoutJoint { .. } => Code::ClusterWithoutJoint,
        W::BindPosesDiffer { .. } => Code::BindPosesDiffer,
        W::ScaleNotInherited { .. } => Code::ScaleNotInherited,
        W::RotationOrders { .. } | W::SphericRotation { .. } => Code::RotationOrder,
        W::NotEvaluated { .. } => Code::NotEvaluated,
        W::ShapesTooLarge { .. } => Code::MorphIgnored,
        W::TexCoordsMissing { .. } => Code::AttributeIgnored,
        W::FacesIgnored { .. } | W::HiddenMeshes { .. } | W::LevelsHidden { .. } | W::NotDrawn { .. } => Code::NotShown,
        W::KeysRefused { .. } => Code::KeyTimesOrder,
        W::MovedAfterBinding { .. } => Code::SkinnedNodeMoved,
        W::ClipSkipped { .. } | W::ChannelsUnusable { .. } | W::PropertiesNotPlayed { .. } | W::TakeRange { .. } => {
            Code::ChannelSkipped
        }
    }
}

fn fbx_target(warning: &FbxWarning) -> Target {
    use FbxWarning as W;
    match warning {
        W::FollowMesh { place, vertices } => primitive(place, vertices.clone()),
        W::TexCoordsMissing { place } | W::FacesIgnored { place, .. } => primitive(place, VertexList::default()),
        W::HiddenMeshes { nodes }
        | W::ScaleNotInherited { nodes }
        | W::RotationOrders { nodes }
        | W::SphericRotation { nodes }
        | W::MovedAfterBinding { nodes, .. }
        | W::BindPosesDiffer { nodes, .. } => Target::of_nodes(nodes.iter().copied()),
        W::KeysRefused { number, .. }
        | W::ClipSkipped { number, .. }
        | W::ChannelsUnusable { number, .. }
        | W::TakeRange { number, .. }
        | W::PropertiesNotPlayed { number, .. } => Target::Clip { clip: *number, nodes: NodeList::default() },
        W::Repaired { .. }
        | W::Unit { .. }
        | W::SeveralSkins { .. }
        | W::ClustersWithoutJoint { .. }
        | W::LevelsHidden { .. }
        | W::NotEvaluated { .. }
        | W::NotDrawn { .. }
        | W::ShapesTooLarge { .. } => Target::File,
    }
}

fn primitive(place: &Place, vertices: VertexList) -> Target {
    Target::Primitive { mesh: place.mesh, primitive: place.primitive, vertices, joint: None }
}
