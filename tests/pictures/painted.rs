//! Overlays on the sides: their GPU results and pixels.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::golden::assert_golden;
use common::gpu::{Still, turned, with_scene, with_scene_and_renderer};
use common::rigs;
use glam::Quat;
use rigscope::render::{FrameInput, Headless, Scene};
use rigscope::rig::{NodeIndex, Pose, Rig};
use rigscope::skinning::{Method, deform};
use rigscope::view::{Layout, Overlay, OverlayValues, Ramp, ShadingMode, Values};

const SIZE: [u32; 2] = [320, 240];

/// Returns a value for each vertex, by its index in its primitive.
fn scalars(rig: &Rig, ramp: Ramp, range: [f32; 2], value: impl Fn(usize) -> f32) -> Values {
    let parts = rig.primitives().map(|(_, p)| (0..p.positions.len()).map(&value).collect()).collect();
    Values::Scalars { parts, ramp, range }
}

fn painted(values: Values, version: u64) -> OverlayValues {
    OverlayValues { values: Arc::new(values), version }
}

fn assert_the_card_sees(scene: &mut Scene, frame: &FrameInput<'_>, actor: usize, values: &Values) {
    let seen = scene.painted(frame, actor).unwrap();
    match values {
        Values::Scalars { parts, range, .. } => {
            assert_eq!(seen.len(), parts.len());
            for (seen, part) in seen.iter().zip(parts) {
                assert_eq!(seen.len(), part.len());
                for (seen, value) in seen.iter().zip(part) {
                    match seen {
                        Some(seen) => assert!((seen.x - value).abs() <= 1e-4 * (range[1] - range[0]), "{seen} {value}"),
                        None => assert!(value.is_nan(), "{value}"),
                    }
                }
            }
        }
        Values::Colors { parts } => {
            for (seen, color) in seen.iter().flatten().zip(parts.iter().flatten()) {
                assert_eq!(seen.unwrap().to_array().map(|c| (c * 255.0).round() as u8), *color);
            }
        }
    }
}

fn assert_values_arrive(scene: &mut Scene) {
    for (name, rig) in rigs::all() {
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let mut view = still.view(Method::Lbs, [8, 8]);
        view.compare.layout = Layout::Wipe;
        let wave = |phase: f32| move |v: usize| if v % 7 == 3 { f32::NAN } else { (v as f32 * 0.37 + phase).sin() };
        let color = |v: usize| [v as u8, (v / 3) as u8, 255 - v as u8];
        let colors = rig.primitives().map(|(_, p)| (0..p.positions.len()).map(color).collect()).collect();
        let all = [
            scalars(&rig, Ramp::Diverging, [-1.0, 1.0], wave(0.0)),
            scalars(&rig, Ramp::Magnitude, [0.0, 1.0], wave(2.0)),
            Values::Colors { parts: colors },
            scalars(&rig, Ramp::Magnitude, [0.0, 1.0], wave(4.0)),
        ];
        for (i, pair) in all.windows(2).enumerate() {
            let [a, b] = [0, 1].map(|side| painted(pair[side].clone(), (i + side) as u64));
            let mut frame = painted_on_a(still.frame(&view, [8, 8]), &a);
            frame.actors[1].painted = Some(&b);
            assert_the_card_sees(scene, &frame, 0, &a.values);
            assert_the_card_sees(scene, &frame, 1, &b.values);
        }
        let nothing = scene.painted(&still.frame(&view, [8, 8]), 0).unwrap();
        assert!(nothing.iter().flatten().all(Option::is_none), "{name}");
    }
}

#[test]
fn the_card_sees_the_values_of_each_side() {
    with_scene(assert_values_arrive);
}

#[test]
fn so_it_does_with_opengl_es() {
    let headless = Headless::embedded().expect("Mesa's software device has OpenGL ES too");
    assert_values_arrive(&mut headless.scene().unwrap());
}

/// Returns the colour in the middle of a box that fills the image.
fn middle(scene: &mut Scene, value: impl Fn(usize) -> f32, ramp: Ramp, range: [f32; 2]) -> [u8; 3] {
    let rig = rigs::flat_box(1.0);
    let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
    let mut view = still.view(Method::Lbs, [64, 64]);
    (view.display.bones, view.display.grid) = (false, false);
    let values = painted(scalars(&rig, ramp, range, value), 0);
    let frame = painted_on_a(still.frame(&view, [64, 64]), &values);
    // Draws without an overlay first, because the previous call's overlay had the same version.
    scene.draw(&still.frame(&view, [64, 64])).unwrap();
    scene.draw(&frame).unwrap();
    let [r, g, b, _] = scene.pixels().unwrap().get_pixel(32, 32).0;
    [r, g, b]
}

