//! The JSON document of a `.glb`.

use serde_json::{Map, Value, json};

use super::buffer::GlbBuffer;
use crate::export::ExportError;

/// Builds a file with one scene. `lists`: the document's lists except the buffer's; `extensions`: those of the
/// document. *Errors*: [`ExportError::TooLarge`].
pub(super) fn file(
    roots: &[usize],
    lists: impl IntoIterator<Item = (&'static str, Vec<Value>)>,
    extensions: Map<String, Value>,
    mut buffer: GlbBuffer,
) -> Result<Vec<u8>, ExportError> {
    let mut document =
        json!({"asset": {"version": "2.0", "generator": concat!("rigscope ", env!("CARGO_PKG_VERSION"))}, "scene": 0});
    // glTF forbids empty lists.
    let scene = if roots.is_empty() { json!({}) } else { json!({"nodes": roots}) };
    document["scenes"] = json!([scene]);
    let lists = lists.into_iter().chain(buffer.lists());
    for (name, list) in lists.filter(|(_, list)| !list.is_empty()) {
        document[name] = Value::Array(list);
    }
    if !extensions.is_empty() {
        document["extensions"] = extensions.into();
    }
    buffer.into_file(&document)
}

/// Adds a name to an object, unless it is empty.
pub(super) fn named(name: &str, mut object: Value) -> Value {
    if !name.is_empty() {
        object["name"] = json!(name);
    }
    object
}
