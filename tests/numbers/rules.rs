//! Rules of profiles: each measure has the expected value for the built rig, and a limit is met at this value and
//! violated one unit off.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::fs;

use glam::{Quat, Vec2, Vec3};
use rigscope::analysis::lint::rules::{
    FacingAxis, Inventory, Limits, Measure, NamedObjectKind, Pattern, Profile, ProfileReport, Rule, RuleOutcome,
    StandardPose,
};
use rigscope::analysis::lint::{Finding, Severity};
use rigscope::import::{Job, import_file};
use rigscope::matching::{HumanBone, Scheme};
use rigscope::project::{Config, profile, profiles};
use rigscope::rig::{
    Channel, Clip, CoordSet, Hierarchy, Image, Influences, Material, MaterialIndex, Mesh, MeshInstance, MorphTarget,
    NodeDescription, NodeIndex, Primitive, Property, Rig, RigData, Skin, Texture, Trs, VrmComponent, VrmViolations,
    Wrap,
};

use crate::common::{files_below, samples};

/// Returns the bones of a human in a T-pose that faces +Z: name, index of the parent, and position relative to the
/// parent.
fn skeleton() -> Vec<(String, Option<usize>, Vec3)> {
    let mut nodes = vec![
        ("hips".to_owned(), None, Vec3::Y),
        ("spine".to_owned(), Some(0), Vec3::Y * 0.1),
        ("chest".to_owned(), Some(1), Vec3::Y * 0.1),
        ("neck".to_owned(), Some(2), Vec3::Y * 0.2),
        ("head".to_owned(), Some(3), Vec3::Y * 0.1),
    ];
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let first = nodes.len();
        let places = [("Shoulder", 0.05), ("UpperArm", 0.1), ("LowerArm", 0.25), ("Hand", 0.25)];
        for (number, (name, along)) in places.into_iter().enumerate() {
            let above = if number == 0 { 2 } else { first + number - 1 };
            nodes.push((format!("{side}{name}"), Some(above), Vec3::X * x * along));
        }
        let first = nodes.len();
        for (number, (name, place)) in
            [("UpperLeg", Vec3::X * x * 0.1), ("LowerLeg", Vec3::NEG_Y * 0.45), ("Foot", Vec3::NEG_Y * 0.45)]
                .into_iter()
                .enumerate()
        {
            nodes.push((format!("{side}{name}"), Some(if number == 0 { 0 } else { first + number - 1 }), place));
        }
    }
    nodes
}

/// Creates a primitive with three vertices per triangle, in a box of 1 x 2 x 0.5 m that stands on the ground.
fn part(triangles: usize, material: usize) -> Primitive {
    let corners = [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.5), Vec3::new(0.5, 2.0, 0.25)];
    let positions: Vec<Vec3> = (0..3 * triangles).map(|vertex| corners[vertex % 3]).collect();
    let count = positions.len();
    Primitive {
        indices: (0..count as u32).collect(),
        tex_coords: Some(vec![Vec2::ZERO; count]),
        material: Some(MaterialIndex(material)),
        positions,
        ..Primitive::default()
    }
}

fn image(width: u32, height: u32) -> Image {
    Image { width, height, rgba: vec![0; (4 * width * height) as usize].into() }
}

fn textured(name: &str, image: usize) -> Material {
    let texture =
        Texture { image, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::default(), transform: None };
    Material { name: name.to_owned(), texture: Some(texture), ..Material::default() }
}

fn clip(name: &str, frames: usize) -> Clip {
    let times_secs: Vec<f32> = (0..=frames).map(|frame| frame as f32 / 24.0).collect();
    let values = times_secs.iter().flat_map(|time| [*time, 0.0, 0.0]).collect();
    let channel = Channel::linear(NodeIndex(0), Property::Translation, times_secs, values);
    let duration_secs = frames as f32 / 24.0;
    Clip { name: name.to_owned(), duration_secs, channels: vec![channel], authored_rate: None }
}

/// Changes the built rig.
type Change = fn(&mut Vec<NodeDescription>, &mut RigData);

