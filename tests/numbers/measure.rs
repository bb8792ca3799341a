//! Measurements of deformed surfaces, compared with closed forms on the built-in tube and with simple loops on small
//! rigs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use common::rigs;
use glam::{Quat, Vec3};
use rigscope::analysis::influence_error::{common_limits, frames, influence_errors};
use rigscope::analysis::lint::{Code, Finding, Target};
use rigscope::analysis::measure::{SurfaceDistance, SurfaceSize, VertexLocation};
use rigscope::analysis::probe::probe;
use rigscope::analysis::sides::SideMeasurer;
use rigscope::analysis::twist::{Axes, RotationKind, TestRange, TestRotation, TwistTest, rank, sweep};
use rigscope::analysis::{RestReference, Topology, deform_into, field};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::posing::Limits;
use rigscope::rig::{Influences, NodeIndex, Pose, Posed, Primitive, Rig, Trs, evaluate};
use rigscope::skinning::{Centers, Deformed, Method, Palette, SkinPose, Skinner, Skinning, deform, palettes};
use rigscope::stage::{BuiltIn, CentersPlan, DerivedResult, Document, MeasurePlan, Source};
use rigscope::state::{AppState, Command, JobResult, Settings};
use rigscope::view::{Overlay, PerSide, Side, Values};

/// Dimensions of the built-in tube, metres; see `assets/make/characters/tube.rs`.
pub(crate) const RADIUS: f64 = 0.25;
pub(crate) const STRAIGHT: f64 = 0.75;
const RAMP: f64 = 0.4;

fn tube() -> Arc<Rig> {
    Arc::new(import_bytes(BuiltIn::Tube.bytes(), &Job::default()).unwrap().rig)
}

fn node(rig: &Rig, name: &str) -> NodeIndex {
    rig.hierarchy.node_named(name).unwrap()
}

/// Returns the pose with a joint rotated about one of its axes, by an angle in degrees.
fn turned(rig: &Rig, joint: NodeIndex, axis: Vec3, degrees: f32) -> (Pose, Posed) {
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(joint, Trs::from_rotation(Quat::from_axis_angle(axis, degrees.to_radians())));
    let posed = evaluate(rig, None, &pose);
    (pose, posed)
}

fn surfaces(rig: &Arc<Rig>, posed: &Posed, method: Method) -> (Vec<Arc<Palette>>, Vec<Vec<Deformed>>) {
    let skinner = Skinner::new(rig, &Skinning::new(method)).unwrap();
    let palettes = palettes(rig, posed);
    let mut surfaces = Vec::new();
    deform_into(&skinner, SkinPose { posed, palettes: &palettes }, &mut surfaces);
    (palettes, surfaces)
}

