//! Reads the `extras` that are kept for export.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::loader::GltfLoader;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::Extras;

/// Memory of a text in addition to its bytes, approximately.
const ENTRY_BYTES: u64 = 64;

impl GltfLoader<'_> {
    /// Copies the `extras`; leaves them out with a warning if memory is insufficient.
    pub(super) fn extras(&self, scene: Option<usize>) -> Extras {
        let document = self.source.document;
        let lists = [
            texts(document.nodes.iter().map(|node| node.extras.as_deref())),
            texts(document.meshes.iter().map(|mesh| mesh.valid()?.extras.text.as_deref())),
            texts(document.skins.iter().map(|skin| skin.valid()?.extras.as_deref())),
            texts(document.materials.iter().map(|material| material.valid()?.extras.as_deref())),
            texts(document.animations.iter().map(|animation| animation.valid()?.extras.as_deref())),
            texts(document.cameras.iter().map(|camera| camera.valid()?.extras.as_deref())),
        ];
        let primitives = self.primitive_texts();
        let asset = document.asset.as_ref().and_then(|asset| asset.extras.text.as_deref());
        let scene = scene.and_then(|scene| document.scenes.get(scene)?.extras.as_deref());
        let single = [asset, scene].map(|text| text.map(RawValue::get));
        let of_objects = lists.iter().flatten().map(|(_, text)| *text);
        let all = of_objects.chain(primitives.iter().map(|(_, text)| *text)).chain(single.into_iter().flatten());
        let bytes = all.map(|text| ENTRY_BYTES.saturating_add(text.len() as u64)).fold(0, u64::saturating_add);
        if !self.source.charge(bytes) {
            let message = "The extras were not kept: they would exceed the memory limit for one file.";
            let warning = ImportWarning::new(Code::NotShown, Target::File, message.to_owned());
            self.report.warn(warning.with_scope(WarningScope::Appearance));
            return Extras::default();
        }
        let [nodes, meshes, skins, materials, clips, cameras] = lists.map(copied);
        let [asset, scene] = single.map(|text| text.map(str::to_owned));
        Extras { asset, scene, nodes, meshes, primitives: copied(primitives), skins, materials, clips, cameras }
    }

    fn primitive_texts(&self) -> Vec<((usize, usize), &str)> {
        let mut found = Vec::new();
        for (mesh, source) in self.source.document.meshes.iter().enumerate() {
            let primitives = source.valid().map(|mesh| &mesh.primitives).into_iter().flatten();
            let of_primitives = texts(primitives.map(|primitive| primitive.valid()?.extras.text.as_deref()));
            found.extend(of_primitives.into_iter().map(|(number, text)| ((mesh, number), text)));
        }
        found
    }
}

/// Returns the number and the JSON of each object that has `extras`.
fn texts<'a>(list: impl Iterator<Item = Option<&'a RawValue>>) -> Vec<(usize, &'a str)> {
    list.enumerate().filter_map(|(number, text)| Some((number, text?.get()))).collect()
}

fn copied<K: Ord>(texts: Vec<(K, &str)>) -> BTreeMap<K, String> {
    texts.into_iter().map(|(number, text)| (number, text.to_owned())).collect()
}
