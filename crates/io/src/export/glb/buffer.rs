use glam::Vec3;
use serde_json::{Map, Value, json};

use crate::export::ExportError;

/// Content of a buffer view, which determines its `target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewContent {
    Vertices,
    Indices,
    Other,
}

const U32: u32 = 5125;
const F32: u32 = 5126;

pub(super) trait Component: Copy {
    const TYPE: u32;
    fn push(self, bytes: &mut Vec<u8>);
}

macro_rules! components {
    ($($type:ty: $number:expr),*) => {$(
        impl Component for $type {
            const TYPE: u32 = $number;
            fn push(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

components!(u8: 5121, u16: 5123, u32: U32, f32: F32);

/// The only buffer of the file. Each accessor has its own packed view, aligned to 4 bytes.
#[derive(Default)]
pub(super) struct GlbBuffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GlbBuffer {
    /// Maximum file size in bytes. The header of a `.glb` stores the length in 32 bits.
    const MAX_BYTES: usize = u32::MAX as usize;

    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.end_view(start, ViewContent::Other)
    }

    fn end_view(&mut self, start: usize, content: ViewContent) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start});
        match content {
            ViewContent::Vertices => view["target"] = json!(34962),
            ViewContent::Indices => view["target"] = json!(34963),
            ViewContent::Other => {}
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    pub(super) fn rows<const N: usize, T: Component>(
        &mut self,
        rows: impl ExactSizeIterator<Item = [T; N]>,
        content: ViewContent,
    ) -> usize {
        let (start, count) = (self.bytes.len(), rows.len());
        self.bytes.reserve(count * N * size_of::<T>());
        rows.flatten().for_each(|x| x.push(&mut self.bytes));
        let view = self.end_view(start, content);
        self.accessor(json!({"bufferView": view, "componentType": T::TYPE, "count": count, "type": shape(N)}))
    }

    /// Writes finite values, with the minimum and maximum that glTF requires for positions and times.
    pub(super) fn bounded_rows<const N: usize>(
        &mut self,
        rows: impl ExactSizeIterator<Item = [f32; N]> + Clone,
        content: ViewContent,
    ) -> usize {
        let bound = |pick: fn(f32, f32) -> f32| {
            let bound = rows.clone().reduce(|a, b| std::array::from_fn(|i| pick(a[i], b[i])));
            json!(bound.unwrap_or([0.0; N]).to_vec())
        };
        let (min, max) = (bound(f32::min), bound(f32::max));
        let accessor = self.rows(rows, content);
        self.accessors[accessor]["min"] = min;
        self.accessors[accessor]["max"] = max;
        accessor
    }

    pub(super) fn positions(&mut self, positions: &[Vec3]) -> usize {
        self.bounded_rows(positions.iter().map(Vec3::to_array), ViewContent::Vertices)
    }

    /// Adds an accessor of zero vectors without data and returns its index.
    pub(super) fn zeros(&mut self, count: usize) -> usize {
        let zero = [0.0_f32; 3];
        self.accessor(json!({"componentType": F32, "count": count, "type": shape(3), "min": zero, "max": zero}))
    }

    pub(super) fn indices(&mut self, indices: &[u32], vertex_count: usize) -> usize {
        // glTF reserves the largest value of a type for primitive restart.
        if vertex_count < usize::from(u16::MAX) {
            self.rows(indices.iter().map(|&i| [i as u16]), ViewContent::Indices)
        } else {
            self.rows(indices.iter().map(|&i| [i]), ViewContent::Indices)
        }
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub(super) fn check(&self) -> Result<(), ExportError> {
        fits(self.bytes.len())
    }

    fn lists(&mut self) -> [(&'static str, Vec<Value>); 3] {
        let length = self.bytes.len();
        let buffers = if length > 0 { vec![json!({"byteLength": length})] } else { Vec::new() };
        let (views, accessors) = (std::mem::take(&mut self.views), std::mem::take(&mut self.accessors));
        [("accessors", accessors), ("bufferViews", views), ("buffers", buffers)]
    }

    fn into_file(self, document: &Value) -> Result<Vec<u8>, ExportError> {
        glb_file(document.to_string().into_bytes(), self.bytes)
    }
}

/// Returns a document with one scene.
pub(super) fn document_head(roots: &[usize]) -> Value {
    // glTF forbids empty lists.
    let scene = if roots.is_empty() { json!({}) } else { json!({"nodes": roots}) };
    let generator = concat!("rigscope ", env!("CARGO_PKG_VERSION"));
    json!({"asset": {"version": "2.0", "generator": generator}, "scene": 0, "scenes": [scene]})
}

/// Builds a file. `document` is a [`document_head`], `lists` holds the document's arrays by key, except for the arrays
/// that `buffer` writes. *Errors*: [`ExportError::TooLarge`].
pub(super) fn document_file(
    mut document: Value,
    lists: impl IntoIterator<Item = (&'static str, Vec<Value>)>,
    extensions: Map<String, Value>,
    mut buffer: GlbBuffer,
) -> Result<Vec<u8>, ExportError> {
    let lists = lists.into_iter().chain(buffer.lists());
    for (name, list) in lists.filter(|(_, list)| !list.is_empty()) {
        document[name] = Value::Array(list);
    }
    if !extensions.is_empty() {
        document["extensions"] = extensions.into();
    }
    buffer.into_file(&document)
}

pub(super) fn named(name: &str, mut object: Value) -> Value {
    if !name.is_empty() {
        object["name"] = json!(name);
    }
    object
}

/// Builds a `.glb` from its JSON and binary chunk, without copying the chunk. *Errors*: [`ExportError::TooLarge`].
pub(super) fn glb_file(mut text: Vec<u8>, mut binary: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunk = if binary.is_empty() { 0 } else { 8 + binary.len() };
    let total = 12 + 8 + text.len() + chunk;
    fits(total)?;
    let word = |n: usize| (n as u32).to_le_bytes();
    let mut head = Vec::with_capacity(total - binary.len());
    head.extend(b"glTF");
    head.extend([word(2), word(total), word(text.len())].concat());
    head.extend(b"JSON");
    head.extend(text);
    if chunk > 0 {
        head.extend(word(binary.len()));
        head.extend(b"BIN\0");
    }
    binary.reserve_exact(head.len());
    binary.splice(0..0, head);
    Ok(binary)
}

fn fits(bytes: usize) -> Result<(), ExportError> {
    let limit = GlbBuffer::MAX_BYTES;
    if bytes > limit {
        return Err(ExportError::TooLarge { format: "GLB", what: "bytes", count: bytes, limit });
    }
    Ok(())
}

fn shape(numbers: usize) -> &'static str {
    match numbers {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_stands_before_the_bytes_and_both_at_multiples_of_four() {
        let mut buffer = GlbBuffer::default();
        buffer.view(&[1, 2, 3, 4, 5]);
        let file = buffer.into_file(&json!({"a": 1})).unwrap();
        assert_eq!(file.len(), 12 + 8 + 8 + 8 + 8);
        assert_eq!(file[8..12], 44_u32.to_le_bytes());
        assert_eq!(&file[16..28], b"JSON{\"a\":1} ");
        assert_eq!(&file[32..], b"BIN\0\x01\x02\x03\x04\x05\0\0\0");
        assert_eq!(GlbBuffer::default().into_file(&json!({})).unwrap().len(), 24, "no bytes, no chunk for them");
    }

    #[test]
    fn bounds_are_those_of_each_component() {
        let mut buffer = GlbBuffer::default();
        buffer.positions(&[Vec3::new(1.0, -2.0, 0.0), Vec3::new(-1.0, 5.0, 0.5)]);
        assert_eq!(buffer.accessors[0]["min"], json!([-1.0, -2.0, 0.0]));
        assert_eq!(buffer.accessors[0]["max"], json!([1.0, 5.0, 0.5]));
    }
}