/// Creates a rig: a skinned mesh with primitives of 10 and 20 triangles, an unskinned mesh of 5 triangles with two
/// instances, 19 joints, 2 materials, 2 images, 2 clips.
fn rig(change: Change) -> Rig {
    let nodes = skeleton();
    let mut described: Vec<NodeDescription> = (0..nodes.len())
        .map(|number| NodeDescription {
            name: nodes[number].0.clone(),
            children: (0..nodes.len()).filter(|&child| nodes[child].1 == Some(number)).collect(),
            rest: Trs::from_translation(nodes[number].2),
            ..NodeDescription::default()
        })
        .collect();
    described.extend(
        ["Body", "Prop", "Prop2"].map(|name| NodeDescription { name: name.to_owned(), ..NodeDescription::default() }),
    );
    let skinned = |mut primitive: Primitive, joint: u16| {
        let count = primitive.positions.len();
        let joints = (0..count).flat_map(|vertex| [joint, if vertex == 0 { 1 } else { joint }]).collect();
        let weights = (0..count).flat_map(|vertex| if vertex == 0 { [0.5, 0.5] } else { [1.0, 0.0] }).collect();
        primitive.influences = Some(Influences::new(2, joints, weights));
        primitive
    };
    let morph = |mut primitive: Primitive| {
        let moved =
            (0..primitive.positions.len()).map(|vertex| if vertex < 7 { Vec3::X } else { Vec3::ZERO }).collect();
        primitive.morph_targets = vec![MorphTarget { positions: moved, ..MorphTarget::default() }];
        primitive
    };
    let body = Mesh {
        source: 0,
        name: "Body_Geo".to_owned(),
        primitives: vec![morph(skinned(part(10, 0), 0)), Primitive { source: 1, ..skinned(part(20, 1), 2) }],
        target_names: vec!["Smile".to_owned()],
    };
    let prop = Mesh { source: 1, name: "Prop".to_owned(), primitives: vec![part(5, 0)], ..Mesh::default() };
    let mut parts = RigData {
        meshes: vec![body, prop],
        materials: vec![textured("Skin", 0), textured("Cloth", 1)],
        images: vec![image(64, 32), image(12, 12)],
        clips: vec![clip("Walk", 48), clip("Run", 24)],
        ..RigData::default()
    };
    change(&mut described, &mut parts);
    parts.hierarchy = Hierarchy::new(&described).unwrap();
    let at = |source: usize| parts.hierarchy.by_source(source).unwrap();
    let joints: Vec<NodeIndex> = (0..nodes.len()).map(at).collect();
    let instance =
        |node: usize, mesh, skin| MeshInstance { node: at(nodes.len() + node), mesh, skin, morph_weights: Vec::new() };
    parts.instances = vec![instance(0, 0, Some(0)), instance(1, 1, None), instance(2, 1, None)];
    let world: Vec<glam::Affine3> = (0..described.len())
        .map(|source| {
            let node = at(source);
            let above = parts.hierarchy.ancestors(node).map(|above| *parts.hierarchy.rest_local(above));
            above.fold(*parts.hierarchy.rest_local(node), |below, above| above * below)
        })
        .collect();
    let inverse_bind = (0..joints.len()).map(|source| world[source].inverse()).collect();
    parts.skins = vec![Skin { name: "Figure".to_owned(), joints, inverse_bind, ..Skin::default() }];
    Rig::new(parts)
}

/// Binds the cloth to the left foot, and moves the props below it.
fn shod(nodes: &mut [NodeDescription], parts: &mut RigData) {
    let cloth = &mut parts.meshes[0].primitives[1];
    let foot = nodes.iter().position(|node| node.name == "leftFoot").unwrap() as u16;
    let count = cloth.positions.len();
    cloth.influences = Some(Influences::new(1, vec![foot; count], vec![1.0; count]));
    for prop in nodes.iter_mut().filter(|node| node.name.starts_with("Prop")) {
        prop.rest.translation = Vec3::NEG_Y;
    }
}

/// Makes the rig a VRM file with two violations in one component of its VRM data.
fn declare(parts: &mut RigData, part: VrmComponent) {
    parts.vrm_version = Some(1);
    parts.vrm_faults = vec![VrmViolations { part, count: 2, first: vec!["a is missing".to_owned()] }];
}

