//! *Source*: `specification/0.0/README.md` of the VRM specification and its schemas. No key is required, but the values
//! of present keys must be valid. Exporters write -1 where there is no index.

use std::collections::HashSet;
use std::iter;

use super::at::JsonCursor;
use super::scene::Scene;
use crate::import::gltf::expressions::ZERO_PRESETS;
use crate::import::gltf::vrm_meta::LICENCES;

pub(super) fn meta(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    let meta = vrm.get("meta");
    for key in ["title", "version", "author", "contactInformation", "reference", "otherPermissionUrl"] {
        meta.get(key).text();
    }
    meta.get("texture").index_or_none(scene.document.textures.len(), "textures");
    meta.get("allowedUserName").one_of(&["OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"]);
    for key in ["violentUssageName", "sexualUssageName", "commercialUssageName"] {
        meta.get(key).one_of(&["Disallow", "Allow"]);
    }
    let other = meta.get("otherLicenseUrl");
    let is_given = other.text().is_some_and(|text| !text.trim().is_empty());
    if meta.get("licenseName").one_of(&LICENCES.iter().map(|(licence, _)| *licence).collect::<Vec<_>>())
        == Some("Other")
        && !is_given
    {
        other.report("is missing, and the licence is Other");
    }
}

pub(super) fn expressions(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    let mut ids = HashSet::new();
    let presets: Vec<&str> = iter::once("unknown").chain(ZERO_PRESETS.iter().map(|(zero, _)| *zero)).collect();
    for group in vrm.get("blendShapeMaster").get("blendShapeGroups").items() {
        let name = group.get("name").text().unwrap_or_default();
        let preset = group.get("presetName");
        // The specification's text has capitalized presets, its schema lower-case ones.
        let lower = preset.text().map(str::to_lowercase);
        if lower.as_ref().is_some_and(|lower| !presets.contains(&lower.as_str())) {
            preset.one_of(&presets);
        }
        let id = lower.filter(|lower| lower != "unknown").unwrap_or_else(|| name.to_lowercase());
        if !ids.insert(id) {
            group.report("has the preset or the name of another group");
        }
        for bind in group.get("binds").items() {
            let mesh = bind.get("mesh").index_or_none(scene.document.meshes.len(), "meshes");
            if let Some(morphs) = mesh.map(|mesh| scene.morphs_of_mesh(mesh)) {
                bind.get("index").index_or_none(morphs, "morph targets");
            }
            bind.get("weight").within(&(0.0..=100.0));
        }
        for value in group.get("materialValues").items() {
            value.get("materialName").text();
            value.get("propertyName").text();
            value.get("targetValue").items().for_each(|number| number.number());
        }
    }
}

pub(super) fn look_at(vrm: &JsonCursor<'_>) {
    let person = vrm.get("firstPerson");
    person.get("lookAtTypeName").one_of(&["Bone", "BlendShape"]);
    for key in ["lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown", "lookAtVerticalUp"] {
        let map = person.get(key);
        map.get("curve").items().for_each(|number| number.number());
        map.get("xRange").number();
        map.get("yRange").number();
    }
}

pub(super) fn first_person(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    let person = vrm.get("firstPerson");
    person.get("firstPersonBone").index_or_none(scene.nodes(), "nodes");
    person.get("firstPersonBoneOffset").axes();
    for mesh in person.get("meshAnnotations").items() {
        mesh.get("mesh").index_or_none(scene.document.meshes.len(), "meshes");
        mesh.get("firstPersonFlag").one_of(&["Auto", "FirstPersonOnly", "ThirdPersonOnly", "Both"]);
    }
}

pub(super) fn springs(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    let springs = vrm.get("secondaryAnimation");
    let groups = springs.get("colliderGroups");
    for group in groups.items() {
        group.get("node").index_or_none(scene.nodes(), "nodes");
        for collider in group.get("colliders").items() {
            collider.get("offset").axes();
            collider.get("radius").number();
        }
    }
    let group_count = groups.items().count();
    for spring in springs.get("boneGroups").items() {
        for bone in spring.get("bones").items() {
            bone.index(scene.nodes(), "nodes");
        }
        for group in spring.get("colliderGroups").items() {
            group.index(group_count, "collider groups");
        }
        spring.get("center").index_or_none(scene.nodes(), "nodes");
        spring.get("gravityDir").axes();
        for key in ["stiffiness", "gravityPower", "dragForce", "hitRadius"] {
            spring.get(key).number();
        }
    }
}
