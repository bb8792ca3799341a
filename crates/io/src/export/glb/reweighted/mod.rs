//! Rewrites a glTF file with new weights. Unchanged values keep their exact JSON text. New bytes are appended to the
//! binary chunk. Unused accessors are kept, so indices do not change.

mod draft;
mod embedding;
mod json_text;
mod slots;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::buffer::glb_file;
use crate::export::{ExportError, ExportFile};
use crate::import::RawGltf;
use draft::{Draft, DraftOutput};
use json_text::{Members, elements, list_text};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Influences, Rig, WeightSet};
use rigscope_core::text::counted;
use slots::{SetFormat, WeightType, is_of_set};

type Changes<'a> = BTreeMap<usize, BTreeMap<usize, &'a Influences>>;

/// Rewrites a stored file as a `.glb` with new joints and weights. `rig` must be the rig imported from this file.
/// Primitives without new weights keep their accessors.
///
/// 8-bit joint indices keep their size if the new indices fit; otherwise they become 16-bit. Weights keep their
/// component type. Joints and weights are removed from Draco-compressed data. External buffers and images are embedded;
/// unreadable ones are reported and stay external.
///
/// *Errors*: [`ExportError::Stored`] if the file is not the imported one or its binary chunk is truncated;
/// [`ExportError::TooLarge`], [`ExportError::Cancelled`].
pub fn reweighted_glb(
    stored: RawGltf,
    rig: &Rig,
    weights: &WeightSet,
    progress: &Progress,
) -> Result<ExportFile, ExportError> {
    let RawGltf { json, binary, linked, further_chunks } = stored;
    let document = Members::parse(&json)?;
    let mut draft = Draft::new(&document, binary)?;
    embedding::buffers(&mut draft, &linked)?;
    let mut images = document.get("images").map(elements).transpose()?.unwrap_or_default();
    embedding::images(&mut draft, &mut images, &linked)?;
    let changes = changes(rig, weights);
    progress.begin(changes.values().map(BTreeMap::len).sum());
    let mut meshes = document.get("meshes").map(elements).transpose()?.unwrap_or_default();
    let mut written = Vec::new();
    for (mesh, changes) in changes {
        let text = meshes.get_mut(mesh).ok_or_else(|| stored_fault(format!("it has no mesh {mesh}")))?;
        *text = Cow::Owned(with_primitives(text, (mesh, &changes), &mut draft, &mut written, progress)?);
    }
    let texts = [("meshes", meshes), ("images", images)].into_iter().filter(|(_, texts)| !texts.is_empty());
    let texts: Vec<(&str, String)> = texts.map(|(list, texts)| (list, list_text(&texts))).collect();
    if further_chunks > 0 {
        draft.losses.push(format!(
            "{} that glTF does not define {} left out",
            counted(further_chunks, "chunk of a kind", "chunks of kinds"),
            if further_chunks == 1 { "was" } else { "were" }
        ));
    }
    let DraftOutput { lists, losses, binary } = draft.finish()?;
    let mut document = document;
    for (list, text) in lists.into_iter().chain(texts) {
        document.set(list, text);
    }
    let bytes = glb_file(document.into_text().into_bytes(), binary)?;
    Ok(ExportFile { bytes, left_out: losses, ..ExportFile::default() })
}

fn stored_fault(what: String) -> ExportError {
    ExportError::Stored { what }
}

fn changes<'a>(rig: &Rig, weights: &'a WeightSet) -> Changes<'a> {
    let mut changes = Changes::new();
    for (mesh, primitive, influences) in weights.iter() {
        let Some(mesh) = rig.meshes.get(mesh) else { continue };
        let Some(primitive) = mesh.primitives.get(primitive) else { continue };
        if primitive.influences.as_ref().is_some_and(|own| own.len() == influences.len()) {
            changes.entry(mesh.source).or_default().insert(primitive.source, influences);
        }
    }
    changes
}

struct WeightAccessors<'a> {
    before: Option<usize>,
    influences: &'a Influences,
    accessors: Vec<[usize; 2]>,
}

fn with_primitives<'a>(
    text: &str,
    (mesh, changes): (usize, &BTreeMap<usize, &'a Influences>),
    draft: &mut Draft<'_>,
    written: &mut Vec<WeightAccessors<'a>>,
    progress: &Progress,
) -> Result<String, ExportError> {
    let mut members = Members::parse(text)?;
    let mut primitives = members.get("primitives").map(elements).transpose()?.unwrap_or_default();
    for (&number, &influences) in changes {
        progress.check_cancelled().ok_or(ExportError::Cancelled)?;
        let lacking = || stored_fault(format!("mesh {mesh} has no primitive {number}"));
        let primitive = primitives.get_mut(number).ok_or_else(lacking)?;
        *primitive = Cow::Owned(with_sets(primitive, influences, draft, written)?);
        progress.add(1);
    }
    members.set("primitives", list_text(&primitives));
    Ok(members.into_text())
}

fn with_sets<'a>(
    text: &str,
    influences: &'a Influences,
    draft: &mut Draft<'_>,
    written: &mut Vec<WeightAccessors<'a>>,
) -> Result<String, ExportError> {
    let mut primitive = Members::parse(text)?;
    let lacking = || stored_fault("a primitive has no attributes".to_owned());
    let mut attributes = Members::parse(primitive.get("attributes").ok_or_else(lacking)?)?;
    let number = |name: &str| attributes.get(name).and_then(|text| text.parse::<usize>().ok());
    let (joints, weights) = (number("JOINTS_0"), number("WEIGHTS_0"));
    if number("POSITION").and_then(|at| draft.accessor_number(at, "count")) != Some(influences.len() as u64) {
        return Err(stored_fault("a primitive has another number of vertices than when it was opened".to_owned()));
    }
    let known = written.iter().find(|known| known.before == joints && known.influences == influences);
    let accessors = if let Some(known) = known {
        known.accessors.clone()
    } else {
        let component = |accessor: Option<usize>| draft.accessor_number(accessor?, "componentType");
        let format = SetFormat {
            are_joints_bytes: component(joints) == Some(5121) && influences.joint_count() <= 256,
            weights: WeightType::from_component(component(weights)),
        };
        let accessors: Vec<[usize; 2]> = slots::sets(influences, format, draft);
        written.push(WeightAccessors { before: joints, influences, accessors: accessors.clone() });
        accessors
    };
    attributes.retain(|name| !is_of_set(name, accessors.len()..));
    for (set, [joints, weights]) in accessors.iter().enumerate() {
        attributes.set(&format!("JOINTS_{set}"), joints.to_string());
        attributes.set(&format!("WEIGHTS_{set}"), weights.to_string());
    }
    primitive.set("attributes", attributes.into_text());
    if let Some(extensions) = primitive.get("extensions") {
        let extensions = without_compressed_sets(extensions)?;
        primitive.set("extensions", extensions);
    }
    Ok(primitive.into_text())
}

fn without_compressed_sets(text: &str) -> Result<String, ExportError> {
    const DRACO: &str = "KHR_draco_mesh_compression";
    let mut extensions = Members::parse(text)?;
    let Some(draco) = extensions.get(DRACO) else { return Ok(text.to_owned()) };
    let mut draco = Members::parse(draco)?;
    if let Some(attributes) = draco.get("attributes") {
        let mut attributes = Members::parse(attributes)?;
        attributes.retain(|name| !is_of_set(name, 0..));
        draco.set("attributes", attributes.into_text());
    }
    extensions.set(DRACO, draco.into_text());
    Ok(extensions.into_text())
}