fn unchanged(_: &mut Vec<NodeDescription>, _: &mut RigData) {}

fn judged(rig: &Rig, rule: Rule) -> ProfileReport {
    let profile =
        Profile { name: "test".to_owned(), title: "Test".to_owned(), rules: vec![rule], ..Profile::default() };
    profile.check_rig(&Inventory::new(rig, Some(1000)), None)
}

fn patterns(names: &[&str]) -> Vec<Pattern> {
    names.iter().map(|name| Pattern::new(name)).collect()
}

/// Changes what a rule applies to.
type Select = fn(&mut Rule);

#[test]
#[expect(clippy::too_many_lines, reason = "a row for each measure")]
fn every_rule_is_met_at_its_limit_and_not_one_unit_off() {
    let all: Select = |_| {};
    let cases: Vec<(Measure, f64, f64, Change, Select)> = vec![
        (Measure::Triangles, 40.0, 1.0, unchanged, all),
        (Measure::Triangles, 10.0, 1.0, unchanged, |rule| rule.meshes = patterns(&["prop*"])),
        (Measure::Triangles, 30.0, 1.0, unchanged, |rule| rule.except = patterns(&["Prop"])),
        (Measure::MeshTriangles, 30.0, 1.0, unchanged, all),
        (Measure::Vertices, 105.0, 1.0, unchanged, all),
        (Measure::Meshes, 3.0, 1.0, unchanged, all),
        (Measure::SkinnedMeshes, 1.0, 1.0, unchanged, all),
        (Measure::BasicMeshes, 2.0, 1.0, unchanged, all),
        (Measure::DrawCalls, 4.0, 1.0, unchanged, all),
        (Measure::MaterialSlots, 4.0, 1.0, unchanged, all),
        (Measure::Materials, 2.0, 1.0, unchanged, all),
        (Measure::Materials, 1.0, 1.0, unchanged, |rule| rule.except = patterns(&["skin"])),
        (Measure::Textures, 2.0, 1.0, unchanged, all),
        (Measure::Textures, 2.0, 1.0, unchanged, |rule| rule.kind = NamedObjectKind::BaseColor),
        (Measure::TextureSide, 64.0, 1.0, unchanged, all),
        (Measure::TextureMemory, 10_924.0 + 760.0, 1.0, unchanged, all),
        (Measure::TextureMemoryBc7, 2768.0 + 240.0, 1.0, unchanged, all),
        (Measure::TextureMemoryAstc, 1520.0 + 112.0, 1.0, unchanged, all),
        (Measure::Joints, 19.0, 1.0, unchanged, all),
        (Measure::Joints, 2.0, 1.0, unchanged, |rule| rule.names = patterns(&["*foot"])),
        (Measure::Joints, 4.0, 1.0, unchanged, |rule| rule.under = patterns(&["leftShoulder"])),
        (Measure::Triangles, 5.0, 1.0, unchanged, |rule| rule.under = patterns(&["Prop2"])),
        (Measure::Materials, 1.0, 1.0, unchanged, |rule| rule.under = patterns(&["Prop*"])),
        (Measure::Textures, 1.0, 1.0, unchanged, |rule| rule.meshes = patterns(&["Prop"])),
        (Measure::TextureSide, 64.0, 1.0, unchanged, |rule| rule.under = patterns(&["Prop"])),
        (Measure::MissingNames, 1.0, 1.0, unchanged, |rule| {
            (rule.kind, rule.names) = (NamedObjectKind::SkinJoints, patterns(&["hips", "Prop"]));
        }),
        (Measure::SkinJoints, 19.0, 1.0, unchanged, all),
        (Measure::UnusedJoints, 16.0, 1.0, unchanged, all),
        (Measure::Influences, 2.0, 1.0, unchanged, all),
        (Measure::InfluencedBy, 30.0, 1.0, unchanged, |rule| rule.names = patterns(&["Hips"])),
        (
            Measure::UvSets,
            2.0,
            1.0,
            |_, parts| {
                let part = &mut parts.meshes[0].primitives[0];
                part.second_tex_coords = part.tex_coords.clone();
            },
            all,
        ),
        (Measure::MorphTargets, 1.0, 1.0, unchanged, all),
        (Measure::MorphVertices, 7.0, 1.0, unchanged, all),
        (Measure::Clips, 2.0, 1.0, unchanged, all),
        (Measure::ClipSeconds, 2.0, 0.01, unchanged, all),
        (Measure::ClipFrames, 48.0, 1.0, unchanged, all),
        (Measure::ClipRate, 24.0, 1.0, unchanged, all),
        (Measure::FileBytes, 1000.0, 1.0, unchanged, all),
        (Measure::MeshMaterials, 2.0, 1.0, unchanged, all),
        (Measure::MeshMaterials, 1.0, 1.0, unchanged, |rule| rule.meshes = patterns(&["prop"])),
        (Measure::Unit, 0.01, 0.01, |_, parts| parts.unit_metres = Some(0.01), all),
        (Measure::Width, 1.0, 0.01, unchanged, all),
        (Measure::Height, 2.0, 0.01, unchanged, all),
        (Measure::Depth, 0.5, 0.01, unchanged, all),
        (Measure::Soles, 0.0, 0.01, |nodes, parts| shod(nodes, parts), all),
        (
            Measure::Soles,
            0.3,
            0.01,
            |nodes, parts| {
                shod(nodes, parts);
                parts.meshes[0].primitives[1].positions.iter_mut().for_each(|position| position.y += 0.3);
            },
            all,
        ),
        (Measure::Front, 0.0, 1.0, unchanged, all),
        (Measure::Front, 180.0, 1.0, unchanged, |rule| rule.axis = FacingAxis::MinusZ),
        (Measure::Pose, 0.0, 1.0, unchanged, all),
        (Measure::Pose, 90.0, 1.0, unchanged, |rule| rule.stance = StandardPose::I),
        (Measure::Pose, 45.0, 1.0, unchanged, |rule| rule.stance = StandardPose::A),
        (Measure::ScaledJoints, 1.0, 1.0, |nodes, _| nodes[4].rest.scale = Vec3::splat(1.1), all),
        (
            Measure::UnevenScales,
            2.0,
            1.0,
            |nodes, _| {
                nodes[4].rest.scale = Vec3::new(1.0, 1.2, 1.0);
                nodes[3].rest.scale = Vec3::splat(-1.0);
            },
            all,
        ),
        (Measure::TurnedBones, 1.0, 1.0, |nodes, _| nodes[4].rest.rotation = Quat::from_rotation_y(0.2), all),
        (Measure::ScaledBones, 1.0, 1.0, |nodes, _| nodes[4].rest.scale = Vec3::splat(-1.0), all),
        (Measure::Roots, 1.0, 1.0, unchanged, all),
        (Measure::RepeatedNames, 1.0, 1.0, |nodes, _| nodes[4].name = "neck".to_owned(), all),
        (
            Measure::UnpairedNames,
            1.0,
            1.0,
            |nodes, _| nodes[8].name = "left_claw".to_owned(),
            |rule| {
                rule.except = patterns(&["right*", "leftS*", "leftU*", "leftL*", "leftF*"]);
            },
        ),
        (Measure::Names, 2.0, 1.0, unchanged, |rule| rule.names = patterns(&["h*s", "head", "tail"])),
        (Measure::MissingNames, 1.0, 1.0, unchanged, |rule| rule.names = patterns(&["h*s", "head", "tail"])),
        (Measure::MissingNames, 1.0, 1.0, unchanged, |rule| {
            (rule.kind, rule.names) = (NamedObjectKind::Clips, patterns(&["walk", "jump"]));
        }),
        (Measure::OtherNames, 1.0, 1.0, unchanged, |rule| {
            (rule.kind, rule.names) = (NamedObjectKind::Materials, patterns(&["skin", "hair"]));
        }),
        (Measure::VrmVersion, 1.0, 1.0, |_, parts| parts.vrm_version = Some(1), all),
        (
            Measure::DeclaredBones,
            2.0,
            1.0,
            |_, parts| {
                parts.human_bones = vec![(NodeIndex(0), "hips".to_owned()), (NodeIndex(1), "spine".to_owned())];
            },
            all,
        ),
        (Measure::VrmMeta, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::Meta), all),
        (Measure::VrmExpressions, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::Expressions), all),
        (Measure::VrmLookAt, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::LookAt), all),
        (Measure::VrmFirstPerson, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::FirstPerson), all),
        (Measure::VrmSprings, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::Springs), all),
        (Measure::VrmConstraints, 2.0, 1.0, |_, parts| declare(parts, VrmComponent::Constraints), all),
        (
            Measure::SharedBones,
            1.0,
            1.0,
            |_, parts| {
                parts.human_bones = [(1, "spine"), (1, "chest"), (2, "neck")]
                    .map(|(node, bone)| (NodeIndex(node), bone.to_owned()))
                    .to_vec();
            },
            all,
        ),
        (
            Measure::ParentlessBones,
            1.0,
            1.0,
            |_, parts| {
                parts.human_bones =
                    [(0, "hips"), (1, "spine"), (2, "upperChest"), (3, "leftIndexProximal"), (4, "leftHand")]
                        .map(|(node, bone)| (NodeIndex(node), bone.to_owned()))
                        .to_vec();
            },
            all,
        ),
        (Measure::ParentlessBones, 1.0, 1.0, |nodes, _| nodes[4].name = "thumb_03_l".to_owned(), all),
        (Measure::MissingBones, 36.0, 1.0, unchanged, all),
        (Measure::MissingBones, 1.0, 1.0, unchanged, |rule| {
            rule.bones = ["hips", "jaw"].map(|name| HumanBone::named(name).unwrap()).to_vec();
        }),
        (
            Measure::MisplacedBones,
            1.0,
            1.0,
            |nodes, _| {
                nodes[2].children.retain(|child| *child != 3);
                nodes[1].children.push(3);
            },
            all,
        ),
        (Measure::SplitBones, 2.0, 1.0, |nodes, _| nodes[2].children.retain(|child| *child != 3), all),
        (
            Measure::LaterChildren,
            1.0,
            1.0,
            |nodes, _| {
                nodes.push(NodeDescription { name: "twist".to_owned(), ..NodeDescription::default() });
                let twist = nodes.len() - 1;
                nodes[6].children.insert(0, twist);
            },
            all,
        ),
        (Measure::BoneNames, 100.0, 1.0, unchanged, |rule| {
            rule.bones = ["hips", "head"].map(|name| HumanBone::named(name).unwrap()).to_vec();
        }),
        (Measure::BoneNames, 100.0 / 52.0, 1.0, unchanged, |rule| rule.scheme = Scheme::Unreal),
    ];
    for (measure, value, unit, change, select) in &cases {
        let rig = rig(*change);
        let judged = |min: Vec<f64>, max: Vec<f64>| {
            let mut rule = Rule::new("rule", *measure, Limits { min, max });
            select(&mut rule);
            judged(&rig, rule)
        };
        let met = judged(vec![], vec![value + unit / 100.0]);
        let reading = met.rows[0].reading.as_ref().unwrap_or_else(|| panic!("{measure}: {:?}", met.rows[0].outcome));
        assert!((reading.value - value).abs() < unit / 100.0, "{measure}: {} is not {value}", reading.value);
        assert_eq!((met.rank, met.findings.len()), (0, 0), "{measure}");
        if *value > 0.0 {
            let over = judged(vec![], vec![value - unit]);
            assert_eq!((over.rank, over.rank_name()), (2, "failed"), "{measure}");
            assert!(
                !over.findings.is_empty() && over.findings.iter().all(|f| f.severity == Severity::Error),
                "{measure}"
            );
            assert!(over.findings.iter().all(|f| f.id() == "test/rule" && f.message.ends_with('.')), "{measure}");
        }
        let under = judged(vec![value + unit], vec![]);
        assert_eq!(under.rank, 2, "{measure}: one unit more is wanted");
        let smallest = judged(vec![(value - unit / 100.0).max(0.0)], vec![]);
        let is_of_each = matches!(
            measure,
            Measure::ClipSeconds
                | Measure::ClipFrames
                | Measure::TextureSide
                | Measure::UvSets
                | Measure::MeshTriangles
                | Measure::MeshMaterials
        );
        assert!(smallest.rank == 0 || is_of_each, "{measure}: so much is enough");
    }
    let known = |measure: &Measure| cases.iter().any(|case| case.0 == *measure) || !measure.is_in_files();
    let missing: Vec<Measure> = Measure::of_rules().filter(|measure| !known(measure)).collect();
    assert!(missing.is_empty(), "measures without a case: {missing:?}");
}

