//! Reads the `extras` that are kept for export.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::loader::GltfLoader;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::Extras;

/// Memory of a text in addition to its bytes, approximately.
const ENTRY_BYTES: u64 = 64;

/// Index in the file and JSON of the objects that have `extras`.
type Texts<'a> = Vec<(usize, &'a str)>;

impl GltfLoader<'_> {
    /// Copies the `extras`; leaves them out with a warning if memory is insufficient.
    pub(super) fn extras(&self) -> Extras {
        let document = self.source.document;
        let lists = [
            texts(document.nodes.iter().map(|node| node.extras.as_deref())),
            texts(document.meshes.iter().map(|mesh| mesh.valid()?.extras.text.as_deref())),
            texts(document.skins.iter().map(|skin| skin.valid()?.extras.as_deref())),
            texts(document.materials.iter().map(|material| material.valid()?.extras.as_deref())),
            texts(document.animations.iter().map(|animation| animation.valid()?.extras.as_deref())),
        ];
        let bytes = |(_, text): &(usize, &str)| ENTRY_BYTES.saturating_add(text.len() as u64);
        let bytes = lists.iter().flatten().map(bytes).fold(0, u64::saturating_add);
        if !self.source.charge(bytes) {
            let message = "The extras were not kept: they would exceed the memory limit for one file.";
            let warning = ImportWarning::new(Code::NotShown, Target::File, message.to_owned());
            self.report.warn(warning.with_scope(WarningScope::Appearance));
            return Extras::default();
        }
        let [nodes, meshes, skins, materials, clips] = lists.map(copied);
        Extras { nodes, meshes, skins, materials, clips }
    }
}

fn texts<'a>(list: impl Iterator<Item = Option<&'a RawValue>>) -> Texts<'a> {
    list.enumerate().filter_map(|(number, text)| Some((number, text?.get()))).collect()
}

fn copied(texts: Texts<'_>) -> BTreeMap<usize, String> {
    texts.into_iter().map(|(number, text)| (number, text.to_owned())).collect()
}
