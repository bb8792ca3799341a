use std::collections::BTreeSet;

use super::schema::GltfDocument;
use super::vrm;
use crate::import::report::ImportReport;
use crate::import::warning::short;
use crate::import::{ExtensionSupport, ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Constraint, Springs};

const READ: &[&str] = &[
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    Constraint::EXTENSION,
    Springs::EXTENSION,
    Springs::EXTENDED_COLLIDER,
];

/// Extensions that are read in part, each with the missing feature.
const READ_IN_PART: &[(&str, &str)] = &[("KHR_materials_transmission", "no refraction")];

const NEEDLESS: &[&str] = &["FB_ngon_encoding", "KHR_xmp_json_ld"];

/// Extensions that are reported elsewhere, where they are used.
const WARNED_ELSEWHERE: &[&str] = &["EXT_texture_avif", "KHR_lights_punctual", "MSFT_texture_dds", MTOON];

/// Shading extension of VRM 1.0.
pub(super) const MTOON: &str = "VRMC_materials_mtoon";

pub(super) fn support(name: &str) -> ExtensionSupport {
    match name {
        _ if READ.contains(&name) => ExtensionSupport::Full,
        _ if vrm::NAMES.contains(&name) || lacking(name).is_some() => ExtensionSupport::Partial,
        _ if NEEDLESS.contains(&name) => ExtensionSupport::NotNeeded,
        _ => ExtensionSupport::None,
    }
}

fn lacking(name: &str) -> Option<&'static str> {
    READ_IN_PART.iter().find(|(of, _)| *of == name).map(|(_, effect)| *effect)
}

pub(super) fn warn_of_extensions(document: &GltfDocument, report: &ImportReport) {
    let known = [READ, NEEDLESS, WARNED_ELSEWHERE, &vrm::NAMES];
    let is_news = |name: &str| !known.iter().any(|names| names.contains(&name)) && lacking(name).is_none();
    let warn = |code, name: &str, message: String| {
        let is_of_appearance = ["_materials_", "_texture_", "_lights_"].iter().any(|part| name.contains(part));
        let scope = if is_of_appearance { WarningScope::Appearance } else { WarningScope::Shape };
        report.warn(ImportWarning::new(code, Target::File, message).with_scope(scope));
    };
    let required: BTreeSet<&str> = document.extensions_required.iter().map(String::as_str).collect();
    for name in required.iter().filter(|n| is_news(n)) {
        let file = format!("The file requires the extension {}, which is not read", short(name));
        let message = format!("{file}; what depends on it is wrong or missing.");
        warn(Code::ExtensionRequired, name, message);
    }
    let used: BTreeSet<&str> = document.extensions_used.iter().map(String::as_str).collect();
    for (name, effect) in used.union(&required).filter_map(|name| Some((*name, lacking(name)?))) {
        let message = format!("The extension {} is read in part; {effect}.", short(name));
        warn(Code::ExtensionIgnored, name, message);
    }
    for name in used.difference(&required).filter(|n| is_news(n)) {
        let is_material = name.contains("_materials_");
        let effect = if is_material { "surfaces may look different" } else { "what it describes is missing" };
        warn(Code::ExtensionIgnored, name, format!("The extension {} is not read; {effect}.", short(name)));
    }
}
