use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec4};

use super::*;
use crate::render::gl::driver::is_software;
use rigscope_core::rig::{Bounds, Coat, CoordSet, Image, Material, MaterialIndex, Sheen, Texture, Wrap};
use rigscope_core::view::ShadingMode;

/// A skinned hemisphere, open at the front so that its inside is visible.
fn bowl(rings: u32, material: Material) -> Arc<Rig> {
    let columns = 4 * rings;
    let vertices = || (0..=rings).flat_map(|ring| (0..=columns).map(move |column| [ring, column]));
    let place = |[ring, column]: [u32; 2]| {
        let (height, turn) = (ring as f32 / rings as f32 * 0.5 * PI, column as f32 / columns as f32 * TAU);
        Vec3::new(height.sin() * turn.cos(), height.sin() * turn.sin(), -height.cos())
    };
    let cell = |ring: u32, column: u32| {
        let [a, b] = [ring, ring + 1].map(|ring| ring * (columns + 1) + column);
        [a, b, b + 1, a, b + 1, a + 1]
    };
    let count = vertices().count();
    let primitive = Primitive {
        positions: vertices().map(place).collect(),
        normals: Some(vertices().map(place).collect()),
        tex_coords: Some(vertices().map(|at| Vec2::from(at.map(|step| step as f32 / rings as f32))).collect()),
        colors: Some(vertices().map(|[_, column]| Vec4::new(1.0, 0.5, column as f32 / columns as f32, 1.0)).collect()),
        indices: (0..rings).flat_map(|ring| (0..columns).flat_map(move |column| cell(ring, column))).collect(),
        influences: Some(Influences::new(1, vec![0; count], vec![1.0; count])),
        material: Some(MaterialIndex(0)),
        ..Primitive::default()
    };
    Arc::new(Rig::new(RigData {
        materials: vec![material],
        images: vec![Image { width: 1, height: 2, rgba: [[200, 30, 30, 255], [30, 200, 90, 255]].concat().into() }],
        ..on_one_node(vec![vec![primitive]], &[(0, Some(0))])
    }))
}

/// Returns the histogram of channel differences between CPU and GPU skinning, and true for a software driver.
fn apart(headless: &Headless, rig: &Arc<Rig>, view: &View) -> ([usize; 256], bool) {
    let mut scene = headless.scene().expect("a scene");
    let pose = Pose::rest(&rig.hierarchy);
    let actor = posed_actor(rig, &pose);
    let [on_cpu, on_gpu] = [(SkinningDevice::Cpu, 1), (SkinningDevice::Gpu, 2)].map(|(device, version)| {
        scene.set_skinning_device(device);
        let frame = FrameInput::for_actor(&actor, (&pose, view), [320, 240]);
        scene.draw(&FrameInput { version, ..frame }).expect("it draws");
        scene.pixels().expect("it was drawn").into_raw()
    });
    let mut apart = [0; 256];
    on_cpu.iter().zip(&on_gpu).for_each(|(a, b)| apart[usize::from(a.abs_diff(*b))] += 1);
    (apart, is_software(&scene.context))
}

#[test]
fn fine_meshes_look_the_same_with_light_on_vertices_and_coarse_ones_have_none() {
    let plain = Material { roughness: 0.5, ..Material::default() };
    let metal = Material { metallic: 1.0, roughness: 0.4, is_double_sided: true, ..plain.clone() };
    let layers = Material {
        coat: Coat { strength: 1.0, roughness: 0.3, ..Coat::default() },
        sheen: Sheen { color: Vec3::splat(0.5), roughness: 0.5 },
        ..metal.clone()
    };
    let texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    let textured = Material { texture: Some(texture), ..metal.clone() };
    let mut view = View::default();
    view.camera.frame(Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE }, 320.0 / 240.0);
    view.camera.orbit(0.7, 0.2);
    let mut looks = vec![(metal.clone(), ShadingMode::Clay)];
    looks.extend([plain, metal, layers, textured].map(|material| (material, ShadingMode::Textured)));
    // Windows has no OpenGL ES without a driver's extension.
    let embedded = (!cfg!(windows)).then(Headless::embedded);
    // OpenGL ES compiles the same shaders, so the looks with most code are enough.
    let contexts = std::iter::once((Headless::new(), &looks[..])).chain(embedded.map(|context| (context, &looks[3..])));
    for (headless, looks) in contexts {
        let headless = headless.expect("Mesa's software device is enough");
        for (material, look) in looks {
            view.display.shading = *look;
            let (apart_by, is_software) = apart(&headless, &bowl(90, material.clone()), &view);
            let all: usize = apart_by.iter().sum();
            let beyond = |max_difference: usize| apart_by[max_difference + 1..].iter().sum::<usize>();
            assert_eq!(beyond(0) > 0, is_software, "lit by vertex where the driver draws on the processor");
            // Border pixels are lit either at their centre, which may be outside the surface, or at the centroid.
            assert!(beyond(2) < all / 100 && beyond(8) < all / 500, "{apart_by:?}: {material:?}");
            // Skinning on the graphics card and on the CPU may round differently.
            let is_alike = |apart_by: [usize; 256]| apart_by[0] > all - 10 && apart_by[0] + apart_by[1] == all;
            assert!(is_alike(apart(&headless, &bowl(20, material.clone()), &view).0), "few triangles");
            let mut close = view.clone();
            close.camera.distance *= 0.3;
            assert!(is_alike(apart(&headless, &bowl(60, material.clone()), &close).0), "large on the screen");
        }
    }
}

#[test]
fn the_shadow_under_a_fine_mesh_is_that_of_its_triangles() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut view = View::default();
    view.camera.frame(Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE }, 320.0 / 240.0);
    view.camera.orbit(0.7, 0.2);
    view.display.shading = ShadingMode::Flat;
    for is_dark in [true, false] {
        view.display.is_dark = is_dark;
        let (apart_by, is_software) = apart(&headless, &bowl(150, Material::default()), &view);
        let all: usize = apart_by.iter().sum();
        let beyond = |max_difference: usize| apart_by[max_difference + 1..].iter().sum::<usize>();
        assert_eq!(
            beyond(0) > 20,
            is_software,
            "by vertices where the driver draws on the processor: {:?}",
            &apart_by[..9]
        );
        // Walls that the map shows edge-on are thicker by half a texel.
        assert!(beyond(2) < all / 500 && beyond(16) == 0, "{apart_by:?}");
    }
}
