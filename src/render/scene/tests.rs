use super::super::Headless;
use super::*;
use crate::rig::{Pose, Posed, Rig};
use crate::view::{PerSide, ShownSide, View};
use three_d::{ClearState, Interpolation, Texture2D, Wrapping};

#[test]
fn scenes_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<Scene>();
}

#[test]
fn a_rig_without_anything_is_an_empty_picture_and_paint_copies_it_into_its_rectangle() {
    let headless = Headless::new().unwrap();
    let mut scene = headless.scene().unwrap();
    let (rig, posed, pose, view) = (Arc::new(Rig::default()), Posed::default(), Pose::default(), View::default());
    let frame = FrameInput {
        rig: &rig,
        sides: PerSide::both(ShownSide::new(&posed, &[])),
        centers: None,
        pose: &pose,
        view: &view,
        size: [16, 8],
        pixels_per_point: 1.0,
        version: 0,
    };
    assert!(scene.draw(&frame).unwrap());
    let picture = scene.pixels().unwrap();

    let (nearest, clamp) = (Interpolation::Nearest, Wrapping::ClampToEdge);
    let screen = Texture2D::new_empty::<[u8; 4]>(&scene.context, 20, 12, nearest, nearest, None, clamp, clamp);
    let target = screen.as_color_target(None);
    target.clear(ClearState::color(1.0, 0.0, 0.0, 1.0));
    target
        .write::<RenderError>(|| {
            scene.paint([3, 2, 16, 8]);
            Ok(())
        })
        .unwrap();
    let pixels: Vec<[u8; 4]> = target.read();
    let at = |x: usize, from_top: usize| pixels[from_top * 20 + x];
    assert_eq!(at(2, 5), [255, 0, 0, 255], "left of the rectangle");
    assert_eq!(at(3, 2), picture.get_pixel(0, 0).0, "its top left corner");
    assert_eq!(at(18, 9), picture.get_pixel(15, 7).0, "its bottom right corner");
    assert_eq!(at(18, 10), [255, 0, 0, 255], "below it");
}