/// Returns the weight of the twisted joint on the ring at distance `x` from the joint.
pub(crate) fn weight(x: f64) -> f64 {
    let t = (x / RAMP + 0.5).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns the factor by which LBS scales the radius where the twisted joint has weight `w`.
pub(crate) fn radius_ratio(w: f64, angle: f64) -> f64 {
    (1.0 - 4.0 * w * (1.0 - w) * (angle / 2.0).sin().powi(2)).sqrt()
}

/// Integrates over x from -0.2 to 0.2, where both joints have weight.
pub(crate) fn over_ramp(f: impl Fn(f64) -> f64) -> f64 {
    const STEPS: i32 = 4000;
    let dx = RAMP / f64::from(STEPS);
    (0..STEPS).map(|i| f((f64::from(i) + 0.5) * dx - RAMP / 2.0) * dx).sum()
}

#[test]
fn volume_area_and_distance_of_a_twisted_tube_are_those_of_the_formulas() {
    let (rig, topology) = (tube(), Topology::new(&tube()));
    let middle = node(&rig, "Middle");
    let whole_volume = PI * RADIUS.powi(2) * 2.0 * STRAIGHT + 4.0 / 3.0 * PI * RADIUS.powi(3);
    let whole_area = TAU * RADIUS * 2.0 * STRAIGHT + 4.0 * PI * RADIUS.powi(2);
    for degrees in (-180..=180).step_by(10) {
        let angle = f64::from(degrees).to_radians();
        let ratio = |x: f64| radius_ratio(weight(x), angle);
        let slope = |x: f64| (ratio(x + 1e-5) - ratio(x - 1e-5)) / 2e-5 * RADIUS;
        let lost_volume = over_ramp(|x| PI * RADIUS.powi(2) * (1.0 - ratio(x).powi(2)));
        let lost_area = over_ramp(|x| TAU * RADIUS * (1.0 - ratio(x) * slope(x).hypot(1.0)));
        let apart = |x: f64| {
            let w = weight(x);
            let turn = 2.0 * (w * (angle / 2.0).sin()).atan2((1.0 - w) + w * (angle / 2.0).cos());
            RADIUS * (1.0 - w + w * angle.cos() - turn.cos()).hypot(w * angle.sin() - turn.sin())
        };
        let most = (0..=1000).map(|i| apart((f64::from(i) / 1000.0 - 0.5) * RAMP)).fold(0.0, f64::max);

        let (_, posed) = turned(&rig, middle, Vec3::X, degrees as f32);
        let (palettes, lbs) = surfaces(&rig, &posed, Method::Lbs);
        let (_, dqs) = surfaces(&rig, &posed, Method::Dqs);
        let size = |surfaces: &[Vec<Deformed>]| SurfaceSize::new(&rig, &topology, &palettes, surfaces);
        let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.01;
        assert!(near(size(&lbs).volume, whole_volume - lost_volume), "LBS volume at {degrees}°");
        assert!(near(size(&lbs).area, whole_area - lost_area), "LBS area at {degrees}°");
        assert!(near(size(&dqs).volume, whole_volume), "DQS volume at {degrees}°");
        assert!(near(size(&dqs).area, whole_area), "DQS area at {degrees}°");
        let distance = SurfaceDistance::from_field(&rig, &field::distance(&lbs, &dqs));
        assert!((distance.max - most).abs() <= 0.01 * most + 1e-6, "distance at {degrees}°: {distance:?} {most}");
        let joint = distance.joint.map(|j| rig.hierarchy.name(j));
        assert!(degrees == 0 || matches!(joint, Some("Middle" | "Near")), "{joint:?}");
    }
}

#[test]
fn the_determinant_on_the_middle_ring_is_the_squared_cosine_of_half_the_angle() {
    let rig = tube();
    let rest = RestReference::new(&Skinner::new(&rig, &Skinning::default()).unwrap());
    let primitive = &rig.meshes[0].primitives[0];
    let ring: Vec<usize> = (0..primitive.positions.len()).filter(|&v| primitive.positions[v].x.abs() < 1e-6).collect();
    assert!(ring.len() >= 64);
    for degrees in (0..=180).step_by(10) {
        let (_, posed) = turned(&rig, node(&rig, "Middle"), Vec3::X, degrees as f32);
        let palettes = palettes(&rig, &posed);
        let expected = (degrees as f32 / 2.0).to_radians().cos().powi(2);
        let (plain, ratio) = (field::determinant(&rig, &palettes), field::determinant_ratio(&rig, &palettes, &rest));
        for &v in &ring {
            assert!((plain[0][v] - expected).abs() < 1e-5, "{degrees}°: {}", plain[0][v]);
            assert!((ratio[0][v] - expected).abs() < 1e-4, "{degrees}°: {}", ratio[0][v]);
        }
    }
}

#[test]
fn distances_are_those_of_a_plain_loop() {
    for (name, rig) in rigs::all() {
        let last = rig.hierarchy.nodes().last().unwrap();
        let (_, posed) = turned(&rig, last, Vec3::new(0.6, 0.0, 0.8), 100.0);
        let [(_, a), (_, b)] = [Method::Lbs, Method::Dqs].map(|method| surfaces(&rig, &posed, method));
        let field = field::distance(&a, &b);
        let (mut max, mut sum, mut count) = (0.0_f64, 0.0, 0);
        for ((a, b), values) in a.iter().flatten().zip(b.iter().flatten()).zip(&field) {
            assert_eq!(values.len(), a.positions.len());
            for ((a, b), value) in a.positions.iter().zip(&b.positions).zip(values) {
                assert_eq!(*value, a.distance(*b));
                (max, sum, count) = (max.max(f64::from(*value)), sum + f64::from(*value), count + 1);
            }
        }
        let found = SurfaceDistance::from_field(&rig, &field);
        assert_eq!(found.max, max, "{name}");
        assert!((found.mean - sum / f64::from(count)).abs() < 1e-9, "{name}");
        let worst = found.worst.map(|p| {
            a[p.instance][p.primitive].positions[p.vertex].distance(b[p.instance][p.primitive].positions[p.vertex])
        });
        assert_eq!(worst.map_or(0.0, f64::from), max, "{name}");
    }
}

#[test]
fn even_scale_stretches_everything_alike_and_rest_is_no_change() {
    for (name, rig) in rigs::all().into_iter().filter(|(name, _)| *name != "morphed tube") {
        let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
        let (rest, topology) = (RestReference::new(&skinner), Topology::new(&rig));
        for factor in [1.0, 2.0_f32] {
            let mut pose = Pose::rest(&rig.hierarchy);
            let scaled = Trs { scale: Vec3::splat(factor), ..Trs::IDENTITY };
            pose.set_user_local(NodeIndex(0), scaled);
            let posed = evaluate(&rig, None, &pose);
            let (palettes, surfaces) = surfaces(&rig, &posed, Method::Lbs);
            let octave = factor.log2();
            let all_near = |field: Vec<Vec<f32>>, expected: f32, what: &str| {
                let worst = field.iter().flatten().map(|x| (x - expected).abs()).fold(0.0, f32::max);
                assert!(worst < 2e-3 && field.iter().flatten().any(|x| x.is_finite()), "{name} {what}: {worst}");
            };
            all_near(field::edge_stretch(&rig, &topology, &rest, &surfaces), octave, "edges");
            all_near(field::area_stretch(&rig, &topology, &rest, &surfaces), 2.0 * octave, "areas");
            all_near(field::determinant_ratio(&rig, &palettes, &rest), factor.powi(3), "determinants");
        }
    }
}

#[test]
fn normals_deviate_where_a_blend_folds_and_not_at_rest() {
    let rig = tube();
    let topology = Topology::new(&rig);
    let deviation = |degrees: f32| {
        let (_, posed) = turned(&rig, node(&rig, "Middle"), Vec3::Z, degrees);
        let (palettes, surfaces) = surfaces(&rig, &posed, Method::Dqs);
        field::normal_deviation(&rig, &topology, &palettes, &surfaces).concat()
    };
    let most = |field: &[f32]| field.iter().copied().filter(|x| x.is_finite()).fold(0.0, f32::max);
    assert!(most(&deviation(0.0)) < 0.06, "{}", most(&deviation(0.0)));
    assert!(most(&deviation(120.0)) > 0.5, "{}", most(&deviation(120.0)));
    let far: Vec<f32> = deviation(120.0)
        .into_iter()
        .zip(&rig.meshes[0].primitives[0].positions)
        .filter(|(_, p)| p.x.abs() > 0.25 && p.x.abs() < 0.7)
        .map(|(value, _)| value)
        .collect();
    assert!(far.len() > 1000 && most(&far) < 0.06, "where nothing blends the normals stay: {}", most(&far));
}

#[test]
fn a_mirrored_character_has_the_volume_and_the_normals_of_the_other() {
    let [plain, mirrored] = [1.0, -1.0].map(rigs::flat_box);
    let volume = |rig: &Arc<Rig>| {
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let (palettes, surfaces) = surfaces(rig, &posed, Method::Lbs);
        SurfaceSize::new(rig, &Topology::new(rig), &palettes, &surfaces)
    };
    assert!((volume(&plain).volume - 2.0).abs() < 1e-5 && (volume(&plain).area - 10.0).abs() < 1e-5);
    assert!((volume(&mirrored).volume - 2.0).abs() < 1e-5, "{:?}", volume(&mirrored));
}

#[test]
fn weights_counts_and_findings_are_those_of_the_vertices() {
    let rig = rigs::six_influences();
    let (joint, influences) = (NodeIndex(3), rig.meshes[0].primitives[0].influences.as_ref().unwrap());
    let (weights, counts) = (field::weight(&rig, joint), field::influence_count(&rig));
    for v in 0..influences.len() {
        let expected: f32 = influences.vertex(v).filter(|(j, _)| *j == 3).map(|(_, w)| w).sum();
        assert_eq!((weights[0][v], counts[0][v]), (expected, 6.0));
    }
    let boxed = rigs::flat_box(1.0);
    assert!(field::weight(&boxed, NodeIndex(0))[0].iter().all(|w| w.is_nan()), "no skin, no weight");
    assert_eq!(field::joint_colors(&boxed)[0], vec![[128; 3]; 8]);

    let at = |code, vertices: &[usize]| {
        let vertices = vertices.iter().copied().collect();
        Finding::new(code, String::new(), Target::Primitive { mesh: 0, primitive: 0, vertices, joint: None })
    };
    let found = field::findings(&rig, &[at(Code::WeightZero, &[1, 2]), at(Code::ZeroArea, &[2, 3, 1_000_000])]);
    assert_eq!(found[0][..5], [0.0, 3.0, 3.0, 1.0, 0.0]);
}

#[test]
fn colours_of_one_joint_are_its_own_and_of_two_between() {
    let rig = tube();
    let (colors, dominant, nodes) = (field::joint_colors(&rig), field::dominant_joint(&rig), field::node_colors(&rig));
    let primitive = &rig.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let mut mixed = 0;
    for v in 0..primitive.positions.len() {
        let (heaviest, weight) = influences.vertex(v).next().unwrap();
        let own = nodes[rig.skins[0].joints[heaviest].index()];
        assert_eq!(dominant[0][v], own);
        assert!(weight < 1.0 || colors[0][v] == own);
        mixed += usize::from(colors[0][v] != own);
    }
    assert!(mixed > 100, "{mixed}");
}

#[test]
fn opposite_quaternions_are_found_where_joints_of_opposite_signs_meet() {
    let rig = tube();
    let middle = node(&rig, "Middle");
    let opposite = |degrees: f32| {
        let (_, posed) = turned(&rig, middle, Vec3::X, degrees);
        field::antipodal(&rig, &palettes(&rig, &posed)).concat()
    };
    // The quaternion of a rotation by 170° has w > 0, like those of the unrotated joints. At 260° it has w < 0.
    assert!(opposite(170.0).iter().all(|value| *value == 0.0));
    let influences = rig.meshes[0].primitives[0].influences.as_ref().unwrap();
    let is_shared = |v| {
        let joints: Vec<_> = influences.vertex(v).filter(|i| i.1 > 0.0).map(|i| rig.skins[0].joints[i.0]).collect();
        joints.contains(&middle) && joints.contains(&node(&rig, "Near"))
    };
    for (v, value) in opposite(260.0).into_iter().enumerate() {
        assert_eq!(value, f32::from(is_shared(v)), "vertex {v}");
    }
}

#[test]
fn probe_shows_the_skinned_position() {
    for (name, rig) in rigs::all() {
        let last = rig.hierarchy.nodes().last().unwrap();
        let (_, posed) = turned(&rig, last, Vec3::new(0.0, 0.6, 0.8), 70.0);
        let palettes = palettes(&rig, &posed);
        let pose = SkinPose { posed: &posed, palettes: &palettes };
        for (instance, placed) in rig.instances.iter().enumerate() {
            let primitive = &rig.meshes[placed.mesh].primitives[0];
            let weights = &posed.morph_weights[instance];
            let [lbs, dqs] = Method::ALL.map(|m| deform(primitive, &palettes[instance], weights, m).positions);
            for vertex in (0..primitive.positions.len()).step_by(37) {
                let place = VertexLocation { instance, primitive: 0, vertex };
                let found = probe(&rig, pose, place).unwrap();
                assert!(found.lbs.point.distance(lbs[vertex]) < 1e-5, "{name}");
                assert!(found.dqs.point.distance(dqs[vertex]) < 1e-5, "{name}");
                let mean: Vec3 = found.rows.iter().map(|row| row.point * row.weight).sum();
                assert!(mean.distance(found.lbs.point) < 1e-5, "{name}");
                assert!((found.distance - lbs[vertex].distance(dqs[vertex])).abs() < 1e-5, "{name}");
                for blended in [found.lbs, found.dqs] {
                    let product = blended.singular_values.element_product();
                    assert!((product - blended.determinant.abs()).abs() < 1e-4, "{name}: {blended:?}");
                }
            }
        }
        let beyond = VertexLocation { instance: 0, primitive: 0, vertex: usize::MAX };
        assert_eq!(probe(&rig, pose, beyond), None);
    }
}

#[test]
fn the_middle_of_a_twisted_tube_is_flat_to_a_probe_and_a_rotation_to_dual_quaternions() {
    let rig = tube();
    let (_, posed) = turned(&rig, node(&rig, "Middle"), Vec3::X, 120.0);
    let vertex = rig.meshes[0].primitives[0].positions.iter().position(|p| p.x.abs() < 1e-6).unwrap();
    let place = VertexLocation { instance: 0, primitive: 0, vertex };
    let found = probe(&rig, SkinPose { posed: &posed, palettes: &palettes(&rig, &posed) }, place).unwrap();
    assert!((found.lbs.determinant - 0.25).abs() < 1e-5);
    assert!(found.lbs.singular_values.abs_diff_eq(Vec3::new(1.0, 0.5, 0.5), 1e-5));
    assert!(found.dqs.singular_values.abs_diff_eq(Vec3::ONE, 1e-5) && (found.dqs.determinant - 1.0).abs() < 1e-5);
    assert_eq!(found.rows.len(), 2);
}

#[test]
fn sweep_matches_the_formula_on_any_number_of_cores() {
    let (rig, rest) = (tube(), Pose::rest(&tube().hierarchy));
    let posed = evaluate(&rig, None, &rest);
    let [lbs, dqs] = Method::ALL.map(|m| Skinner::new(&rig, &Skinning::new(m)).unwrap());
    let topology = Topology::new(&rig);
    let mut test = TwistTest::full(&rig, &posed, &rest, node(&rig, "Middle"));
    assert_eq!((test.axes.twist, test.turns.len()), (Vec3::X, 37 + 16));
    assert!(test.axes.bend.dot(Vec3::X).abs() < 1e-6 && test.axes.bend.is_normalized());
    test.turns = [-150, 0, 60, 120, 180]
        .map(|degrees| TestRotation { motion: RotationKind::Twist, angle: (degrees as f32).to_radians() })
        .to_vec();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sweep(&[&lbs, &dqs], &topology, &posed, &rest, &test, &Progress::default())).unwrap()
    };
    let found = run(1);
    assert_eq!(found, run(3));
    // The region extends halfway to the joints on either side, and is closed there.
    let (reach, disc) = (0.5, PI * RADIUS.powi(2));
    for row in &found.rows {
        let angle = f64::from(row.angle);
        let lost = over_ramp(|x| disc * (1.0 - radius_ratio(weight(x), angle).powi(2)));
        let expected = 1.0 - lost / (2.0 * reach * disc);
        let [by_lbs, by_dqs] = [row.losses[0], row.losses[1]];
        assert!((f64::from(by_lbs.volume_ratio) - expected).abs() < 0.015, "{row:?} {expected}");
        assert!((by_dqs.volume_ratio - 1.0).abs() < 0.005, "{row:?}");
        let apart = RADIUS * (1.0 - (angle / 2.0).cos());
        assert!((f64::from(by_lbs.largest_distance) - apart).abs() < 0.01 * RADIUS, "{row:?} {apart}");
        assert!(by_lbs.max_edge_ratio >= 1.0 && by_lbs.min_area_ratio <= 1.0);
    }
}

