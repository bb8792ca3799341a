//! Suppressed findings, as listed on the asset, a node or a mesh: `"extras": {"rigscope": {"allow": {CODE: REASON}}}`.

use serde::Deserialize;
use serde_json::Value;

use super::loader::GltfLoader;
use super::schema::{Lenient, OwnExtras};
use rigscope_core::rig::{Suppression, SuppressionTarget};

#[derive(Deserialize)]
struct NodeExtras {
    #[serde(default)]
    rigscope: Lenient<OwnExtras>,
}

impl GltfLoader<'_> {
    pub(super) fn suppressions(&self) -> Vec<Suppression> {
        let document = self.source.document;
        let asset = document.asset.as_ref().and_then(|asset| asset.extras.known.valid()?.rigscope.valid());
        let of_file = asset.map(|own| in_place(SuppressionTarget::File, own));
        let of_nodes = document.nodes.iter().enumerate().filter_map(|(number, node)| {
            let extras: NodeExtras = serde_json::from_str(node.extras.as_ref()?.get()).ok()?;
            Some(in_place(SuppressionTarget::Node(number), extras.rigscope.valid()?))
        });
        let of_meshes = document.meshes.iter().enumerate().filter_map(|(number, mesh)| {
            Some(in_place(SuppressionTarget::Mesh(number), mesh.valid()?.extras.known.valid()?.rigscope.valid()?))
        });
        // One more than the maximum, to detect an overflow.
        let limit = Suppression::MAX_COUNT.saturating_add(1);
        of_file.into_iter().chain(of_nodes).chain(of_meshes).flatten().take(limit).collect()
    }
}

fn in_place(place: SuppressionTarget, own: &OwnExtras) -> Vec<Suppression> {
    let suppression = |code: &str, reason: &Value| {
        let text = reason.as_str().unwrap_or_default().trim();
        Suppression { place, code: code.to_owned(), reason: text.to_owned() }
    };
    match &own.allow {
        None => Vec::new(),
        Some(Value::Object(reasons)) => reasons.iter().map(|(code, reason)| suppression(code, reason)).collect(),
        Some(_) => vec![suppression("", &Value::Null)],
    }
}
