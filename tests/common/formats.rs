//! Small readers of the formats that `rigscope bake` writes, only for tests.

use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonFile {
    pub version: u32,
    pub method: String,
    pub primitives: Vec<JsonPrimitive>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonPrimitive {
    pub node: usize,
    pub mesh: usize,
    pub primitive: usize,
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
}

impl JsonFile {
    pub fn read(path: &Path) -> Self {
        serde_json::from_slice(&std::fs::read(path).unwrap()).expect("the format of DESIGN.md")
    }
}

/// Indices of position, texture coordinate and normal, counted from 1.
pub type Corner = (usize, Option<usize>, Option<usize>);

#[derive(Default)]
pub struct ObjFile {
    pub library: String,
    pub objects: Vec<String>,
    pub materials_used: Vec<String>,
    pub positions: Vec<[f32; 3]>,
    /// Number of positions with a colour.
    pub colored: usize,
    pub tex_coords: Vec<[f32; 2]>,
    pub normals: Vec<[f32; 3]>,
    pub faces: Vec<[Corner; 3]>,
}

impl ObjFile {
    pub fn read(path: &Path) -> Self {
        let mut file = Self::default();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let (key, rest) = line.split_once(' ').expect("a key and values");
            match key {
                "#" => {}
                "mtllib" => rest.clone_into(&mut file.library),
                "o" => file.objects.push(rest.to_owned()),
                "usemtl" => file.materials_used.push(rest.to_owned()),
                "v" => {
                    let all = floats(rest);
                    assert!(matches!(all.len(), 3 | 6), "{line}");
                    file.colored += usize::from(all.len() == 6);
                    file.positions.push(*all.first_chunk().unwrap());
                }
                "vt" => file.tex_coords.push(floats(rest).try_into().unwrap()),
                "vn" => file.normals.push(floats(rest).try_into().unwrap()),
                "f" => file.faces.push(file.face(rest)),
                _ => panic!("{line}"),
            }
        }
        file
    }

    fn face(&self, text: &str) -> [Corner; 3] {
        let corner = |text: &str| {
            let mut numbers = text.split('/').map(|n| n.parse().ok());
            let corner = (numbers.next().flatten().unwrap(), numbers.next().flatten(), numbers.next().flatten());
            assert!(corner.0 <= self.positions.len(), "{text}");
            assert!(corner.1.is_none_or(|t: usize| t <= self.tex_coords.len()), "{text}");
            assert!(corner.2.is_none_or(|n: usize| n <= self.normals.len()), "{text}");
            corner
        };
        text.split(' ').map(corner).collect::<Vec<_>>().try_into().unwrap()
    }
}

fn floats(text: &str) -> Vec<f32> {
    text.split(' ').map(|n| n.parse().unwrap()).collect()
}

pub struct PlyFile {
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub colors: Option<Vec<[u8; 4]>>,
    pub triangles: Vec<[u32; 3]>,
}

impl PlyFile {
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let end = bytes.windows(11).position(|w| w == b"end_header\n").expect("a header") + 11;
        let header = std::str::from_utf8(&bytes[..end]).unwrap();
        assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"), "{header}");
        let count = |element: &str| {
            let line = header.lines().find_map(|l| l.strip_prefix(&format!("element {element} "))).unwrap();
            line.parse::<usize>().unwrap()
        };
        let (has_normals, has_colors) = (header.contains("float nz"), header.contains("uchar alpha"));
        let (mut body, mut positions) = (&bytes[end..], Vec::new());
        let (mut normals, mut colors) = (Vec::new(), Vec::new());
        for _ in 0..count("vertex") {
            positions.push(triple(&mut body, f32::from_le_bytes));
            if has_normals {
                normals.push(triple(&mut body, f32::from_le_bytes));
            }
            if has_colors {
                colors.push(take(&mut body));
            }
        }
        let mut triangles = Vec::new();
        for _ in 0..count("face") {
            assert_eq!(take::<1>(&mut body), [3]);
            triangles.push(triple(&mut body, u32::from_le_bytes));
        }
        assert!(body.is_empty(), "nothing stands behind the triangles");
        Self { positions, normals: has_normals.then_some(normals), colors: has_colors.then_some(colors), triangles }
    }
}

fn take<const N: usize>(body: &mut &[u8]) -> [u8; N] {
    let (taken, rest) = body.split_first_chunk().expect("the file is whole");
    *body = rest;
    *taken
}

fn triple<T>(body: &mut &[u8], from: fn([u8; 4]) -> T) -> [T; 3] {
    [from(take(body)), from(take(body)), from(take(body))]
}