#[test]
fn a_limb_bends_on_where_it_is_bent_already() {
    let rig = tube();
    let middle = node(&rig, "Middle");
    let axes = |degrees| {
        let (pose, posed) = turned(&rig, middle, Vec3::Z, degrees);
        Axes::natural(&rig, &posed, &pose, middle)
    };
    for degrees in [-40.0, -10.0, 10.0, 40.0_f32] {
        let Axes { twist, bend } = axes(degrees);
        assert!(bend.abs_diff_eq(Vec3::Z * degrees.signum(), 1e-5), "{degrees}°: {bend}");
        assert!(twist.abs_diff_eq(Vec3::X, 1e-5), "the bone turns with the joint: {twist}");
    }
}

#[test]
fn a_heap_of_vertices_at_one_point_does_not_cost_its_square() {
    let count = 60_000;
    let primitive = Primitive {
        positions: vec![Vec3::ONE; count],
        normals: Some(vec![Vec3::Y; count]),
        influences: Some(Influences::new(1, vec![0; count], vec![1.0; count])),
        indices: (0..count as u32).collect(),
        ..Primitive::default()
    };
    let rig = rigs::skinned(&[rigs::node("heap", None, Vec3::ZERO)], None, primitive, Vec::new());
    let posed = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
    let (rest, topology) =
        (RestReference::new(&Skinner::new(&rig, &Skinning::default()).unwrap()), Topology::new(&rig));
    let (palettes, surfaces) = surfaces(&rig, &posed, Method::Lbs);
    let fields = [
        field::area_stretch(&rig, &topology, &rest, &surfaces),
        field::edge_stretch(&rig, &topology, &rest, &surfaces),
        field::normal_deviation(&rig, &topology, &palettes, &surfaces),
    ];
    assert!(fields.iter().all(|field| field[0].len() == count && field[0].iter().all(|x| x.is_nan())));
    let ranked = rank(
        &rig,
        &topology,
        (&posed, &Pose::rest(&rig.hierarchy)),
        (TestRange::Full, &Limits::default()),
        &Progress::default(),
    )
    .unwrap();
    assert!(ranked.len() == 1 && ranked[0].triangles == count / 3 && ranked[0].loss.is_nan(), "{ranked:?}");
}

