//! Vertices marked by a finding, in the image.

use crate::common;

use std::sync::Arc;

use common::gpu::{Still, turned, with_scene};
use common::rigs;
use glam::{Quat, Vec2, Vec3};
use image::{Rgba, RgbaImage};
use rigscope::rig::{NodeIndex, PrimitiveIndex};
use rigscope::skinning::{Method, RigSkinning};
use rigscope::view::{VertexSet, View};

const SIZE: [u32; 2] = [240, 160];

fn is_yellow(picture: &RgbaImage, at: Vec2) -> bool {
    let [r, g, b, _] = picture.get_pixel(at.x as u32, at.y as u32).0;
    r > 200 && g > 150 && b < 140
}

#[test]
fn marks_lie_on_their_vertices_in_every_pose_and_method() {
    with_scene(|scene| {
        let rig = rigs::twisted_tube(0.8);
        let still = Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.7)));
        for method in Method::ALL {
            let mut view = View { marked: marks(&[40, 700]), ..still.view(method, SIZE) };
            view.display.bones = false;
            let lens = view.camera.lens(Vec2::new(SIZE[0] as f32, SIZE[1] as f32));
            let places = positions(&view.marked[0], &still, method);
            let marked = still.draw(scene, &view, SIZE);
            let plain = still.draw(scene, &View { marked: Vec::new(), ..view.clone() }, SIZE);
            let seen: Vec<Vec2> = places.iter().filter_map(|p| lens.project(*p)).collect();
            assert_eq!(seen.len(), 2);
            let on_marks = |picture: &RgbaImage| seen.iter().filter(|at| is_yellow(picture, **at)).count();
            assert!(on_marks(&marked) >= 1, "{method}: {seen:?}");
            assert_eq!(on_marks(&plain), 0, "{method}");
            assert_ne!(marked, plain);
        }
    });
}

#[test]
fn a_mark_of_another_rig_is_nowhere() {
    let rig = rigs::twisted_tube(0.8);
    let still = Still::new(&rig, rigscope::rig::Pose::rest(&rig.hierarchy));
    assert_eq!(positions(&marks(&[1_000_000])[0], &still, Method::Lbs), []);
    let elsewhere = VertexSet { part: PrimitiveIndex { instance: 7, primitive: 0 }, vertices: Arc::from([0_u32]) };
    assert_eq!(positions(&elsewhere, &still, Method::Lbs), []);
}

fn positions(mark: &VertexSet, still: &Still, method: Method) -> Vec<Vec3> {
    let skinning = RigSkinning { skinning: &method.into(), centers: None };
    mark.positions(&still.rig, still.skin_pose(), skinning)
}

fn marks(vertices: &[u32]) -> Vec<VertexSet> {
    vec![VertexSet { part: PrimitiveIndex { instance: 0, primitive: 0 }, vertices: vertices.into() }]
}

#[test]
fn a_hovered_joint_outlines_the_skin_that_it_moves_and_hardly_tints_it() {
    with_scene(|scene| {
        let rig = rigs::twisted_tube(0.8);
        let still = Still::new(&rig, rigscope::rig::Pose::rest(&rig.hierarchy));
        let mut view = still.view(Method::Lbs, SIZE);
        view.display.bones = false;
        let plain = still.draw(scene, &view, SIZE);
        let joint = rig.skins[0].joints[1];
        let hovered = still.draw(scene, &View { hovered: Some(joint), ..view.clone() }, SIZE);
        let lens = view.camera.lens(Vec2::new(SIZE[0] as f32, SIZE[1] as f32));
        let primitive = &rig.meshes[0].primitives[0];
        let (mut own, mut others) = (0, 0);
        let normals = primitive.normals.as_ref().unwrap();
        let toward = |at: Vec3| lens.to_viewer(at).normalize_or_zero();
        let in_front = |vertex: &usize| normals[*vertex].dot(toward(primitive.positions[*vertex])) > 0.6;
        for vertex in (0..primitive.positions.len()).filter(in_front) {
            let weights = primitive.influences.as_ref().unwrap().vertex(vertex);
            let weight: f32 = weights.filter(|(joint, _)| *joint == 1).map(|(_, weight)| weight).sum();
            let at = lens.project(primitive.positions[vertex]).unwrap().as_uvec2();
            let [a, b] = [&plain, &hovered].map(|picture| picture.get_pixel(at.x, at.y).0);
            // The yellow highlight reduces blue. A pixel next to the vertex may have a small weight.
            let change = i32::from(a[2]) - i32::from(b[2]);
            if weight > 0.9 {
                assert!((1..=30).contains(&change), "{vertex} at {at}: {change}");
                own += 1;
            } else if weight == 0.0 {
                assert!(change <= 4, "{vertex} at {at}: {change}");
                others += 1;
            }
        }
        assert!(own > 10 && others > 10, "{own} {others}");
        let strong = |(a, b): &(&Rgba<u8>, &Rgba<u8>)| (0..3).any(|i| a.0[i].abs_diff(b.0[i]) > 50);
        let outline = plain.pixels().zip(hovered.pixels()).filter(strong).count();
        let all = (SIZE[0] * SIZE[1]) as usize;
        assert!((40..all / 20).contains(&outline), "{outline} of {all} pixels");
    });
}
