//! Dispatches measures to their functions.

use super::inventory::Inventory;
use super::measurement::Measurements;
use super::{Measure, Rule, counts, skeleton, soles, vrm};
use rigscope_core::rig::VrmComponent;

/// Measures a rig for a rule, once for the file or once per object. Errors are messages for the user.
pub(super) fn measure(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    use Measure as M;
    // Counting meshes that don't exist gives 0. All other measures need the selected objects.
    if !matches!(rule.measure, M::Meshes | M::SkinnedMeshes | M::BasicMeshes) {
        inventory.check_selection(rule)?;
    }
    match rule.measure {
        M::NotInFile => Err("not in this file".to_owned()),
        M::NotRead => Err("not read by Rigscope".to_owned()),
        M::Triangles => counts::triangles(inventory, rule),
        M::MeshTriangles => counts::mesh_triangles(inventory, rule),
        M::MeshMaterials => counts::mesh_materials(inventory, rule),
        M::Vertices => counts::vertices(inventory, rule),
        M::Meshes | M::SkinnedMeshes | M::BasicMeshes => counts::meshes(inventory, rule),
        M::DrawCalls | M::MaterialSlots => counts::slots(inventory, rule),
        M::Materials => counts::materials(inventory, rule),
        M::Textures => counts::textures(inventory, rule),
        M::TextureSide => counts::texture_sides(inventory, rule),
        M::TextureMemory | M::TextureMemoryBc7 | M::TextureMemoryAstc => counts::texture_memory(inventory, rule),
        M::Joints => counts::joints(inventory, rule),
        M::SkinJoints => counts::skin_joints(inventory),
        M::UnusedJoints => counts::unused_joints(inventory),
        M::Influences => counts::influences(inventory, rule),
        M::InfluencedBy => counts::influenced_by(inventory, rule),
        M::UvSets => counts::uv_sets(inventory, rule),
        M::MorphTargets => counts::morph_targets(inventory, rule),
        M::MorphVertices => counts::morph_vertices(inventory, rule),
        M::Clips | M::ClipSeconds | M::ClipFrames | M::ClipRate => counts::clips(inventory, rule),
        M::ClipSeam | M::ClipGap | M::ClipTravel | M::FootSlide => {
            Err("demanded of clips by [[clips]] alone".to_owned())
        }
        M::FileBytes => counts::file_bytes(inventory),
        M::Unit => counts::unit(inventory, rule),
        M::Width | M::Height | M::Depth => counts::extent(inventory, rule),
        M::Soles => soles::soles(inventory, rule),
        M::Front | M::Pose => skeleton::stance(inventory, rule),
        M::ScaledJoints | M::UnevenScales => skeleton::scales(inventory, rule),
        M::TurnedBones | M::ScaledBones => skeleton::bone_transforms(inventory, rule),
        M::Roots | M::RepeatedNames | M::UnpairedNames => skeleton::joints_at_fault(inventory, rule),
        M::Names | M::MissingNames | M::OtherNames => skeleton::names(inventory, rule),
        M::VrmVersion => vrm::version(inventory),
        M::DeclaredBones => vrm::declared_bones(inventory, rule),
        M::SharedBones => vrm::shared_bones(inventory, rule),
        M::ParentlessBones => vrm::parentless_bones(inventory, rule),
        M::VrmMeta => vrm::faults(inventory, rule, VrmComponent::Meta),
        M::VrmExpressions => vrm::faults(inventory, rule, VrmComponent::Expressions),
        M::VrmGaze => vrm::faults(inventory, rule, VrmComponent::Gaze),
        M::VrmFirstPerson => vrm::faults(inventory, rule, VrmComponent::FirstPerson),
        M::VrmSprings => vrm::faults(inventory, rule, VrmComponent::Springs),
        M::VrmConstraints => vrm::faults(inventory, rule, VrmComponent::Constraints),
        M::MissingBones => skeleton::missing_bones(inventory, rule),
        M::MisplacedBones | M::SplitBones | M::LaterChildren => skeleton::misplaced_bones(inventory, rule),
        M::BoneNames => skeleton::bone_names(inventory, rule),
    }
}