#[test]
fn long_measurements_end_when_cancelled() {
    let (rig, rest) = (tube(), Pose::rest(&tube().hierarchy));
    let (posed, topology) = (evaluate(&rig, None, &rest), Topology::new(&rig));
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let progress = Progress::default();
    progress.cancel();
    let test = TwistTest::full(&rig, &posed, &rest, node(&rig, "Middle"));
    assert_eq!(rank(&rig, &topology, (&posed, &rest), (TestRange::Full, &Limits::default()), &progress), None);
    assert_eq!(sweep(&[&skinner], &topology, &posed, &rest, &test, &progress), None);
    assert_eq!(influence_errors(&skinner, std::slice::from_ref(&skinner), &rest, &[None], &progress), None);
    let state = state();
    let job = MeasurePlan::new(&state.open.stage).job(PerSide::both(Arc::new(skinner)), 0);
    assert_eq!(SideMeasurer::default().measure(&job, &progress), None);
}

#[test]
fn errors_are_those_of_the_worst_frame() {
    let rig = tube();
    let [lbs, dqs] = Method::ALL.map(|m| Skinner::new(&rig, &Skinning::new(m)).unwrap());
    let rest = Pose::rest(&rig.hierarchy);
    let frames = frames(&rig, 0);
    assert_eq!((frames.len(), frames[0].time_secs, frames.last().unwrap().time_secs), (121, 0.0, 4.0));
    let some: Vec<_> = frames.iter().step_by(12).copied().map(Some).collect();
    let found = influence_errors(&lbs, &[lbs.clone(), dqs], &rest, &some, &Progress::default()).unwrap();
    assert_eq!((found[0].max, found[0].mean), (0.0, 0.0));
    // In its middle, the clip twists by 180°. The distance is then the whole radius.
    assert!((found[1].max - RADIUS).abs() < 0.01 * RADIUS && found[1].worst_pose == 5, "{:?}", found[1]);
    assert_eq!(common_limits().len(), 10);
}

