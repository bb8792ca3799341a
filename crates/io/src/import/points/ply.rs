//! PLY, as text or binary. Only the vertices are read.

use glam::DVec3;

use rigscope_core::rig::{PointFrame, PointGroup};

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    Little,
    Big,
}

/// A scalar property of a vertex.
struct Property {
    name: String,
    kind: ScalarKind,
}

#[derive(Clone, Copy)]
enum ScalarKind {
    Float,
    Double,
    /// An integer of this many bytes, which is skipped.
    Other(usize),
}

impl ScalarKind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "float" | "float32" => Self::Float,
            "double" | "float64" => Self::Double,
            "char" | "uchar" | "int8" | "uint8" => Self::Other(1),
            "short" | "ushort" | "int16" | "uint16" => Self::Other(2),
            "int" | "uint" | "int32" | "uint32" => Self::Other(4),
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::Float => 4,
            Self::Double => 8,
            Self::Other(bytes) => bytes,
        }
    }

    /// Returns a number; NaN for integers, which aren't coordinates.
    fn number(self, bytes: &[u8], is_big: bool) -> f64 {
        match self {
            Self::Float => bytes
                .first_chunk::<4>()
                .map_or(f64::NAN, |b| f64::from(if is_big { f32::from_be_bytes(*b) } else { f32::from_le_bytes(*b) })),
            Self::Double => bytes
                .first_chunk::<8>()
                .map_or(f64::NAN, |b| if is_big { f64::from_be_bytes(*b) } else { f64::from_le_bytes(*b) }),
            Self::Other(_) => f64::NAN,
        }
    }
}

pub(super) fn points(bytes: &[u8]) -> Result<PointFrame, String> {
    const END: &[u8] = b"end_header";
    let end = bytes.windows(END.len()).position(|window| window == END).ok_or("the PLY header has no end")?;
    let header = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
    let after = bytes.get(end.saturating_add(END.len())..).unwrap_or_default();
    let data = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).ok_or("the PLY header has no end")?;
    let (encoding, count, properties) = vertices(&header)?;
    let place = |name: &str| properties.iter().position(|property| property.name == name);
    let [x, y, z] = ["x", "y", "z"].map(place);
    let (Some(x), Some(y), Some(z)) = (x, y, z) else {
        return Err("the vertices of the PLY file have no x, y and z".to_owned());
    };
    let of_normal = ["nx", "ny", "nz"].map(place);
    let rows = if encoding == Encoding::Text {
        text_rows(data, count, properties.len())
    } else {
        binary_rows(data, count, &properties, encoding)
    }?;
    let at = |row: &Vec<f64>, place: usize| row.get(place).copied().unwrap_or(f64::NAN);
    let point = |row: &Vec<f64>, [x, y, z]: [usize; 3]| DVec3::new(at(row, x), at(row, y), at(row, z));
    let normals = match of_normal {
        [Some(x), Some(y), Some(z)] => Some(rows.iter().map(|row| point(row, [x, y, z])).collect()),
        _ => None,
    };
    let positions = rows.iter().map(|row| point(row, [x, y, z])).collect();
    Ok(PointFrame { groups: vec![PointGroup { primitive: None, positions, normals }], number: None })
}

fn vertices(header: &str) -> Result<(Encoding, usize, Vec<Property>), String> {
    let (mut encoding, mut count, mut properties) = (None, None, Vec::new());
    let mut is_vertex = false;
    for line in header.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["format", "ascii", ..] => encoding = Some(Encoding::Text),
            ["format", "binary_little_endian", ..] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", ..] => encoding = Some(Encoding::Big),
            ["element", "vertex", number] => {
                is_vertex = true;
                count = number.parse().ok();
            }
            ["element", name, _] => {
                if count.is_none() {
                    return Err(format!("the PLY element {name} comes before the vertices; write vertices first"));
                }
                is_vertex = false;
            }
            ["property", "list", ..] if is_vertex => return Err("the vertices of the PLY file have lists".to_owned()),
            ["property", kind, name] if is_vertex => {
                let kind = ScalarKind::named(kind).ok_or_else(|| format!("the PLY type {kind} is unknown"))?;
                properties.push(Property { name: name.to_owned(), kind });
            }
            _ => {}
        }
    }
    let encoding = encoding.ok_or("the PLY header has no format")?;
    Ok((encoding, count.ok_or("the PLY header has no vertices")?, properties))
}

fn text_rows(data: &[u8], count: usize, width: usize) -> Result<Vec<Vec<f64>>, String> {
    let text = String::from_utf8_lossy(data);
    let row = |line: &str| line.split_whitespace().take(width).map(|word| word.parse().unwrap_or(f64::NAN)).collect();
    let rows: Vec<Vec<f64>> = text.lines().filter(|line| !line.trim().is_empty()).take(count).map(row).collect();
    if rows.len() < count { Err(cut(rows.len(), count)) } else { Ok(rows) }
}

fn binary_rows(
    data: &[u8],
    count: usize,
    properties: &[Property],
    encoding: Encoding,
) -> Result<Vec<Vec<f64>>, String> {
    let stride: usize = properties.iter().map(|property| property.kind.bytes()).sum();
    let present = data.len().checked_div(stride).unwrap_or(0);
    if present < count {
        return Err(cut(present, count));
    }
    let row = |mut vertex: &[u8]| {
        let mut row = Vec::with_capacity(properties.len());
        for property in properties {
            row.push(property.kind.number(vertex, encoding == Encoding::Big));
            vertex = vertex.get(property.kind.bytes()..).unwrap_or_default();
        }
        row
    };
    Ok(data.chunks_exact(stride.max(1)).take(count).map(row).collect())
}

fn cut(present: usize, count: usize) -> String {
    format!("the PLY file has {present} of {count} vertices")
}
