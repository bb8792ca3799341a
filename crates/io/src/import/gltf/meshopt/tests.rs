//! Streams written by meshoptimizer 1.0, and the expected results.

use super::*;

/// 20 vertices of 12 bytes: a counter, noise, an ascending short and float, a constant, noise, a flag, a constant.
const VERTICES: [&str; 2] = [
    "a0052aaaaaaaaa00000006020a9a0b20a9a0b23f0000000a090a07004a4a4a4a4a4a4a4a4a4a4a4a4a4a4aff0000004a4a4a4a012000800200000700ffff80\
     804040404020202020202020ff0000002010101001380080007c000700b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6ff000000b6b6b6b60526666666660000000000\
     000000000000000000000000000000000000000000e80300000000090000c8",
    "a135689e052aaaaaaaaa00000002020a9a0b20a9a0b20e000a090a004a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a0220008002010201070f020ff8f4c4f2\
     62e262d03018fc0f001e01030100b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b60526666666660000000000000000000000000000e80300000000090000c8\
     005200",
];
const TRIANGLES: &str = "e1fe1e100e100e8e1e140e130effff0f088500ff3a0203007687566778a9866589689801690000";
const SEQUENCE: &str = "d100040004b10905048d82110400000000";

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn compression(mode: Mode, filter: MeshoptFilter, count: usize, byte_stride: usize) -> Compression {
    Compression { buffer: 0, byte_offset: 0, byte_length: 0, byte_stride, count, mode, filter }
}

fn vertices() -> Vec<u8> {
    let vertex = |v: u32| {
        let ([a, b], [c, d, e, f]) = ((1000 + 37 * v as u16).to_le_bytes(), (v as f32 * 0.25).to_le_bytes());
        [v as u8, (v.pow(3) % 7) as u8, a, b, c, d, e, f, 9, (v * 91) as u8, (v & 1) as u8, 200]
    };
    (0..20).flat_map(vertex).collect()
}

#[test]
fn both_versions_of_the_vertex_codec_are_decoded() {
    let compression = compression(Mode::Attributes, MeshoptFilter::None, 20, 12);
    for hex in VERTICES {
        assert_eq!(compression.decode(&bytes(hex)), Some(vertices()));
    }
}

#[test]
fn triangles_and_sequences_are_decoded() {
    let list =
        |decoded: Vec<u8>| -> Vec<u32> { decoded.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect() };
    let triangles = compression(Mode::Triangles, MeshoptFilter::None, 42, 4).decode(&bytes(TRIANGLES)).unwrap();
    // A grid with rotated corner order in some triangles, then a triangle of recent vertices and a triangle of distant
    // ones.
    let expected = [
        0, 1, 4, 4, 1, 5, 5, 1, 2, 5, 2, 6, 6, 2, 3, 6, 3, 7, 4, 5, 8, 8, 5, 9, 9, 5, 6, 9, 6, 10, 10, 6, 7, 10, 7, 11,
        11, 2, 7, 40, 41, 39,
    ];
    assert_eq!(list(triangles), expected);
    let sequence = compression(Mode::Indices, MeshoptFilter::None, 9, 4).decode(&bytes(SEQUENCE)).unwrap();
    assert_eq!(list(sequence), [0, 1, 1, 2, 300, 301, 3, 70000, 4]);
    let short = compression(Mode::Indices, MeshoptFilter::None, 9, 2).decode(&bytes(SEQUENCE)).unwrap();
    assert_eq!(short.as_chunks().0.last(), Some(&4_u16.to_le_bytes()));
}