#[test]
fn as_many_influences_as_a_rig_has_make_no_error_and_fewer_or_coarser_do() {
    let rig = tube();
    let skinner = |influences| Skinner::new(&rig, &Skinning { influences, ..Skinning::default() }).unwrap();
    let limits = common_limits();
    let others: Vec<Skinner> = limits.iter().map(|&limit| skinner(limit)).collect();
    let (pose, _) = turned(&rig, node(&rig, "Middle"), Vec3::X, 100.0);
    let exact = Skinner::new(&rig, &Skinning::default()).unwrap();
    let found = influence_errors(&exact, &others, &pose, &[None], &Progress::default()).unwrap();
    for (limit, error) in limits.iter().zip(&found) {
        let (is_cut, is_coarse) = (limit.count == Some(1), limit.count.is_none());
        assert_eq!(error.max > 0.0, is_cut || is_coarse, "{limit:?} {error:?}");
        assert!(error.max > 0.05 || !is_cut, "{limit:?} {error:?}");
        assert!(error.max < 0.01 || is_cut, "{limit:?} {error:?}");
        assert!(error.mean <= error.max);
    }
}

fn state() -> AppState {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    AppState::new(document, Settings::default())
}

#[test]
fn two_sides_with_one_overlay_have_one_range_unless_one_is_chosen() {
    let mut state = state();
    let rig = Arc::clone(state.open.stage.rig());
    let middle = node(&rig, "Middle");
    state.apply(Command::Edit { node: middle, user_local: Trs::from_rotation(Quat::from_rotation_x(2.5)) });
    state.open.stage.refresh();
    let skinners = PerSide::from(Method::ALL).map(|m| Arc::new(Skinner::new(&rig, &Skinning::new(m)).unwrap()));
    let ranges = |overlays: PerSide<Overlay>, chosen: Option<[f32; 2]>| {
        let mut job = MeasurePlan::new(&state.open.stage).job(skinners.clone(), 0);
        for (side, overlay) in job.sides.iter_mut().zip(overlays.iter()) {
            side.overlay = Some(*overlay);
        }
        job.sides.a.range = chosen;
        let found = SideMeasurer::default().measure(&job, &Progress::default()).unwrap();
        found.overlays.map(|painted| match &*painted.unwrap().values {
            Values::Scalars { range, .. } => *range,
            Values::Colors { .. } => panic!("no scalars"),
        })
    };
    let PerSide { a, b } = ranges(PerSide::both(Overlay::AreaStretch), None);
    assert_eq!(a, b);
    let PerSide { a, b } = ranges(PerSide::both(Overlay::AreaStretch), Some([-9.0, 9.0]));
    assert_ne!(a, b, "the chosen one stays, the other fits");
    let PerSide { a, b } = ranges(PerSide { a: Overlay::AreaStretch, b: Overlay::EdgeStretch }, None);
    assert_ne!(a, b, "of other values");
}