#[test]
fn absent_features_never_pass_and_unmeasurable_ones_explain_why() {
    let rig = rig(unchanged);
    for (measure, why) in [(Measure::NotInFile, "not in this file"), (Measure::NotRead, "not read by Rigscope")] {
        let sheet = judged(&rig, Rule::new("rule", measure, Limits::at_most(0.0)));
        assert_eq!(sheet.rows[0].outcome, RuleOutcome::Unknown(why.to_owned()));
        assert_eq!(sheet.unknown(), 1);
    }
    let tail = Rule { meshes: patterns(&["tail*"]), ..Rule::new("rule", Measure::Triangles, Limits::at_most(9.0)) };
    assert_eq!(judged(&rig, tail).rows[0].outcome, RuleOutcome::Unknown("no mesh is called tail*".to_owned()));
    let soles = Rule::new("rule", Measure::Soles, Limits::at_most(9.0));
    assert_eq!(judged(&rig, soles).rows[0].outcome, RuleOutcome::Unknown("the file draws no feet".to_owned()));
    let empty = Rig::default();
    for (measure, why) in [
        (Measure::Pose, "no humanoid arms and legs were found"),
        (Measure::ClipRate, "the file has no clips"),
        (Measure::Height, "the file draws nothing"),
        (Measure::Soles, "the file draws nothing"),
        (Measure::VrmVersion, "the file is no VRM"),
        (Measure::VrmMeta, "the file is no VRM"),
        (Measure::Unit, "the unit of the file is not known"),
        (Measure::MisplacedBones, "no humanoid bones are found"),
    ] {
        let sheet = judged(&empty, Rule::new("rule", measure, Limits::at_most(9.0)));
        assert_eq!(sheet.rows[0].outcome, RuleOutcome::Unknown(why.to_owned()), "{measure}");
    }
}

