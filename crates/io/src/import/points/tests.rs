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
fn frames_are_separate() {
    let data = floats(&[two(), two()].concat());
    assert!(close(&read(&npy("<f4", "False", "(2, 2, 3)", &data)), &[two(), two()]));
    assert!(close(&read(b"frame,x,y,z\n0,1,2,3\n0,-0.5,0.25,0.001\n4,1,2,3\n4,-0.5,0.25,0.001\n"), &[two(), two()]));
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
    let integers = npy("<i4", "False", "(1, 3)", &[0; 12]);
    assert!(points(&integers, None, 1 << 20).unwrap_err().contains("<i4"));
}