#[test]
fn a_value_has_the_colour_of_the_legend_but_for_a_soft_shade() {
    with_scene(|scene| {
        for ramp in [Ramp::Magnitude, Ramp::Diverging] {
            for share in [0.0, 0.004, 0.1, 0.37, 0.5, 0.8, 1.0, 1.7] {
                let range = [2.0, 6.0];
                let seen = middle(scene, |_| range[0] + share * (range[1] - range[0]), ramp, range);
                let legend = ramp.color(share);
                let brightest = (0..3).max_by_key(|c| legend[*c]).unwrap();
                let shade = f32::from(seen[brightest]) / f32::from(legend[brightest]);
                assert!((0.74..=1.01).contains(&shade), "{ramp:?} {share}: {seen:?} of {legend:?}");
                for (seen, legend) in seen.into_iter().zip(legend) {
                    assert!((f32::from(seen) - f32::from(legend) * shade).abs() < 2.0, "{seen} of {legend}, {shade}");
                }
            }
        }
    });
}

#[test]
fn missing_values_are_clay_and_infinite_ones_use_the_last_colour() {
    with_scene(|scene| {
        let rig = rigs::flat_box(1.0);
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let mut view = still.view(Method::Lbs, [64, 64]);
        (view.display.bones, view.display.grid, view.display.shading) = (false, false, ShadingMode::Clay);
        let [r, g, b, _] = still.draw(scene, &view, [64, 64]).get_pixel(32, 32).0;
        assert_eq!(middle(scene, |_| f32::NAN, Ramp::Magnitude, [0.0, 1.0]), [r, g, b]);
        let mut seen = |value| middle(scene, |_| value, Ramp::Magnitude, [0.0, 1.0]);
        assert_eq!(seen(f32::INFINITY), seen(1.0));
        assert_eq!(seen(f32::NEG_INFINITY), seen(0.0));
        let range = [f32::NAN, f32::INFINITY];
        assert_eq!(middle(scene, |_| 0.0, Ramp::Magnitude, range), middle(scene, |_| 0.0, Ramp::Magnitude, [0.0, 0.0]));
    });
}

#[test]
fn other_values_are_another_picture_and_the_same_ones_are_not() {
    with_scene(|scene| {
        let rig = rigs::twisted_tube(0.8);
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let view = still.view(Method::Lbs, [32, 32]);
        let values = |version| painted(scalars(&rig, Ramp::Magnitude, [0.0, 1.0], |_| 0.5), version);
        let mut draws =
            |painted: &OverlayValues| scene.draw(&painted_on_a(still.frame(&view, [32, 32]), painted)).unwrap();
        assert_eq!([values(1), values(1), values(2)].each_ref().map(&mut draws), [true, false, true]);
    });
}

fn painted_on_a<'a>(mut frame: FrameInput<'a>, painted: &'a OverlayValues) -> FrameInput<'a> {
    frame.actors[0].painted = Some(painted);
    frame
}

/// Returns the distance between the methods, and how much higher DQS places each vertex than LBS.
fn fields(still: &Still) -> [Values; 2] {
    let deformed = |method| {
        let instances = still.rig.instances.iter().enumerate();
        let parts = instances.flat_map(move |(i, instance)| {
            let primitives = still.rig.meshes[instance.mesh].primitives.iter();
            primitives.map(move |p| deform(p, &still.palettes()[i], &[], method).positions)
        });
        parts.collect::<Vec<_>>()
    };
    let [lbs, dqs] = Method::ALL.map(deformed);
    let both = |value: fn(glam::Vec3, glam::Vec3) -> f32| {
        let parts = lbs.iter().zip(&dqs).map(|(l, d)| l.iter().zip(d).map(|(l, d)| value(*l, *d)).collect());
        parts.collect()
    };
    [
        Values::Scalars { parts: both(glam::Vec3::distance), ramp: Ramp::Magnitude, range: [0.0, 0.2] },
        Values::Scalars { parts: both(|l, d| d.y - l.y), ramp: Ramp::Diverging, range: [-0.2, 0.2] },
    ]
}

#[test]
fn paintings_look_as_they_did() {
    with_scene_and_renderer(|scene, renderer| {
        let rig = rigs::twisted_tube(0.8);
        let still =
            Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.35) * Quat::from_rotation_x(2.6)));
        let [distance, signed] = fields(&still).map(|values| painted(values, 1));
        let mut view = still.view(Method::Dqs, SIZE);
        view.sides.iter_mut().for_each(|side| side.options.overlay = Some(Overlay::Distance));
        view.display.bones = false;
        for (name, painted, is_dark) in
            [("painted_magnitude", &distance, true), ("painted_diverging_light", &signed, false)]
        {
            view.display.is_dark = is_dark;
            // Draws without an overlay first, because values with the same version are assumed to be equal.
            scene.draw(&still.frame(&view, SIZE)).unwrap();
            scene.draw(&painted_on_a(still.frame(&view, SIZE), painted)).unwrap();
            assert_golden(name, &scene.pixels().unwrap(), renderer);
        }
    });
}
