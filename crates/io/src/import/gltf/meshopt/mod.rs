//! `EXT_meshopt_compression` and `KHR_meshopt_compression`, which adds a version of the vertex codec and a colour
//! filter. Decoded here, because existing crates are bindings to C++ code that may crash on broken files. *Source*: the
//! specifications, appendices A (bitstream) and B (filters).

mod bytes;
mod filter;
mod indices;
mod vertices;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::schema::extension;
use filter::MeshoptFilter;

pub(super) const NAME: &str = "meshopt_compression";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Compression {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: MeshoptFilter,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

impl Compression {
    pub(super) fn from_extensions(extensions: Option<&Map<String, Value>>) -> Option<Result<Self, serde_json::Error>> {
        let value = extensions?.get(extension(extensions, NAME)?)?;
        Some(Self::deserialize(value))
    }

    fn is_sound(&self) -> bool {
        let stride = self.byte_stride;
        match self.mode {
            Mode::Attributes => {
                let is_word = (4..=256).contains(&stride) && stride.is_multiple_of(4);
                is_word
                    && match self.filter {
                        MeshoptFilter::None | MeshoptFilter::Exponential => true,
                        MeshoptFilter::Octahedral | MeshoptFilter::Color => matches!(stride, 4 | 8),
                        MeshoptFilter::Quaternion => stride == 8,
                    }
            }
            Mode::Triangles => matches!(stride, 2 | 4) && self.count.is_multiple_of(3),
            Mode::Indices => matches!(stride, 2 | 4),
        }
    }

    pub(super) fn decoded_size(&self) -> u64 {
        (self.count as u64).saturating_mul(self.byte_stride as u64)
    }

    /// Decodes to packed bytes; `None` if the bitstream is invalid. Charge [`Self::decoded_size`] to the budget first.
    pub(super) fn decode(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.is_sound() {
            return None;
        }
        match self.mode {
            Mode::Triangles => indices::triangles(bytes, self.count).map(|list| self.packed(&list)),
            Mode::Indices => indices::sequence(bytes, self.count).map(|list| self.packed(&list)),
            Mode::Attributes => {
                let mut decoded = vertices::decode(bytes, self.count, self.byte_stride)?;
                filter::undo(self.filter, self.byte_stride, &mut decoded);
                Some(decoded)
            }
        }
    }

    fn packed(&self, indices: &[u32]) -> Vec<u8> {
        if self.byte_stride == 2 {
            indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect()
        } else {
            indices.iter().flat_map(|i| i.to_le_bytes()).collect()
        }
    }
}

#[cfg(test)]
mod tests;
