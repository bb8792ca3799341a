//! The binary chunk of a `.glb`, its views and accessors, and the container around them.

use glam::Vec3;
use serde_json::{Value, json};

use super::ExportError;

/// Target of a view of vertex attributes.
pub(super) const VERTICES: u32 = 34962;
/// Target of a view of vertex numbers.
pub(super) const INDICES: u32 = 34963;

const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// The one buffer of the file. Each accessor has a view of its own, packed, and starts at a multiple of 4.
#[derive(Default)]
pub(super) struct GlbBuffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GlbBuffer {
    /// Appends bytes; the number of their view.
    pub fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.end_view(start, target)
    }

    fn end_view(&mut self, start: usize, target: Option<u32>) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start});
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    /// The number of an accessor of `N`-vectors.
    pub fn floats<const N: usize>(&mut self, rows: impl ExactSizeIterator<Item = [f32; N]>, target: u32) -> usize {
        const { assert!(N >= 2 && N <= 4, "vectors have two to four components") };
        let (start, count) = (self.bytes.len(), rows.len());
        self.bytes.reserve(count * N * 4);
        for x in rows.flatten() {
            self.bytes.extend(x.to_le_bytes());
        }
        let view = self.end_view(start, Some(target));
        self.accessor(json!({"bufferView": view, "componentType": F32, "count": count, "type": format!("VEC{N}")}))
    }

    /// The same with the bounds that glTF wants of positions, which are finite.
    pub fn positions(&mut self, positions: &[Vec3]) -> usize {
        let accessor = self.floats(positions.iter().map(Vec3::to_array), VERTICES);
        let bound =
            |pick: fn(Vec3, Vec3) -> Vec3| positions.iter().copied().reduce(pick).unwrap_or_default().to_array();
        self.accessors[accessor]["min"] = json!(bound(Vec3::min));
        self.accessors[accessor]["max"] = json!(bound(Vec3::max));
        accessor
    }

    /// The number of an accessor of vertex numbers, in as few bytes as hold them.
    pub fn indices(&mut self, indices: &[u32], vertex_count: usize, target: u32) -> usize {
        let start = self.bytes.len();
        // The largest number of a type cuts strips in two and is no vertex.
        let component = if vertex_count < usize::from(u16::MAX) {
            self.bytes.extend(indices.iter().flat_map(|&i| (i as u16).to_le_bytes()));
            U16
        } else {
            self.bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
            U32
        };
        let view = self.end_view(start, Some(target));
        self.accessor(json!({"bufferView": view, "componentType": component, "count": indices.len(), "type": "SCALAR"}))
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The document's lists of what is in the buffer.
    pub fn lists(&mut self) -> [(&'static str, Vec<Value>); 3] {
        let length = self.bytes.len();
        let buffers = if length > 0 { vec![json!({"byteLength": length})] } else { Vec::new() };
        let (views, accessors) = (std::mem::take(&mut self.views), std::mem::take(&mut self.accessors));
        [("accessors", accessors), ("bufferViews", views), ("buffers", buffers)]
    }

    /// The file: header, document, bytes.
    ///
    /// *Errors*: [`ExportError::TooLarge`].
    pub fn container(&self, document: &Value) -> Result<Vec<u8>, ExportError> {
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let chunks = [(b"JSON", text.as_slice()), (b"BIN\0", self.bytes.as_slice())];
        let chunks = chunks.iter().filter(|(_, data)| !data.is_empty());
        let total = 12 + chunks.clone().map(|(_, data)| 8 + data.len()).sum::<usize>();
        let limit = u32::MAX as usize;
        let word = |n: usize| (n as u32).to_le_bytes();
        if total > limit {
            return Err(ExportError::TooLarge { format: "GLB", what: "bytes", count: total, limit });
        }
        let mut file = Vec::with_capacity(total);
        file.extend(b"glTF");
        file.extend(word(2));
        file.extend(word(total));
        for (kind, data) in chunks {
            file.extend(word(data.len()));
            file.extend(*kind);
            file.extend(*data);
        }
        Ok(file)
    }
}