#[test]
fn rig_does_not_pass_if_a_failing_rule_cannot_be_measured() {
    let rig = rig(unchanged);
    let with = |severity: Severity, joints: f64| {
        let tail = Rule {
            meshes: patterns(&["tail*"]),
            severity,
            ..Rule::new("tail", Measure::Triangles, Limits::at_most(9.0))
        };
        let joints = Rule::new("joints", Measure::Joints, Limits::at_most(joints));
        let profile = Profile { name: "p".to_owned(), rules: vec![tail, joints], ..Profile::default() };
        profile.check_rig(&Inventory::new(&rig, None), None)
    };
    let open = with(Severity::Error, 19.0);
    assert_eq!((open.verdict().as_str(), open.is_undecided(), open.is_beyond()), ("undecided", true, false));
    assert_eq!(open.reason(), "tail: no mesh is called tail*");
    assert_eq!(with(Severity::Warning, 19.0).verdict(), "passed");
    assert_eq!(with(Severity::Error, 18.0).verdict(), "failed", "what fails is decided");
    assert!(with(Severity::Warning, 19.0).order() < open.order() && open.order() < with(Severity::Error, 18.0).order());
}

#[test]
fn no_textures_take_no_memory() {
    let bare = rig(|_, parts| parts.materials.iter_mut().for_each(|material| material.texture = None));
    let sheet = judged(&bare, Rule::new("rule", Measure::TextureMemory, Limits::at_most(0.0)));
    let value = sheet.rows[0].reading.as_ref().unwrap().value;
    assert!(value == 0.0 && value.is_sign_positive());
    assert_eq!(sheet.rows[0].share(0), None, "of nothing there is no share");
}

