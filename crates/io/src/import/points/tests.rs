use super::*;
use glam::DVec3;

fn read(bytes: &[u8]) -> Vec<Vec<DVec3>> {
    let frames = points(bytes, None, 1 << 20).unwrap();
    frames.into_iter().map(|frame| frame.groups.into_iter().flat_map(|group| group.positions).collect()).collect()
}

fn two() -> Vec<DVec3> {
    vec![DVec3::new(1.0, 2.0, 3.0), DVec3::new(-0.5, 0.25, 1e-3)]
}

fn floats(points: &[DVec3]) -> Vec<u8> {
    points.iter().flat_map(DVec3::to_array).flat_map(|x| (x as f32).to_le_bytes()).collect()
}

fn npy(kind: &str, is_fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {is_fortran}, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [npy::MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
}

fn close(a: &[Vec<DVec3>], b: &[Vec<DVec3>]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)))
}

#[test]
fn each_format_gives_the_same_points() {
    let expected = [two()];
    let data = floats(&two());
    let doubles: Vec<u8> = two().iter().flat_map(DVec3::to_array).flat_map(f64::to_be_bytes).collect();
    let by_axis: Vec<u8> =
        (0..3).flat_map(|axis| two().into_iter().map(move |p| p[axis] as f32)).flat_map(f32::to_le_bytes).collect();
    let ply = |format: &str, data: &[u8]| {
        let header = format!(
            "ply\nformat {format} 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nelement \
             face 0\nproperty list uchar int vertex_indices\nend_header\n"
        );
        [header.as_bytes(), data].concat()
    };
    let pc2 = [pc2::MAGIC, &1_i32.to_le_bytes(), &2_i32.to_le_bytes(), &[0; 8], &1_i32.to_le_bytes(), &data].concat();
    let files: [(&str, Vec<u8>); 13] = [
        ("obj", b"# made by hand\no cube\nv 1 2 3\nv -0.5 0.25 1e-3 1\nf 1 2 1\n".to_vec()),
        ("csv", b"x,y,z\n1,2,3\n-0.5,0.25,0.001\n".to_vec()),
        ("csv with numbers", b"0 1 2 3\n1 -0.5 0.25 0.001\n".to_vec()),
        ("csv in another order", b"\"Z\";u;X;Y\n3;9;1;2\n0.001;9;-0.5;0.25\n".to_vec()),
        ("npy", npy("<f4", "False", "(2, 3)", &data)),
        ("npy big", npy(">f8", "False", "(2, 3)", &doubles)),
        ("npy fortran", npy("<f4", "True", "(2, 3)", &by_axis)),
        ("ply", ply("binary_little_endian", &data)),
        ("ply text", ply("ascii", b"1 2 3\n-0.5 0.25 1e-3\n")),
        ("pc2", pc2),
        ("json", b"[[1,2,3],[-0.5,0.25,0.001]]".to_vec()),
        ("json numbers", b"{\"positions\": [1,2,3,-0.5,0.25,0.001]}".to_vec()),
        ("baked", b"{\"version\":1,\"method\":\"lbs\",\"primitives\":[{\"node\":2,\"mesh\":0,\"primitive\":1,\"positions\":[[1,2,3],[-0.5,0.25,0.001]],\"normals\":null}]}".to_vec()),
    ];
    for (name, bytes) in files {
        assert!(close(&read(&bytes), &expected), "{name}: {:?}", read(&bytes));
        // Files that are cut short are an error or have fewer points, and never panic.
        for end in 0..bytes.len() {
            let _ = points(&bytes[..end], None, 1 << 20);
        }
    }
    let layout: PointLayout = "nxyz".parse().unwrap();
    let raw: Vec<u8> = two().iter().flat_map(|p| [9.0, p.x, p.y, p.z]).flat_map(|x| (x as f32).to_le_bytes()).collect();
    assert!(close(&[layout.points(&raw).unwrap()], &expected));
    assert!(layout.points(&raw[1..]).is_err() && "xyx".parse::<PointLayout>().is_err());
}

#[test]
fn prose_is_refused_with_its_beginning() {
    let problem = points("Find out where and why, ".repeat(99).as_bytes(), None, 1 << 20).unwrap_err();
    assert!(
        problem.starts_with("no columns are called x, y and z, but find out where") && problem.len() < 90,
        "{problem}"
    );
}

/// Returns a ZIP archive of stored or deflated files, as `numpy.savez` writes it.
fn zip(files: &[(&str, Vec<u8>)], is_deflated: bool) -> Vec<u8> {
    use std::io::Write as _;

    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let packed = if is_deflated {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.clone()
        };
        let method: [u8; 2] = if is_deflated { [8, 0] } else { [0, 0] };
        let [packed_len, len] = [packed.len(), content.len()].map(|len| (len as u32).to_le_bytes());
        let name_len = (name.len() as u16).to_le_bytes();
        let shared = [&[20, 0, 0, 0][..], &method, &[0; 8], &packed_len, &len, &name_len, &[0; 2]].concat();
        let start = (archive.len() as u32).to_le_bytes();
        archive.extend([npz::MAGIC, &shared, name.as_bytes(), &packed].concat());
        directory.extend([b"PK\x01\x02\x14\x00", &shared[..], &[0; 10], &start, name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [size, start] = [directory.len(), archive.len()].map(|len| (len as u32).to_le_bytes());
    archive.extend(directory);
    archive.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0; 2]].concat());
    archive
}

