use glam::DVec3;

use super::*;

const RED: [u8; 3] = [255, 0, 0];

/// Two sheets. The back sheet is smaller and two pixels behind the front one. If `is_other`, the back sheet is split
/// along the other diagonal.
fn plate(is_other: bool) -> Arc<Rig> {
    let mut back = square(ALL[0] * 0.7, ALL[1] * 0.7, -4.0 * HALF / SIDE as f32);
    if is_other {
        back.indices = vec![0, 1, 3, 1, 2, 3];
    }
    let material = Material { is_double_sided: true, ..unlit([1.0, 0.0, 0.0], 1.0, Alpha::Opaque) };
    rig(vec![(square(ALL[0], ALL[1], 0.0), material.clone()), (back, material)], Vec::new())
}

fn seen_from(yaw: f32, pitch: f32, is_orthographic: bool) -> View {
    let mut view = view(ShadingMode::Textured, false);
    view.camera = Camera { yaw, pitch, is_orthographic, scene_size: 1.0, ..view.camera };
    view
}

#[test]
fn wires_lie_on_their_surface_and_never_show_the_far_side_of_a_thin_body() {
    for is_orthographic in [false, true] {
        for yaw in [0.0, 0.6, 1.0, 1.2] {
            let mut view = seen_from(yaw, 0.1, is_orthographic);
            let bare = picture(&plate(false), &view);
            view.display.wireframe = true;
            let [one, other] = [false, true].map(|is_other| picture(&plate(is_other), &view));
            let differ = one.enumerate_pixels().filter(|(x, y, pixel)| other.get_pixel(*x, *y) != *pixel);
            let seen: Vec<_> = differ.map(|(x, y, _)| (x, y)).collect();
            assert!(seen.is_empty(), "edges behind the body are seen at {yaw}, parallel: {is_orthographic}: {seen:?}");
            let crosses = |y: &u32| (SIDE / 4..SIDE * 3 / 4).any(|x| one.get_pixel(x, *y) != bare.get_pixel(x, *y));
            let (from, to) = (SIDE / 4, SIDE * 3 / 4);
            let rows = (from..to).filter(crosses).count();
            assert_eq!(rows, (to - from) as usize, "the edge has gaps at {yaw}, parallel: {is_orthographic}");
        }
    }
}

#[test]
fn soles_on_the_ground_hide_its_grid_from_every_angle() {
    let corners = [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)];
    let sole = Primitive {
        positions: corners.map(|c| Vec3::new(c.x, 0.0, c.y)).to_vec(),
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    };
    let material = Material { is_double_sided: true, ..unlit([1.0, 0.0, 0.0], 1.0, Alpha::Opaque) };
    let rig = rig(vec![(sole, material)], Vec::new());
    for is_orthographic in [false, true] {
        for pitch in [-1.2, -0.3, -0.04, 0.04, 0.3, 1.2] {
            let mut view = seen_from(0.3, pitch, is_orthographic);
            let bare = picture(&rig, &view);
            view.display.grid = true;
            let on_ground = picture(&rig, &view);
            let soles = bare.pixels().zip(on_ground.pixels()).filter(|(bare, _)| bare.0[..3] == RED);
            let (covered, over): (Vec<_>, Vec<_>) = soles.partition(|(bare, there)| bare == there);
            assert!(!covered.is_empty() && over.is_empty(), "{} pixels of {} at {pitch}", over.len(), covered.len());
            assert_ne!(bare, on_ground, "the grid is there");
        }
    }
}

#[test]
fn posed_vertices_near_or_far_from_the_camera_are_drawn() {
    // Distances from the eye in metres. The eye is 4 m from the origin.
    for (distance, half, projections) in
        [(0.003, 0.002, &[false][..]), (900.0, 400.0, &[false, true]), (-900.0, 400.0, &[true])]
    {
        let sheet = square(ALL[0] * half, ALL[1] * half, 4.0 - distance);
        let rig = rig(vec![(sheet, unlit([1.0, 0.0, 0.0], 1.0, Alpha::Opaque))], Vec::new());
        for &is_orthographic in projections {
            let mut view = seen_from(0.0, 0.0, is_orthographic);
            view.camera.target = rig.hierarchy.from_file(DVec3::ZERO);
            let seen = at(&picture(&rig, &view), Vec2::ZERO);
            assert_eq!(seen, RED, "at {distance} m, parallel: {is_orthographic}");
        }
    }
}