#[test]
fn missing_parent_node_is_unknown_and_only_skins_need_joint_names() {
    let rig = rig(unchanged);
    for measure in [Measure::Triangles, Measure::Materials, Measure::Joints] {
        let rule = Rule { under: patterns(&["Armature_Prop"]), ..Rule::new("rule", measure, Limits::at_most(9.0)) };
        let why = "no node is called Armature_Prop".to_owned();
        assert_eq!(judged(&rig, rule).rows[0].outcome, RuleOutcome::Unknown(why));
    }
    let ask = |rig: &Rig, kind| {
        let names = patterns(&["Avatar_Hips"]);
        judged(rig, Rule { kind, names, ..Rule::new("rule", Measure::MissingNames, Limits::at_most(0.0)) }).rank
    };
    let rigid = Rig::new(RigData { skins: Vec::new(), ..RigData::clone(&rig) });
    assert_eq!(
        [
            ask(&rig, NamedObjectKind::SkinJoints),
            ask(&rigid, NamedObjectKind::SkinJoints),
            ask(&rigid, NamedObjectKind::Joints)
        ],
        [2, 0, 2]
    );
}

#[test]
fn the_worst_row_gives_the_rank_and_a_demanded_rank_decides() {
    let rig = rig(unchanged);
    let ranks = ["good", "medium", "poor"].map(str::to_owned).to_vec();
    let rule =
        |name: &str, measure, most: [f64; 3]| Rule::new(name, measure, Limits { min: vec![], max: most.to_vec() });
    let rules = vec![
        rule("triangles", Measure::Triangles, [40.0, 50.0, 60.0]),
        rule("slots", Measure::MaterialSlots, [2.0, 3.0, 4.0]),
    ];
    let profile = Profile { name: "p".to_owned(), ranks, beyond: "very poor".to_owned(), rules, ..Profile::default() };
    let inventory = Inventory::new(&rig, None);
    let any = profile.check_rig(&inventory, None);
    assert_eq!((any.rank_name(), any.is_beyond()), ("poor", false));
    assert_eq!(any.reason(), "slots: 4 material slots (medium: 3)");
    assert_eq!(any.findings.iter().map(|f| f.severity).collect::<Vec<_>>(), [Severity::Note]);
    let good = profile.check_rig(&inventory, profile.rank_named("Good"));
    assert_eq!(good.findings.iter().map(|f| f.severity).collect::<Vec<_>>(), [Severity::Error]);
    assert!(good.findings[0].message.contains("Poor; good takes 2"), "{}", good.findings[0].message);
}

