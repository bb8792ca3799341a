use super::*;
use crate::render::gl::gl_faults::{Faults, with_faults};
use rigscope_core::rig::{MorphTarget, PrimitiveIndex};
use rigscope_core::skinning::{Method, Skinner};

const FEW_ROWS: i32 = 4;

/// A sheet with six morph targets that move every vertex and normal differently: 36,000 displacements.
fn morphed_sheet() -> Arc<Rig> {
    let count = 3000;
    let spread = |vertex: usize, factor: f32| (vertex as f32 * factor).sin();
    let target = |number: usize| {
        let factor = 0.1 + number as f32;
        let way =
            |vertex| Vec3::new(spread(vertex, factor), spread(vertex, 0.7 * factor), spread(vertex, 0.3 * factor));
        MorphTarget {
            positions: (0..count).map(way).collect(),
            normals: (0..count).map(|vertex| -way(vertex)).collect(),
            ..MorphTarget::default()
        }
    };
    let sheet = Primitive {
        positions: (0..count).map(|vertex| Vec3::new(spread(vertex, 1.3), 0.0, spread(vertex, 2.1))).collect(),
        normals: Some(vec![Vec3::Y; count]),
        morph_targets: (0..6).map(target).collect(),
        indices: (0..count as u32).collect(),
        ..Primitive::default()
    };
    let mut data = on_one_node(vec![vec![sheet]], &[(0, None)]);
    data.instances[0].morph_weights = vec![0.3, 0.0, -0.4, 0.2, 0.1, 0.5];
    Arc::new(Rig::new(data))
}

#[test]
fn morph_targets_beyond_the_side_of_a_texture_are_on_the_card_as_on_the_cpu() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let rig = morphed_sheet();
    let (pose, view) = (Pose::rest(&rig.hierarchy), View::default());
    let actor = posed_actor(&rig, &pose);
    let frame = still(&actor, &pose, &view);
    let skinned = |faults| {
        with_faults(faults, || {
            let mut scene = headless.scene().expect("a scene");
            scene.set_skinning_device(SkinningDevice::Gpu);
            scene.skinned(&frame).expect("several layers have room").remove(0).remove(0)
        })
    };
    let narrow = skinned(Faults { max_texture_side: Some(FEW_ROWS), ..Faults::default() });
    let mut expected = Deformed::default();
    let part = PrimitiveIndex { instance: 0, primitive: 0 };
    let skinner = Skinner::new(&rig, &Skinning::new(Method::Lbs)).expect("a plain rig");
    skinner.deform_into(part, actor.pose.skin_pose(), &mut expected);
    assert_eq!(narrow.positions.len(), expected.positions.len());
    let normals = |deformed: &Deformed| deformed.normals.clone().expect("the sheet has normals");
    for (what, [drawn, wanted]) in [
        ("positions", [&narrow.positions, &expected.positions].map(Clone::clone)),
        ("normals", [&narrow, &expected].map(normals)),
    ] {
        let farthest = drawn.iter().zip(&wanted).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(farthest < 1e-5, "{what} are {farthest} off");
    }
    let moved = narrow.positions.iter().zip(&rig.meshes[0].primitives[0].positions);
    assert!(moved.filter(|(a, b)| a.distance(**b) > 0.01).count() > 2900, "the targets move what they are to move");
}

fn tried(scene: &mut Scene, rig: &Arc<Rig>, faults: Faults) -> Result<bool, RenderError> {
    let (pose, view) = (Pose::rest(&rig.hierarchy), View::default());
    let actor = posed_actor(rig, &pose);
    with_faults(faults, || scene.draw(&still(&actor, &pose, &view)))
}

#[test]
fn out_of_gpu_memory_is_reported_and_drawing_recovers() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    let rig = many_parts();
    let full = Faults { has_no_memory: true, ..Faults::default() };
    assert!(tried(&mut scene, &rig, Faults::default()).expect("it draws"));
    let before = scene.pixels().expect("it was drawn");
    let another = Arc::new(Rig::clone(&rig));
    let problem = tried(&mut scene, &another, full).expect_err("there is no memory");
    assert!(matches!(problem, RenderError::OutOfMemory), "{problem}");
    assert!(problem.to_string().contains("out of memory; close other programs"), "{problem}");
    assert!(matches!(scene.pixels(), Err(RenderError::NoPicture)));
    assert!(scene.characters.is_empty() && scene.pictures.current().is_none(), "there is room for another try");
    let prepared = with_faults(full, || scene.prepare(&another));
    assert!(matches!(prepared, Err(RenderError::OutOfMemory)));
    assert!(tried(&mut scene, &rig, Faults::default()).expect("there is memory again"));
    assert_eq!(scene.pixels().expect("it was drawn"), before);
}

#[test]
fn lost_context_is_distinguished_from_its_consequences() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    let lost = Faults { is_lost: true, ..Faults::default() };
    let problem = tried(&mut scene, &many_parts(), lost).expect_err("the context is lost");
    assert!(matches!(problem, RenderError::ContextLost), "{problem}");
    assert!(!problem.can_be_retried());
}

#[test]
fn a_refused_program_is_named_and_compiled_again_when_it_is_wanted_again() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    let (rig, refusing) = (many_parts(), Faults { refuses_programs: true, ..Faults::default() });
    let problem = tried(&mut scene, &rig, refusing).expect_err("no program is taken");
    assert!(matches!(problem, RenderError::Program { .. }), "{problem}");
    assert!(problem.to_string().lines().count() == 1 && problem.to_string().len() < 400, "{problem}");
    assert!(problem.can_be_retried());
    assert!(tried(&mut scene, &rig, Faults::default()).expect("the driver takes them now"));
}
