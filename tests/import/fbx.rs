//! FBX files look as they did in the programs that wrote them, whatever their axes, units, pivots and deformers.

#![cfg(feature = "fbx")]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::command::rigscope;
use common::fbx::{Fbx, int, ints, properties, reals};
use common::fbx_character::{
    BODY, MATERIAL, MESH, ROOT, ROOT_CLUSTER, SKIN, TIP, TIP_CLUSTER, character, cluster, model,
};
use common::fbx_golden::{self, FbxGolden, as_authored};
use glam::{Vec2, Vec3, Vec4};
use rigscope::analysis::lint::Code;
use rigscope::export::rig_glb;
use rigscope::import::{ImportError, ImportWarning, Imported, Job, file_info_from_bytes, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::project::fixed;
use rigscope::rig::{
    Alpha, AuthoredMethod, ClipMoment, FileLens, Interpolation, MeshInstance, Pose, Posed, Primitive, Property, Rig,
    evaluate,
};
use rigscope::skinning::{Method, deform, palettes};

fn open(bytes: &[u8]) -> Imported {
    import_bytes(bytes, &Job::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Opens the character as a text FBX after a change.
fn with(change: impl FnOnce(&mut Fbx)) -> Imported {
    let mut fbx = character();
    change(&mut fbx);
    open(&fbx.text())
}

fn posed(rig: &Rig, clip: Option<ClipMoment>) -> Posed {
    evaluate(rig, clip, &Pose::rest(&rig.hierarchy))
}

/// Returns all drawn points in a pose.
fn points(rig: &Rig, posed: &Posed) -> Vec<Vec3> {
    let palettes = palettes(rig, posed);
    let of = |(i, instance): (usize, &MeshInstance)| {
        as_authored(rig, i, |method| {
            let primitives = rig.meshes[instance.mesh].primitives.iter();
            primitives.map(|p| deform(p, &palettes[i], &posed.morph_weights[i], method).positions).collect()
        })
    };
    rig.instances.iter().enumerate().flat_map(of).collect()
}

fn at_rest(rig: &Rig) -> Vec<Vec3> {
    points(rig, &posed(rig, None))
}

fn is_set(found: &[Vec3], expected: &[[f32; 3]]) -> bool {
    is_set_within(1e-5, found, expected)
}

fn is_set_within(tolerance: f32, found: &[Vec3], expected: &[[f32; 3]]) -> bool {
    let near = |a: &Vec3, b: &[f32; 3]| a.distance((*b).into()) < tolerance;
    found.iter().all(|p| expected.iter().any(|e| near(p, e)))
        && expected.iter().all(|e| found.iter().any(|p| near(p, e)))
}

#[test]
#[expect(clippy::print_stdout, reason = "shows how far from the limits the results are")]
fn files_are_what_their_programs_showed() {
    let Some(samples) = common::samples() else { return };
    let check = |(name, golden): (String, FbxGolden)| {
        let rig = golden.rig(&samples);
        let [farthest, limit] = golden.distance(&points(&rig, &posed(&rig, golden.moment())));
        println!("{name:<60} {farthest:.1e} of {limit:.1e}");
        (farthest > limit).then_some(name)
    };
    let wrong: Vec<String> = fbx_golden::all(&samples).into_iter().filter_map(check).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn shapes_of_fbx_5000_move_as_3ds_max_showed_them() {
    let Some(samples) = common::samples() else { return };
    let name = "max7_blend_cube_5000_binary";
    let imported = import_file(&samples.join(format!("fbx/{name}.fbx")), &Job::default()).unwrap();
    let rig = &imported.rig;
    assert!((rig.clips[0].duration_secs - 1.0).abs() < 1e-5, "{} s", rig.clips[0].duration_secs);
    let is_unplayed = |w: &ImportWarning| w.to_string().contains("moves properties that are not played");
    assert!(!imported.warnings.iter().any(is_unplayed), "{:?}", imported.warnings);
    for frame in [8, 24] {
        // The OBJ file is in centimetres, like the FBX file.
        let obj = std::fs::read_to_string(samples.join(format!("fbx/{name}_{frame}.obj"))).unwrap();
        let vertex = |line: &str| {
            let numbers: Vec<f32> = line.strip_prefix("v ")?.split_whitespace().map(|n| n.parse().unwrap()).collect();
            Some((Vec3::from_slice(&numbers) * 0.01).to_array())
        };
        let expected: Vec<[f32; 3]> = obj.lines().filter_map(vertex).collect();
        let found = points(rig, &posed(rig, Some(ClipMoment::new(0, frame as f32 / 30.0))));
        assert_eq!(expected.len(), 8);
        // 3ds Max rounds the slopes that it writes: at frame 24 they give a weight of 89.596 %, whereas 3ds Max showed
        // 89.6 %.
        assert!(is_set_within(2e-5, &found, &expected), "frame {frame}: {found:?} and not {expected:?}");
    }
}

/// Converts a rig to glTF and opens it. Also returns the corresponding moment in the opened rig.
fn converted(rig: &Rig, moment: Option<ClipMoment>) -> (Rig, Option<ClipMoment>) {
    let again = open(&rig_glb(rig, &Progress::default()).unwrap().bytes).rig;
    let moment = moment.and_then(|ClipMoment { clip, time_secs, .. }| {
        let old = &rig.clips[clip];
        let start = old.channels.iter().map(|channel| channel.times_secs[0]).fold(0.0, f32::min);
        let clip = again.clips.iter().position(|new| new.name == old.name)?;
        // A clip that begins before 0 s is shifted to begin at 0 s.
        Some(ClipMoment::new(clip, time_secs - start))
    });
    (again, moment)
}

#[test]
fn converted_to_gltf_they_still_are() {
    let Some(samples) = common::samples() else { return };
    for (name, golden) in fbx_golden::all(&samples) {
        let (rig, moment) = golden.taken(&samples);
        let (rig, moment) = converted(&rig, moment);
        let [farthest, limit] = golden.distance(&points(&rig, &posed(&rig, moment)));
        assert!(farthest < limit.max(1e-4), "{name}: {farthest:e}");
    }
}

#[test]
fn text_and_binary_are_one_character() {
    let fbx = character();
    let (text, binary) = (open(&fbx.text()), open(&fbx.binary()));
    for imported in [&text, &binary] {
        let rig = &imported.rig;
        assert_eq!(imported.warnings, []);
        assert_eq!((rig.joint_count(), rig.skins.len(), rig.vertex_count()), (2, 1, 8));
        assert_eq!(rig.morphs().iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["Bulge 50 %", "Bulge 100 %"]);
        assert_eq!(rig.instances[0].morph_weights, [0.5, 0.0]);
        let clips: Vec<_> =
            rig.clips.iter().map(|c| (c.name.as_str(), c.duration_secs, c.frame_rate().per_sec)).collect();
        assert_eq!(clips, [("Wave", 1.0, 24.0), ("Step", 1.0, 24.0)]);
    }
    assert_eq!(at_rest(&text.rig), at_rest(&binary.rig));
}

#[test]
fn lengths_are_in_metres_and_no_joint_has_the_unit_as_its_scale() {
    for (unit, metres) in [(1.0, 1.0), (100.0, 100.0), (2.54, 2.54)] {
        let imported = with(|fbx| fbx.set("UnitScaleFactor", unit));
        let high = at_rest(&imported.rig).iter().map(|p| p.y).fold(0.0, f32::max);
        assert!((high - 2.0 * metres).abs() < 1e-4 * metres, "{unit}: {high} m");
        let hierarchy = &imported.rig.hierarchy;
        assert!(hierarchy.nodes().all(|node| hierarchy.rest(node).scale.distance(Vec3::ONE) < 1e-6));
    }
    let about = file_info_from_bytes(&character().binary(), &Job::default()).unwrap();
    let space = about.space.unwrap();
    assert_eq!((about.format, about.is_binary, about.version.as_str()), ("FBX", true, "7.4"));
    assert_eq!(
        (space.unit_metres, space.up, space.front, space.right, space.frames_per_sec),
        (0.01, "+Y", "+Z", "+X", 24.0)
    );
    assert_eq!((about.meshes, about.primitives, about.morph_targets, about.materials), (1, 2, 2, 2));
    assert_eq!(about.images[0].header, Some(("PNG", [4, 4])));
}

/// Opens the strip without its skin, on a node at (1, 2, 3) cm, in a file with these axis settings.
fn placed(settings: &[(&str, f64)]) -> Imported {
    with(|fbx| {
        for (name, value) in settings {
            fbx.set(name, *value);
        }
        fbx.disconnect(120);
        fbx.property(BODY, ("Lcl Translation", "Lcl Translation", &[1.0, 2.0, 3.0]));
    })
}

#[test]
fn axes_are_turned_and_left_handed_ones_mirrored_with_their_faces_outside() {
    let (up_z, mirrored) = ([("UpAxis", 2.0), ("FrontAxis", 1.0), ("FrontAxisSign", -1.0)], [("CoordAxisSign", -1.0)]);
    for (settings, expected) in
        [(&[][..], [0.01, 0.02, 0.03]), (&up_z, [0.01, 0.03, -0.02]), (&mirrored, [-0.01, 0.02, 0.03])]
    {
        let imported = placed(settings);
        let rig = &imported.rig;
        let posed = posed(rig, None);
        let instance = &rig.instances[0];
        let world = posed.world_from_node[instance.node.index()];
        assert!(world.translation.distance(expected.into()) < 1e-6, "{settings:?}: {}", world.translation);
        for primitive in &rig.meshes[instance.mesh].primitives {
            let normals = primitive.normals.as_ref().unwrap();
            for triangle in primitive.indices.as_chunks::<3>().0 {
                let [a, b, c] = triangle.map(|v| world.transform_point3(primitive.positions[v as usize]));
                let normal = world.transform_vector3(normals[triangle[0] as usize]);
                assert!((b - a).cross(c - a).dot(normal) > 0.0, "{settings:?}");
            }
        }
    }
}

#[test]
fn the_transform_of_the_geometry_moves_points_and_no_child() {
    let geometry: [(&str, &str, &[f64]); 2] =
        [("GeometricTranslation", "Vector3D", &[0.0, 0.0, 100.0]), ("GeometricScaling", "Vector3D", &[-2.0, 1.0, 1.0])];
    let expected = [-1.0_f32, 1.0].map(|x| [0.0_f32, 1.0, 2.0].map(|y| [x, y, 1.0])).concat();
    let plain = with(|fbx| {
        fbx.disconnect(120);
        fbx.disconnect(150);
        for property in geometry {
            fbx.property(BODY, property);
        }
        model(fbx, 112, ("Child", "Null"), BODY, &[]);
    });
    assert!(is_set(&at_rest(&plain.rig), &expected), "{:?}", at_rest(&plain.rig));
    let posed = posed(&plain.rig, None);
    assert!(posed.world_from_node.iter().all(|world| world.translation.z == 0.0), "no node is moved");
    let primitive = &plain.rig.meshes[0].primitives[0];
    let [a, b, c] = [0, 1, 2].map(|i| primitive.positions[primitive.indices[i] as usize]);
    assert!((b - a).cross(c - a).z > 0.0, "a mirrored face still looks along its normal");
    let skinned = with(|fbx| {
        fbx.disconnect(150);
        for property in geometry {
            fbx.property(BODY, property);
        }
    });
    assert!(is_set(&at_rest(&skinned.rig), &expected), "{:?}", at_rest(&skinned.rig));
}

#[test]
fn points_without_weight_follow_the_node_of_the_mesh() {
    let imported = with(|fbx| {
        fbx.disconnect(121);
        fbx.disconnect(150);
        fbx.property(BODY, ("Lcl Translation", "Lcl Translation", &[0.0, 0.0, 50.0]));
    });
    let rig = &imported.rig;
    let places = imported.warnings.iter().filter(|w| w.finding.code == Code::WeightZero);
    assert_eq!(places.count(), 1, "{:?}", imported.warnings);
    assert_eq!(rig.skins[0].joints.len(), 2, "the tip and the mesh");
    let low = [-0.5_f32, 0.5].map(|x| [x, 0.0, 0.5]);
    let high = [-0.5_f32, 0.5].map(|x| [1.0_f32, 2.0].map(|y| [x, y, 0.0])).concat();
    assert!(is_set(&at_rest(rig), &[&low[..], &high].concat()), "{:?}", at_rest(rig));
}

/// Creates squares in a row. The vertices of all squares have the same weights on two joints, except the last vertex,
/// which has none.
fn squares(count: i32) -> Imported {
    let mut fbx = Fbx::default();
    for (id, kind) in [(BODY, ("Body", "Mesh")), (ROOT, ("Root", "LimbNode")), (TIP, ("Tip", "LimbNode"))] {
        model(&mut fbx, id, kind, 0, &[]);
    }
    let points = (0..4 * count).flat_map(|p| [p / 4 + p % 2, p % 4 / 2, 0].map(|x| 100.0 * f64::from(x)));
    let corners = (0..4 * count).step_by(4).flat_map(|p| [p, p + 1, p + 3, !(p + 2)]);
    let mesh =
        vec![reals("Vertices", &points.collect::<Vec<_>>()), ints("PolygonVertexIndex", &corners.collect::<Vec<_>>())];
    fbx.object(MESH, "Geometry", ("Squares", "Mesh"), BODY, mesh);
    fbx.object(SKIN, "Deformer", ("Skin", "Skin"), MESH, vec![int("Version", 101)]);
    let share = |p: i32| 0.2 + 0.2 * f64::from(p % 4);
    let weights = |share: &dyn Fn(i32) -> f64| (0..4 * count - 1).map(|p| (p, share(p))).collect::<Vec<_>>();
    cluster(&mut fbx, ROOT_CLUSTER, ROOT, &weights(&share), 0.0);
    cluster(&mut fbx, TIP_CLUSTER, TIP, &weights(&|p| 1.0 - share(p)), 0.0);
    open(&fbx.binary())
}

#[test]
fn a_mesh_of_many_points_is_read_as_one_of_few() {
    let (few, many) = (squares(2).rig, squares(5000).rig);
    let joints = |rig: &Rig| rig.skins[0].joints.iter().map(|joint| rig.hierarchy.name(*joint).to_owned()).collect();
    let (found, expected): (Vec<String>, Vec<String>) = (joints(&many), joints(&few));
    assert_eq!(found, expected);
    let parts = [&many, &few].map(|rig| {
        let primitive = &rig.meshes[0].primitives[0];
        (&primitive.positions, primitive.influences.as_ref().unwrap())
    });
    let [(many, bound), (few, bound_few)] = parts;
    assert_eq!((many.len(), few.len()), (20_000, 8));
    for (vertex, position) in many.iter().enumerate() {
        let as_few = if vertex < 19_996 { vertex % 4 } else { vertex - 19_992 };
        let moved = Vec3::X * (vertex / 4 - as_few / 4) as f32;
        assert!(position.distance(few[as_few] + moved) < 1e-3, "{vertex}: {position}");
        assert!(bound.vertex(vertex).eq(bound_few.vertex(as_few)), "{vertex}");
    }
}

#[test]
fn points_without_weight_get_computed_ones_where_that_is_asked_for() {
    let Imported { rig, warnings, .. } = with(|fbx| fbx.disconnect(121));
    let fixed = fixed(&rig, &warnings, [Code::WeightZero], &Progress::default()).unwrap();
    let changes: Vec<String> = fixed.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["Mesh 0, primitive 0: computed weights where there were none, of 2 vertices."]);
    assert!(fixed.weights.get(0, 0).is_some());
}

#[test]
fn children_that_do_not_inherit_scale_keep_their_size_and_move_with_it() {
    for (scale, helper) in [([2.0, 2.0, 2.0], None), ([1.0, 2.0, 1.0], Some("Root (scale)"))] {
        let imported = with(|fbx| {
            fbx.property(ROOT, ("Lcl Scaling", "Lcl Scaling", &scale));
            fbx.property(TIP, ("InheritType", "enum", &[2.0]));
        });
        let rig = &imported.rig;
        let posed = posed(rig, None);
        let tip = rig.hierarchy.node_named("Tip").unwrap();
        let world = posed.world_from_node[tip.index()];
        assert!(world.translation.distance(Vec3::Y * 2.0) < 1e-5, "{scale:?}: {world}");
        assert!(world.matrix3.abs_diff_eq(glam::Mat3::IDENTITY, 1e-5), "{scale:?}: {world}");
        let helpers: Vec<&str> =
            rig.hierarchy.nodes().filter(|&n| rig.hierarchy.is_helper(n)).map(|n| rig.hierarchy.name(n)).collect();
        assert_eq!(helpers, helper.into_iter().collect::<Vec<_>>(), "{scale:?}");
        let low = at_rest(rig).iter().map(|p| p.x).fold(0.0, f32::max);
        assert!((low - 0.5 * scale[0] as f32).abs() < 1e-5, "the joint itself is scaled: {low}");
    }
}

#[test]
fn a_mesh_that_two_nodes_carry_is_read_once_and_stands_twice() {
    let imported = with(|fbx| {
        fbx.disconnect(120);
        model(fbx, 113, ("Twin", "Mesh"), 0, &[("Lcl Translation", "Lcl Translation", &[300.0, 0.0, 0.0])]);
        fbx.connect(MESH, 113);
        fbx.connect(MATERIAL, 113);
        fbx.connect(MATERIAL + 1, 113);
    });
    assert_eq!((imported.rig.meshes.len(), imported.rig.instances.len()), (1, 2));
    assert!(at_rest(&imported.rig).iter().any(|p| p.x > 3.0));
}

#[test]
fn hidden_meshes_and_lower_levels_of_detail_are_left_out_with_a_note() {
    let twin = |fbx: &mut Fbx, owner, list: &[(&str, &str, &[f64])]| {
        model(fbx, 113, ("Twin", "Mesh"), owner, list);
        fbx.connect(MESH, 113);
    };
    let hidden = with(|fbx| twin(fbx, 0, &[("Visibility", "Visibility", &[0.0])]));
    assert_eq!(hidden.rig.instances.len(), 1);
    let message = "1 node with a mesh is hidden in the file and not shown.";
    assert_eq!(common::messages(&hidden.warnings), [message]);
    let levels = with(|fbx| {
        model(fbx, 114, ("Levels", "LodGroup"), 0, &[]);
        fbx.object(115, "NodeAttribute", ("Levels", "LodGroup"), 114, vec![properties(&[])]);
        fbx.disconnect(BODY);
        fbx.connect(BODY, 114);
        twin(fbx, 114, &[]);
    });
    assert_eq!(levels.rig.instances.len(), 1);
    assert_eq!(common::messages(&levels.warnings), ["1 mesh of a lower level of detail is not shown."]);
}

#[test]
fn clips_pass_shapes_in_between_and_steps_stay_steps() {
    let rig = open(&character().binary()).rig;
    let weights = |clip, time_secs| posed(&rig, Some(ClipMoment::new(clip, time_secs))).morph_weights[0].clone();
    let near = |found: &[f32], expected: [f32; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-3);
    // The shape changes from 0 % to 100 % in half a second, along a smooth curve that reaches 50 % halfway.
    assert!(near(&weights(0, 0.5), [0.0, 1.0]) && near(&weights(0, 1.0), [0.5, 0.0]), "{:?}", weights(0, 1.0));
    for time in [0.1, 0.2, 0.25, 0.3, 0.4] {
        let [first, second] = [0, 1].map(|i| weights(0, time)[i]);
        let whole = 0.5 * first + second;
        let expected = if whole <= 0.5 { [2.0 * whole, 0.0] } else { [2.0 - 2.0 * whole, 2.0 * whole - 1.0] };
        assert!(near(&[first, second], expected), "{time}: {first} {second}");
    }
    let steps: Vec<_> =
        rig.clips[1].channels.iter().map(|c| (c.property, c.interpolation, c.times_secs.len())).collect();
    let step = Interpolation::Step;
    assert_eq!(steps, [(Property::Rotation, step, 3), (Property::MorphWeights, step, 3)]);
    let before = weights(1, 0.499);
    assert_eq!((before, weights(1, 0.5)), (vec![0.0, 0.0], vec![0.0, 1.0]));
}

/// Returns the largest angle, in radians, between a node's rotation in the first clip and the rotation that ufbx
/// evaluates from the file's curves, at times between frames.
fn farthest_turn(file: &[u8]) -> f32 {
    let rig = import_bytes(file, &Job::default().playing_whole_timeline(true)).unwrap().rig;
    let scene = ufbx::load_memory(file, ufbx::LoadOpts::default()).map_err(|e| e.description.to_string()).unwrap();
    let Some(stack) = scene.anim_stacks.iter().next() else { return 0.0 };
    let mut farthest = 0.0_f32;
    for moment in 0..97 {
        let time_secs = rig.clips[0].duration_secs * moment as f32 / 97.0;
        let posed = posed(&rig, Some(ClipMoment::new(0, time_secs)));
        for node in scene.nodes.iter().skip(1).filter(|node| !node.parent.as_ref().unwrap().is_root) {
            let source = node.element.typed_id as usize - 1;
            let exact = ufbx::evaluate_transform(&stack.anim, node, f64::from(time_secs)).rotation;
            let exact = glam::DQuat::from_xyzw(exact.x, exact.y, exact.z, exact.w).as_quat();
            let local = posed.clip_local[rig.hierarchy.by_source(source).unwrap().index()];
            let (_, found, _) = local.to_scale_rotation_translation();
            farthest = farthest.max(2.0 * (found * exact.inverse()).xyz().length().min(1.0).asin());
        }
    }
    farthest
}

#[test]
#[expect(clippy::print_stdout, reason = "shows how far from the limits the results are")]
fn between_frames_a_clip_is_what_its_curves_are() {
    assert!(farthest_turn(&character().binary()) < 1e-3);
    let Some(samples) = common::samples() else { return };
    for path in common::files_below(&samples.join("fbx"), &["fbx"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // For mirrored axes or helpers, import creates different nodes.
        if name.starts_with("motionbuilder") {
            continue;
        }
        let farthest = farthest_turn(&std::fs::read(&path).unwrap());
        println!("{name:<60} {farthest:.1e} rad");
        assert!(farthest < 3e-3, "{name}: {farthest} rad");
    }
}

#[test]
fn colours_opacity_and_embedded_textures_are_read() {
    let rig = open(&character().text()).rig;
    let [skin, cloth] = &rig.materials[..] else { panic!("two materials") };
    assert_eq!((skin.base_color, skin.alpha, skin.texture.is_some()), (Vec4::ONE, Alpha::Opaque, true));
    assert!(cloth.base_color.distance(Vec4::new(0.25, 0.5, 1.0, 0.75)) < 1e-6 && cloth.alpha == Alpha::Blend);
    let image = &rig.images[skin.texture.as_ref().unwrap().image];
    assert_eq!((image.width, &image.rgba[..8]), (4, &[0, 0, 99, 255, 60, 0, 99, 255][..]));
    let uvs = rig.meshes[0].primitives[0].tex_coords.as_ref().unwrap();
    // The lowest vertices have v = 0 in the file, which is the bottom of the image.
    let lowest = rig.meshes[0].primitives[0].positions.iter().position(|p| p.y == 0.0 && p.x < 0.0).unwrap();
    assert_eq!(uvs[lowest], Vec2::new(0.0, 1.0));
}

#[test]
fn undrawn_textures_are_listed_with_the_drawn_ones() {
    let imported = with(|fbx| fbx.connect_to(160, MATERIAL, "SpecularColor"));
    let [warning] = &imported.warnings[..] else { panic!("{:?}", imported.warnings) };
    let told = warning.to_string();
    for wanted in ["Not drawn: specular textures (1 material).", "Drawn are textures of base colour", "normals"] {
        assert!(told.contains(wanted), "{told}");
    }
}

#[test]
fn a_texture_beside_the_model_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut fbx = character();
    fbx.disconnect(161);
    std::fs::write(folder.path().join("model.fbx"), fbx.text()).unwrap();
    let open = || import_file(&folder.path().join("model.fbx"), &Job::default()).unwrap();
    assert!(common::messages(&open().warnings)[0].starts_with("The base colour texture of material 0 is replaced"));
    std::fs::create_dir(folder.path().join("Textures")).unwrap();
    image::RgbaImage::new(3, 5).save(folder.path().join("Textures/SKIN.png")).unwrap();
    let imported = open();
    assert_eq!((imported.warnings.as_slice(), imported.rig.images[0].height), (&[][..], 5));
    let is_texture =
        |path: &std::path::Path| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKIN.png"));
    assert!(imported.files.iter().any(|file| is_texture(&file.path)), "a change of it is seen");
}

#[test]
fn textures_of_older_formats_are_read_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut fbx = character();
    fbx.disconnect(161);
    std::fs::write(folder.path().join("model.fbx"), fbx.text()).unwrap();
    // The format is detected from the content, although the file is called skin.png.
    for format in [image::ImageFormat::Tga, image::ImageFormat::Bmp] {
        image::RgbImage::new(3, 5).save_with_format(folder.path().join("skin.png"), format).unwrap();
        let imported = import_file(&folder.path().join("model.fbx"), &Job::default()).unwrap();
        assert_eq!((imported.warnings.as_slice(), imported.rig.images[0].height), (&[][..], 5), "{format:?}");
    }
}

#[test]
fn authored_method_matches_mayas_result() {
    let Some(samples) = common::samples() else { return };
    let rig = import_file(&samples.join("ufbx/maya_dual_quaternion_7500_ascii.fbx"), &Job::default()).unwrap().rig;
    assert_eq!(rig.skins[0].authored, AuthoredMethod::DualQuaternion);
    let obj = std::fs::read_to_string(samples.join("ufbx/maya_dual_quaternion.obj")).unwrap();
    let point = |line: &str| -> [f32; 3] {
        let numbers: Vec<f32> = line.split_whitespace().map(|n| n.parse::<f32>().unwrap() * 0.01).collect();
        numbers.try_into().unwrap()
    };
    let expected: Vec<[f32; 3]> = obj.lines().filter_map(|line| line.strip_prefix("v ")).map(point).collect();
    let found = at_rest(&rig);
    assert!(is_set(&found, &expected), "{found:?}");
    let linear =
        deform(&rig.meshes[0].primitives[0], &palettes(&rig, &posed(&rig, None))[0], &[], Method::Lbs).positions;
    assert!(!is_set(&linear, &expected), "linear blending is not what Maya shows");
}

#[test]
fn a_skeleton_without_a_mesh_opens_and_plays() {
    let imported = with(|fbx| fbx.disconnect(BODY));
    assert!(!imported.rig.instances.is_empty(), "what nothing owns hangs from the root");
    let Some(samples) = common::samples() else { return };
    let rig = import_file(&samples.join("fbx/maya_character_7500_binary.fbx"), &Job::default()).unwrap().rig;
    assert_eq!((rig.hierarchy.len(), rig.instances.len(), rig.clips.len()), (63, 0, 1));
    assert!(rig.rest_bounds().diagonal() > 1.0);
}

#[test]
fn broken_fbx_files_and_cancelled_jobs_are_reported() {
    let binary = character().binary();
    let refused = |bytes: &[u8], job: &Job| import_bytes(bytes, job).unwrap_err();
    let cut = refused(&binary[..binary.len() / 2], &Job::default());
    assert!(cut.to_string().starts_with("The FBX file is broken: "), "{cut}");
    let small = refused(&binary, &Job::with_memory_limit(10_000));
    assert!(small.to_string().contains("more memory than the limit of 10000 bytes"), "{small}");
    let job = Job::default();
    job.progress.cancel();
    assert!(matches!(refused(&binary, &job), ImportError::Cancelled));
    let empty = refused(&Fbx::default().text(), &Job::default());
    assert!(matches!(empty, ImportError::Empty { meshes: 0, nodes: 0 }), "{empty}");
}

#[test]
fn channels_without_effect_are_named() {
    let imported = with(|fbx| {
        fbx.object(
            500,
            "Constraint",
            ("Look", "Aim"),
            0,
            vec![common::fbx::word("Type", "Aim"), properties(&[("Active", "bool", &[1.0])])],
        );
        fbx.disconnect(500);
        model(fbx, 510, ("Lamp", "Light"), ROOT, &[]);
        fbx.object(511, "NodeAttribute", ("Lamp", "Light"), 510, vec![int("Version", 100)]);
        fbx.property(TIP, ("RotationActive", "bool", &[1.0]));
        fbx.property(TIP, ("RotationOrder", "enum", &[4.0]));
    });
    let told: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    for part in ["1 node rotates in an order other than", "Not evaluated: Aim constraints (1)", "1 light is ignored"] {
        assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:?}");
    }
    assert_eq!(told.len(), 3);
}

#[test]
fn fbx_constraints_name_their_source_and_target() {
    let imported = with(|fbx| {
        let records = vec![common::fbx::word("Type", "Aim"), properties(&[("Active", "bool", &[1.0])])];
        fbx.object(500, "Constraint", ("Look", "Aim"), 0, records);
        fbx.disconnect(500);
        fbx.connect_to(TIP, 500, "Constrained Object");
        fbx.connect_to(ROOT, 500, "Aim At Object");
    });
    let (rig, told) = (&imported.rig, imported.warnings[0].to_string());
    let [found] = &rig.unrun_constraints[..] else { panic!("{:?}", rig.unrun_constraints) };
    let name = rig.hierarchy.name(found.node);
    assert_eq!((found.kind.as_str(), found.sources.len(), found.sources[0].1), ("Aim", 1, 1.0));
    let said = format!("{name} follows {}; programs that write FBX bake", found.followed(&rig.hierarchy));
    assert!(told.contains(&said), "{told}");
    assert_ne!(found.sources[0].0, found.node);
}

/// Imports a camera at (10, 20, 300) cm, rotated by 90° about y, from a file with these axis settings. Returns its
/// lens, position and viewing direction in world space.
fn seen(settings: &[(&str, f64)], lens: &[(&str, &str, &[f64])]) -> (FileLens, Vec3, Vec3) {
    let imported = with(|fbx| {
        for (name, value) in settings {
            fbx.set(name, *value);
        }
        let turned: &[(&str, &str, &[f64])] =
            &[("Lcl Translation", "", &[10.0, 20.0, 300.0]), ("Lcl Rotation", "", &[0.0, 90.0, 0.0])];
        model(fbx, 510, ("Eye", "Camera"), 0, turned);
        fbx.object(511, "NodeAttribute", ("Eye", "Camera"), 510, vec![properties(lens)]);
    });
    assert_eq!(imported.warnings, []);
    let [camera] = imported.rig.cameras.as_slice() else { panic!("one camera") };
    assert_eq!(camera.name, "Eye");
    let world = posed(&imported.rig, None).world_from_node[camera.node.index()];
    let world = camera.world_from_camera(&world);
    assert!(world.matrix3.y_axis.distance(Vec3::Y) < 1e-5 || !settings.is_empty(), "upright");
    let (after, _) = converted(&imported.rig, None);
    let [same] = after.cameras.as_slice() else { panic!("one camera") };
    let again = same.world_from_camera(&posed(&after, None).world_from_node[same.node.index()]);
    assert!(again.abs_diff_eq(world, 1e-5) && same.lens == camera.lens && same.name == "Eye");
    (camera.lens, world.translation, -world.matrix3.z_axis)
}

#[test]
fn cameras_are_where_they_were_and_see_as_much() {
    let tall: &[(&str, &str, &[f64])] =
        &[("ApertureMode", "enum", &[0.0]), ("FieldOfViewX", "", &[40.0]), ("FieldOfViewY", "", &[20.0])];
    let (lens, place, ahead) = seen(&[], tall);
    assert!(matches!(lens, FileLens::Perspective(fov) if (fov - 20_f32.to_radians()).abs() < 1e-6), "{lens:?}");
    // The camera looks along the node's +X axis, which the rotation turns to -Z.
    assert!(place.distance(Vec3::new(0.1, 0.2, 3.0)) < 1e-5 && ahead.distance(Vec3::NEG_Z) < 1e-5, "{place} {ahead}");
    // A left-handed file is mirrored, so its camera is on the other side.
    let (_, place, ahead) = seen(&[("CoordAxisSign", -1.0)], tall);
    assert!(place.distance(Vec3::new(-0.1, 0.2, 3.0)) < 1e-5 && ahead.distance(Vec3::NEG_Z) < 1e-5, "{place} {ahead}");
    let flat: &[(&str, &str, &[f64])] = &[("CameraProjectionType", "enum", &[1.0]), ("OrthoZoom", "", &[2.0])];
    let (lens, _, _) = seen(&[("UpAxis", 2.0), ("FrontAxis", 1.0), ("FrontAxisSign", -1.0)], flat);
    assert!(matches!(lens, FileLens::Orthographic(half) if half > 0.0), "{lens:?}");
}

#[test]
fn shifted_lens_is_reported() {
    let imported = with(|fbx| {
        model(fbx, 510, ("Eye", "Camera"), ROOT, &[]);
        let shifted: &[(&str, &str, &[f64])] = &[
            ("ApertureMode", "enum", &[0.0]),
            ("FieldOfViewX", "", &[40.0]),
            ("FieldOfViewY", "", &[20.0]),
            ("FilmOffsetX", "", &[0.1]),
        ];
        fbx.object(511, "NodeAttribute", ("Eye", "Camera"), 510, vec![properties(shifted)]);
    });
    assert_eq!(imported.rig.cameras.len(), 1);
    let told: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    assert!(told.len() == 1 && told[0].contains("shifted lenses of cameras"), "{told:?}");
}

#[test]
fn camera_that_sees_nothing_is_reported() {
    let imported = with(|fbx| {
        model(fbx, 510, ("Eye", "Camera"), ROOT, &[]);
        let none: &[(&str, &str, &[f64])] = &[("ApertureMode", "enum", &[0.0]), ("FieldOfViewY", "", &[0.0])];
        fbx.object(511, "NodeAttribute", ("Eye", "Camera"), 510, vec![properties(none)]);
    });
    assert!(imported.rig.cameras.is_empty());
    assert!(common::messages(&imported.warnings)[0].starts_with("Camera 0 is malformed"));
}

#[test]
fn clips_keep_their_numbers_beside_one_that_moves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [fbx, glb] = ["a.fbx", "a.glb"].map(|name| folder.path().join(name));
    let mut character = character();
    // Removes the layer of the first stack. Mixamo also writes an empty stack beside the actual clip.
    character.disconnect(201);
    std::fs::write(&fbx, character.text()).unwrap();
    let converted = rigscope(&["convert".as_ref(), fbx.as_os_str(), "-o".as_ref(), glb.as_os_str()]).ok();
    assert!(converted.stderr.contains(" 2 clips, "), "{}", converted.stderr);
    assert!(!converted.stderr.contains("left out"), "{}", converted.stderr);
    for file in [&fbx, &glb] {
        let told = rigscope(&["info".as_ref(), file.as_os_str(), "--json".as_ref()]).ok().stdout;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let names = told["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["Wave", "Step"], "{told}");
    }
    let [of_fbx, of_glb] = [&fbx, &glb].map(|file| open(&std::fs::read(file).unwrap()).rig);
    for clip in 0..2 {
        let moment = Some(ClipMoment::new(clip, 0.75));
        let [expected, found] = [&of_fbx, &of_glb].map(|rig| points(rig, &posed(rig, moment)));
        assert!(expected.iter().zip(&found).all(|(a, b)| a.distance(*b) < 1e-5), "clip {clip}");
    }
    assert_ne!(at_rest(&of_glb), points(&of_glb, &posed(&of_glb, Some(ClipMoment::new(1, 0.75)))));
}

/// Creates an FBX 5000 file with a take that rotates the tip. `keys` are values of the tip outside the takes, for which
/// ufbx creates an animation stack of its own.
fn fbx_5000(keys: &str) -> String {
    let channel = |name: &str, x: &str| {
        let of = |axis: &str, value: &str| format!("Channel: \"{axis}\" {{\n{value}\n}}\n");
        format!("Channel: \"{name}\" {{\n{}{}{}}}\n", of("X", x), of("Y", "Default: 0"), of("Z", "Default: 0"))
    };
    let transform = |t: &str, r: &str| {
        format!("Channel: \"Transform\" {{\n{}{}{}}}\n", channel("T", t), channel("R", r), channel("S", "Default: 1"))
    };
    let joint = |name: &str, t: &str, children: &str| {
        let rest = transform(t, "Default: 0");
        format!("Model: \"Model::{name}\" {{\nVersion: 232\nType: \"LimbNode\"\n{rest}{children}}}\n")
    };
    let turn = "Default: 0\nKeyVer: 4005\nKeyCount: 2\nKey: 0,0,L,46186158000,90,L";
    let take = transform("Default: 100", turn);
    format!(
        "; FBX 5.0.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 5000\n}}\n{}{}\
         Takes: {{\nCurrent: \"Turn\"\nTake: \"Turn\" {{\nLocalTime: 0,46186158000\nReferenceTime: 0,46186158000\n\
         Model: \"Model::Tip\" {{\nVersion: 1.1\n{take}}}\n}}\n}}\n",
        joint("Root", "Default: 0", "Children: \"Model::Tip\"\n"),
        joint("Tip", keys, ""),
    )
}

#[test]
fn values_outside_of_the_takes_of_an_old_file_are_a_clip_only_where_they_change() {
    const STILL: &str = "Default: 100";
    const MOVING: &str = "Default: 100\nKeyVer: 4005\nKeyCount: 2\nKey: 0,100,L,46186158000,300,L";
    let folder = tempfile::tempdir().unwrap();
    for (keys, expected, told) in [(STILL, &["Turn"][..], " 1 clip, "), (MOVING, &["Turn", "(internal)"], " 2 clips, ")]
    {
        let [fbx, glb] = ["old.fbx", "old.glb"].map(|name| folder.path().join(name));
        std::fs::write(&fbx, fbx_5000(keys)).unwrap();
        let converted = rigscope(&["convert".as_ref(), fbx.as_os_str(), "-o".as_ref(), glb.as_os_str()]).ok();
        assert!(converted.stderr.contains(told), "{}", converted.stderr);
        for file in [&fbx, &glb] {
            assert_clips(file, expected);
        }
    }
}

/// Asserts that `info` and the error message for an unknown `--clip` list these clips.
fn assert_clips(file: &std::path::Path, expected: &[&str]) {
    let told = rigscope(&["info".as_ref(), file.as_os_str(), "--json".as_ref()]).ok().stdout;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let names = told["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), expected, "{}", file.display());
    let compare = |clip: &str| rigscope(&["compare".as_ref(), file.as_os_str(), "--clip".as_ref(), clip.as_ref()]);
    let run = compare("nobody's");
    assert!(run.stderr.ends_with(&format!("there are {}\n", expected.join(", "))), "{}", run.stderr);
}

#[test]
fn the_clips_of_a_file_of_3ds_max_7_are_its_takes() {
    let Some(samples) = common::samples() else { return };
    assert_clips(&samples.join("fbx/max7_blend_cube_5000_binary.fbx"), &["Take 001"]);
}

#[test]
fn a_mesh_that_moved_after_its_skin_was_bound_is_reported() {
    let moved = |y: f64| {
        let imported = with(|fbx| fbx.property(BODY, ("Lcl Translation", "Lcl Translation", &[0.0, y, 0.0])));
        let moved = imported.warnings.iter().find(|warning| warning.finding.code == Code::SkinnedNodeMoved)?;
        let (_, distance) = moved.finding.message.split_once("by up to ")?;
        distance.split_once(" m.")?.0.parse::<f32>().ok()
    };
    assert_eq!(moved(0.0), None);
    let distance = moved(30.0).expect("Maya draws the mesh elsewhere");
    assert!((distance - 0.3).abs() < 1e-3, "{distance} m");
}

#[test]
fn texture_coordinates_are_kept_without_a_texture() {
    let imported = with(|_| ());
    let [skin, cloth] = &imported.rig.meshes[0].primitives[..] else { panic!("two materials") };
    let textured = |p: &Primitive| imported.rig.materials[p.material.unwrap().0].texture.is_some();
    assert_eq!((textured(skin), textured(cloth)), (true, false));
    assert!(skin.tex_coords.is_some() && cloth.tex_coords.is_some());
}

#[test]
fn a_clip_is_the_range_of_its_take_and_what_moves_outside_is_reported() {
    let wave = |begin: f64, end: f64| {
        let imported = with(|fbx| {
            for (name, secs) in [("LocalStart", begin), ("LocalStop", end)] {
                fbx.property(200, (name, "KTime", &[secs * 46_186_158_000.0]));
            }
        });
        let messages = common::messages(&imported.warnings);
        let range = messages.into_iter().find(|message| message.contains(": its take goes from "));
        let clip = &imported.rig.clips[0];
        let first = clip.channels.iter().filter_map(|c| c.times_secs.first().copied()).fold(f32::INFINITY, f32::min);
        (clip.duration_secs, first, range)
    };
    assert_eq!(wave(0.0, 1.0), (1.0, 0.0, None));
    let (secs, first, range) = wave(0.25, 0.75);
    assert!((secs - 0.5).abs() < 1e-4 && first == 0.0, "{secs} s from {first} s");
    let message = range.expect("a warning");
    let outside =
        "keys outside, from 0.000 to 1.000 s, move something and are not played. --whole-timeline plays them.";
    assert!(message.ends_with(outside), "{message}");
    // No keys are in this range, so the range must be wrong.
    let (secs, first, range) = wave(5.0, 6.0);
    assert_eq!((secs, first), (1.0, 0.0));
    let message = range.expect("a warning");
    assert!(message.ends_with("; the whole time line is played."), "{message}");
}