#[test]
fn comparison_measures_agree_with_their_fields() {
    let mut state = state();
    let rig = Arc::clone(state.open.stage.rig());
    let middle = node(&rig, "Middle");
    state.apply(Command::Select(Some(middle)));
    state.apply(Command::Edit { node: middle, user_local: Trs::from_rotation(Quat::from_rotation_x(2.5)) });
    state.open.stage.refresh();
    let skinners = PerSide::from(Method::ALL).map(|m| Arc::new(Skinner::new(&rig, &Skinning::new(m)).unwrap()));
    let mut measurer = SideMeasurer::default();
    let (_, lbs) = surfaces(&rig, state.open.stage.posed(), Method::Lbs);
    let (_, dqs) = surfaces(&rig, state.open.stage.posed(), Method::Dqs);
    // The tube has no morph targets and no DQ blend weights.
    let overlays =
        Overlay::ALL.into_iter().filter(|overlay| ![Overlay::Morph, Overlay::DqBlendWeight].contains(overlay));
    for (version, overlay) in overlays.enumerate() {
        let mut job = MeasurePlan::new(&state.open.stage).job(skinners.clone(), version as u64);
        job.sides.iter_mut().for_each(|side| side.overlay = Some(overlay));
        let found = measurer.measure(&job, &Progress::default()).unwrap();
        assert_eq!(found.distance, SurfaceDistance::from_field(&rig, &field::distance(&lbs, &dqs)));
        assert!(found.difference().unwrap().volume > 0.0, "DQS keeps what LBS loses");
        let PerSide { a, b } = found.overlays.each_ref().map(|p| p.as_ref().unwrap());
        assert_ne!(a.version, b.version, "{overlay:?}");
        match &*a.values {
            Values::Colors { parts } => assert_eq!((parts[0].len(), found.extremes.a), (rig.vertex_count(), None)),
            Values::Scalars { parts, range, .. } => {
                assert_eq!(parts[0].len(), rig.vertex_count(), "{overlay:?}");
                let [least, most] = found.extremes.a.unwrap();
                let values = || parts.iter().flatten().copied().filter(|x| x.is_finite());
                assert_eq!([least, most], [values().fold(f32::MAX, f32::min), values().fold(f32::MIN, f32::max)]);
                assert!(range[0] < range[1], "{overlay:?} {range:?}");
                let middle = f32::midpoint(range[0], range[1]);
                match overlay {
                    Overlay::Determinant => assert!((middle - 1.0).abs() < 1e-6, "{range:?}"),
                    Overlay::AreaStretch | Overlay::EdgeStretch => assert_eq!(middle, 0.0, "{overlay:?}"),
                    _ => assert_eq!(range[0], 0.0, "{overlay:?}"),
                }
                if overlay == Overlay::Distance {
                    assert_eq!(range[1], most);
                }
            }
        }
    }
}

#[test]
fn a_twist_test_compares_every_method_that_is_ready() {
    let mut state = state();
    let rig = Arc::clone(state.open.stage.rig());
    state.apply(Command::Select(Some(node(&rig, "Middle"))));
    state.apply(Command::SetSkinning(Side::A, Method::Sclerp.into()));
    let methods = |state: &AppState| {
        state.open.twist.plan(&state.open.stage).unwrap().skins.iter().map(|s| s.skinning.method).collect::<Vec<_>>()
    };
    assert_eq!(methods(&state), [Method::Sclerp, Method::Dqs, Method::Lbs, Method::DqsCompensated]);
    let centers = Arc::new(Centers::new(&rig, &Progress::default()).unwrap());
    state.receive(JobResult::Derived(DerivedResult::new(CentersPlan(rig), Some(centers))));
    assert_eq!(methods(&state).last(), Some(&Method::Cor), "once its centres are known");
}