#[test]
fn archives_are_read_stored_and_deflated_within_the_memory_limit() {
    let array = npy("<f4", "False", "(2, 3)", &floats(&two()));
    let other = npy("<f4", "False", "(1, 3)", &[0; 12]);
    for is_deflated in [false, true] {
        let archive = zip(&[("other.npy", other.clone()), ("points.npy", array.clone())], is_deflated);
        assert!(close(&read(&archive), &[two()]));
        for end in 0..archive.len() {
            let _ = points(&archive[..end], None, 1 << 20);
        }
        let by_primitive = zip(&[("n2_p0.npy", array.clone()), ("n3_p1.npy", other.clone())], is_deflated);
        let frame = &points(&by_primitive, None, 1 << 20).unwrap()[0];
        assert_eq!(frame.groups.iter().map(|group| group.primitive).collect::<Vec<_>>(), [Some((2, 0)), Some((3, 1))]);
        assert!(
            points(&zip(&[("a.npy", array.clone()), ("b.npy", array.clone())], is_deflated), None, 1 << 20).is_err()
        );
        // Both arrays together, not each of them, are limited.
        let limit = DECODED * (array.len() as u64 + 1);
        assert!(points(&zip(&[("n2_p0.npy", array.clone())], is_deflated), None, limit).is_ok());
        assert!(points(&by_primitive, None, limit).unwrap_err().contains("--memory-limit"));
    }
}

#[test]
fn half_precision_numbers_are_read() {
    // 1, -2, the smallest subnormal, infinity.
    let bits: [u16; 6] = [0x3C00, 0xC000, 0x0001, 0x7C00, 0x0000, 0x3800];
    let little: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let big: Vec<u8> = bits.iter().flat_map(|bits| bits.to_be_bytes()).collect();
    let expected = [DVec3::new(1.0, -2.0, (-24_f64).exp2()), DVec3::new(f64::INFINITY, 0.0, 0.5)];
    assert_eq!(read(&npy("<f2", "False", "(2, 3)", &little)), [expected]);
    assert_eq!(read(&npy(">f2", "False", "(2, 3)", &big)), [expected]);
}

#[test]
fn empty_fields_keep_their_columns() {
    assert!(close(&read(b"\xef\xbb\xbfu,v,x,y,z,w\n,5,1,2,3,9\n4,,-0.5,0.25,0.001,\n"), &[two()]));
    assert!(read(b"x,y,z\n1,,3\n")[0][0].y.is_nan());
}

#[test]
fn matrices_are_read_from_json_and_npy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matrices");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        matrices_from_path(&path, &Job::default())
    };
    let numbers: Vec<f64> = (0..32).map(f64::from).collect();
    let rows: Vec<&[f64]> = numbers.chunks(4).collect();
    let matrices: Vec<&[&[f64]]> = rows.chunks(4).collect();
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let deep = format!("{}[1]{}", "{\"matrices\":".repeat(100), "}".repeat(100));
    for bytes in [
        serde_json::to_vec(&matrices).unwrap(),
        serde_json::to_vec(&numbers).unwrap(),
        serde_json::to_vec(&serde_json::json!({ "matrices": matrices })).unwrap(),
        npy("<f8", "False", "(2, 4, 4)", &data),
    ] {
        assert_eq!(read(&bytes).unwrap().concat(), numbers);
    }
    for bytes in [&b"[1,2,3]"[..], b"{}", b"hello", deep.as_bytes()] {
        assert!(read(bytes).unwrap_err().to_string().contains("(joints, 4, 4)"));
    }
}

#[test]
fn frames_are_separate() {
    let data = floats(&[two(), two()].concat());
    assert!(close(&read(&npy("<f4", "False", "(2, 2, 3)", &data)), &[two(), two()]));
    let table = b"frame,x,y,z\n0,1,2,3\n0,-0.5,0.25,0.001\n4,1,2,3\n4,-0.5,0.25,0.001\n";
    assert!(close(&read(table), &[two(), two()]));
    let numbers = |bytes: &[u8]| points(bytes, None, 1 << 20).unwrap().iter().map(|f| f.number).collect::<Vec<_>>();
    assert_eq!((numbers(table), numbers(b"1,2,3\n")), (vec![Some(0), Some(4)], vec![None]));
}

#[test]
fn errors_say_what_is_wrong() {
    for (bytes, said) in [
        (&b"hello"[..], "x, y and z"),
        (b"1,2\n", "2 columns"),
        (b"x,y,z\n1,2,three\n", "line 2"),
        (b"[[1,2]]", "neither that of rigscope bake"),
        (b"\xff\xfe\x00", "format is unknown"),
        (b"ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n", "no x, y and z"),
    ] {
        let problem = points(bytes, None, 1 << 20).unwrap_err();
        assert!(problem.contains(said), "{problem}");
    }
    let wide = npy("<f4", "False", "(99999999999999999, 99999999999999999, 3)", &[]);
    assert!(points(&wide, None, 1 << 20).unwrap_err().contains("too large"));
    let deep = npy("<f4", "True", &format!("({})", "1,".repeat(30_000)), &[0; 4]);
    assert!(points(&deep, None, 1 << 20).unwrap_err().contains("dimensions"));
    let integers = npy("<i4", "False", "(1, 3)", &[0; 12]);
    assert!(points(&integers, None, 1 << 20).unwrap_err().contains("<i4"));
}