#[test]
fn a_project_writes_and_extends_profiles_and_has_others_for_some_paths() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "base.toml",
        "extends = 'vrchat-mobile'\n[about]\nname = 'studio'\n[[rule]]\nname = 'triangles'\nmeasure = 'triangles'\nmax = 39\n",
    );
    write(
        "rigscope.toml",
        "profile = 'base.toml'\n[[rule]]\nmeasure = 'clips'\nmax = 1\n[[override]]\nfiles = 'props/**'\nrule = []\nprofile = []\n",
    );
    let config = Config::read(&folder.path().join("rigscope.toml"), &Job::default()).unwrap();
    let names: Vec<&str> = config.profiles.iter().map(|profile| profile.name.as_str()).collect();
    assert_eq!(names, ["studio", "project"]);
    let files: Vec<_> = config.files.iter().filter_map(|file| file.file_name()).collect();
    assert_eq!(files, ["rigscope.toml", "base.toml"], "a change of either changes the rules");
    assert_eq!(config.profiles[0].rules.len(), profile("vrchat-mobile").unwrap().rules.len());
    let rig = std::sync::Arc::new(rig(unchanged));
    let sheets = config.sheets(&rig, None, &rigscope::jobs::Progress::default()).unwrap();
    let found = config.judge(&rig, Vec::new(), &sheets);
    let ids: Vec<String> = found.shown.iter().filter(|f| f.severity > Severity::Note).map(Finding::id).collect();
    assert_eq!(ids, ["project/clips", "studio/triangles"]);

    let projects = rigscope::project::ProjectConfigs::with_config(config);
    let of = |path: &str| projects.config(Some(&folder.path().join(path))).unwrap().profiles.len();
    fs::create_dir(folder.path().join("props")).unwrap();
    assert_eq!((of("hero.glb"), of("props/cup.glb")), (2, 0));
    let nearest =
        |path: &str| Config::nearest(Some(&folder.path().join(path)), &Job::default()).unwrap().profiles.len();
    assert_eq!((nearest("hero.glb"), nearest("props/cup.glb")), (2, 0), "the window applies them too");

    let fault = |text: &str| {
        write("rigscope.toml", text);
        Config::read(&folder.path().join("rigscope.toml"), &Job::default()).unwrap_err()
    };
    for (text, said) in [
        (
            "profile = 'vrchat-pc'\nat-least = 'god'\n",
            "at-least: no profile has the rank \"god\"; there are excellent, good",
        ),
        ("strict = true\n[[rule]]\nmeasure = 'soles'\n", "rigscope.toml: line 2: rule \"soles\": it has neither"),
        ("[[override]]\nfiles = 'a'\n[[override.rule]]\nmeasure = 'soles'\n", "line 3: rule \"soles\": it has neither"),
        ("strict = true\n[[override]]\nfiles = 'a'\nstrict = 3\n", "line 2: override: "),
    ] {
        let problem = fault(text);
        assert!(problem.contains(said), "{text}: {problem}");
    }

    // Keys that a profile must not have are errors.
    write("base.toml", "strict = true\n[limits]\njoints = 3\n[[rule]]\nmeasure = 'clips'\nmax = 1\n");
    let problem = fault("profile = 'base.toml'\n");
    assert!(
        problem.contains("base.toml: a profile has rules alone, and this file has limits, strict too"),
        "{problem}"
    );

    write("rigscope.toml", "extends = 'rigscope.toml'\n");
    let problem = Config::read(&folder.path().join("rigscope.toml"), &Job::default()).unwrap_err();
    assert!(problem.contains("in a circle"), "{problem}");
}