#[test]
fn each_meshopt_filter_is_undone() {
    let undone = |filter, stride: usize, mut bytes: Vec<u8>| {
        filter::undo(filter, stride, &mut bytes);
        bytes
    };
    let shorts = |values: &[i16]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let signs = |values: &[i8]| values.iter().map(|v| v.cast_unsigned()).collect::<Vec<u8>>();
    let octahedral = undone(MeshoptFilter::Octahedral, 4, signs(&[10, -20, 127, 5, -100, 90, 127, 0]));
    assert_eq!(octahedral, signs(&[13, -26, 124, 5, -60, 44, -103, 0]));
    let octahedral = undone(MeshoptFilter::Octahedral, 8, shorts(&[1000, -20000, 32767, 5, -30000, 20000, 32767, 0]));
    assert_eq!(octahedral, shorts(&[1411, -28215, 16601, 5, -19345, 4193, -26112, 0]));
    let quaternion = undone(MeshoptFilter::Quaternion, 8, shorts(&[100, -200, 300, 0x7FC, 100, -200, 300, 0x7FD]));
    assert_eq!(quaternion, shorts(&[32492, 1132, -2264, 3396, 3396, 32492, 1132, -2264]));
    let exponential = [0xFE00_0003_u32, 0x02FF_FFFD].into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(
        undone(MeshoptFilter::Exponential, 8, exponential),
        [0.75_f32, -12.0].map(f32::to_le_bytes).as_flattened()
    );
    let color = undone(MeshoptFilter::Color, 4, vec![100, 10, 250, 255, 20, 3, 2, 0x25]);
    assert_eq!(color, [116, 94, 96, 255, 85, 89, 61, 45]);
    let color = undone(MeshoptFilter::Color, 8, shorts(&[20000, 500, -600, -1, 2000, 30, 20, 0x0FFF]));
    assert_eq!(color, shorts(&[21100, 19400, 20100, -1, 32167, 32327, 31207, -1]));
}

#[test]
fn broken_streams_are_refused_and_none_panics() {
    let whole = [
        (compression(Mode::Attributes, MeshoptFilter::None, 20, 12), bytes(VERTICES[0])),
        (compression(Mode::Attributes, MeshoptFilter::None, 20, 12), bytes(VERTICES[1])),
        (compression(Mode::Triangles, MeshoptFilter::None, 42, 4), bytes(TRIANGLES)),
        (compression(Mode::Indices, MeshoptFilter::None, 9, 4), bytes(SEQUENCE)),
    ];
    for (compression, stream) in &whole {
        for end in 0..stream.len() {
            assert_eq!(compression.decode(&stream[..end]), None);
            for flip in [1, 0x10, 0xFF] {
                let mut bad = stream.clone();
                bad[end] ^= flip;
                let decoded = compression.decode(&bad);
                assert!(decoded.is_none_or(|d| d.len() as u64 == compression.decoded_size()));
            }
        }
    }
}

#[test]
fn forms_that_are_not_defined_are_refused() {
    for (mode, filter, count, stride) in [
        (Mode::Attributes, MeshoptFilter::None, 20, 10),
        (Mode::Attributes, MeshoptFilter::None, 20, 0),
        (Mode::Attributes, MeshoptFilter::None, 20, 260),
        (Mode::Attributes, MeshoptFilter::Quaternion, 30, 4),
        (Mode::Triangles, MeshoptFilter::None, 41, 4),
        (Mode::Indices, MeshoptFilter::None, 9, 3),
    ] {
        assert_eq!(compression(mode, filter, count, stride).decode(&bytes(VERTICES[0])), None);
    }
    let parsed = |json| Compression::from_extensions(serde_json::from_str::<Value>(json).unwrap().as_object());
    assert!(parsed(r#"{"KHR_texture_transform":{}}"#).is_none());
    assert!(parsed(r#"{"EXT_meshopt_compression":{"buffer":0}}"#).unwrap().is_err());
    let known = r#"{"KHR_meshopt_compression":{"buffer":1,"byteLength":9,"byteStride":4,"count":2,"mode":"ATTRIBUTES","filter":"COLOR"}}"#;
    assert_eq!(parsed(known).unwrap().unwrap().decoded_size(), 8);
}
