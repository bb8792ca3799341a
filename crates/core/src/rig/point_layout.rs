//! Raw little-endian float32, as engines dump vertex buffers.

use std::fmt::{self, Display, Formatter, Write as _};
use std::str::FromStr;

use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Order of the numbers of each vertex: `x`, `y` and `z` once each, and any other letter for a number to skip, such as
/// `xyzw` or `nnnxyz`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PointLayout {
    width: usize,
    places: [usize; 3],
}

impl FromStr for PointLayout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MAX_WIDTH: usize = 256;
        let place = |letter: char| {
            let mut places = text.chars().enumerate().filter(|(_, other)| *other == letter).map(|(place, _)| place);
            places.next().filter(|_| places.next().is_none())
        };
        let width = text.chars().count();
        match ['x', 'y', 'z'].map(place) {
            [Some(x), Some(y), Some(z)] if width <= MAX_WIDTH => Ok(Self { width, places: [x, y, z] }),
            _ => Err("write x, y and z once each and another letter for each number to skip, such as xyzw".to_owned()),
        }
    }
}

impl Display for PointLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let letter = |place| ['x', 'y', 'z'].into_iter().zip(self.places).find(|(_, at)| *at == place);
        (0..self.width).try_for_each(|place| f.write_char(letter(place).map_or('w', |(letter, _)| letter)))
    }
}

impl TryFrom<String> for PointLayout {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PointLayout> for String {
    fn from(layout: PointLayout) -> Self {
        layout.to_string()
    }
}

impl PointLayout {
    /// Three numbers per vertex.
    pub const XYZ: Self = Self { width: 3, places: [0, 1, 2] };

    /// Returns the points. *Errors*: the length isn't that of whole vertices, as a clause.
    pub fn points(&self, bytes: &[u8]) -> Result<Vec<DVec3>, String> {
        let stride = self.width.saturating_mul(4);
        if !bytes.len().is_multiple_of(stride) {
            let length = bytes.len();
            return Err(format!("its {length} bytes are not a multiple of the {stride} bytes that the layout has"));
        }
        let number = |vertex: &[u8], place: usize| {
            let four = vertex.as_chunks::<4>().0.get(place).copied().unwrap_or_default();
            f64::from(f32::from_le_bytes(four))
        };
        let point = |vertex: &[u8]| DVec3::from_array(self.places.map(|place| number(vertex, place)));
        Ok(bytes.chunks_exact(stride).map(point).collect())
    }
}