#[test]
fn the_lowest_point_stands_for_the_soles_of_what_has_no_feet() {
    let rig = rig(|nodes, parts| {
        shod(nodes, parts);
        for foot in nodes.iter_mut().filter(|node| node.name.ends_with("Foot")) {
            foot.name = "wheel".to_owned();
        }
    });
    let sheet = judged(&rig, Rule::new("rule", Measure::Soles, Limits::at_most(0.5)));
    assert_eq!(sheet.findings[0].message, "The lowest point is at Y = -1.000 m; the limit is 0.5 m.");
}

#[test]
fn vrm_samples_pass_as_vrm_1_with_soles_untold_and_fail_as_vrm_0() {
    let Some(folder) = samples() else { return };
    let files = files_below(&folder.join("vrm"), &["vrm"]);
    assert!(!files.is_empty());
    for file in files {
        let rig = import_file(&file, &Job::default()).unwrap().rig;
        let inventory = Inventory::new(&rig, None);
        let one = profile("vrm-1").unwrap().check_rig(&inventory, None);
        assert_eq!((one.rank_name(), one.reason()), ("passed", String::new()), "{}", file.display());
        let soles = one.rows.iter().find(|row| row.rule.name == "soles").unwrap();
        assert_eq!(soles.outcome, RuleOutcome::Unknown("the file draws no feet".to_owned()), "a ball and a chain");
        let zero = profile("vrm-0").unwrap().check_rig(&inventory, None);
        assert_eq!(
            zero.reason(),
            "version: 1 as the VRM version (needs 0), 180.0° from the required facing direction (limit: 5.0°)",
            "{}",
            file.display()
        );
    }
}

#[test]
fn every_profile_judges_every_sample() {
    let Some(folder) = samples() else { return };
    let files = files_below(&folder, &["glb", "gltf", "vrm", "fbx"]);
    let mut judged = 0;
    for file in files.iter().step_by(7) {
        let Ok(imported) = import_file(file, &Job::default()) else { continue };
        let inventory = Inventory::new(&imported.rig, None);
        for profile in profiles() {
            let sheet = profile.check_rig(&inventory, None);
            assert_eq!(sheet.rows.len(), profile.rules.len());
            assert!(sheet.rank < sheet.ranks.len());
            judged += 1;
        }
    }
    assert!(judged > 0);
}
