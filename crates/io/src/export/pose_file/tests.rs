use super::*;
use rigscope_core::rig::testing::faces;
use rigscope_core::rig::{NodeDescription, RigData};

fn hierarchy() -> Hierarchy {
    let node = |name: &str, children: &[usize]| NodeDescription::new(name, children.to_vec(), Trs::IDENTITY);
    // root -> (left -> hand, right -> hand), and two nodes with the same name under `right`.
    let nodes = [
        node("root", &[1, 2]),
        node("left", &[3]),
        node("right", &[4, 5, 6]),
        node("hand", &[]),
        node("hand", &[]),
        node("twin", &[]),
        node("twin", &[]),
    ];
    Hierarchy::new(&nodes).unwrap()
}

fn rig(hierarchy: &Hierarchy) -> Rig {
    Rig::new(RigData { hierarchy: hierarchy.clone(), ..RigData::default() })
}

fn posed(sources: &[usize]) -> Pose {
    let h = hierarchy();
    let mut pose = Pose::rest(&h);
    for &s in sources {
        let trs = Trs {
            translation: Vec3::new(s as f32, 0.5, -1.0),
            rotation: Quat::from_rotation_y(0.3 * (s as f32 + 1.0)),
            scale: Vec3::splat(1.5),
        };
        pose.set_user_local(h.by_source(s).unwrap(), trs);
    }
    pose
}

#[test]
fn every_pose_comes_back() {
    let h = hierarchy();
    let pose = posed(&[0, 1, 2, 3, 4, 5, 6]);
    let file = PoseFile::from_pose(&rig(&h), &pose);
    let names: Vec<_> = file.joints.by_name.keys().map(String::as_str).collect();
    assert_eq!(names, ["#5", "#6", "left", "right", "root", "root/left/hand", "root/right/hand"]);
    let again = PoseFile::parse(file.to_json().as_bytes()).unwrap();
    let (read, unknown) = again.pose_for(&rig(&h));
    assert!(unknown.is_empty());
    for node in h.nodes() {
        let (a, b) = (read.user_local(node), pose.user_local(node));
        assert!(a.rotation.abs_diff_eq(b.rotation, 1e-6), "{}", h.path(node));
        assert_eq!((a.translation, a.scale), (b.translation, b.scale));
    }
}

#[test]
fn unknown_joints_are_named_and_the_rest_applies() {
    let h = hierarchy();
    let file =
        PoseFile::parse(br##"{"version":1,"joints":{"tail":{},"#7":{},"left":{"rotation":[0,0,2,0]}}}"##).unwrap();
    let (pose, warnings) = file.pose_for(&rig(&h));
    assert_eq!(warnings, ["#7", "tail"].map(|name| PoseFileWarning::Unknown(name.to_owned())));
    assert_eq!(pose.user_local(h.by_source(1).unwrap()).rotation, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
}

#[test]
fn ambiguous_joint_name_poses_the_first_with_a_warning() {
    let h = hierarchy();
    let json = br#"{"version":1,"joints":{"hand":{"scale":[2,2,2]},"root/right/twin":{"scale":[3,3,3]}}}"#;
    let (pose, warnings) = PoseFile::parse(json).unwrap().pose_for(&rig(&h));
    let ambiguous = |name: &str, posed| PoseFileWarning::Ambiguous { name: name.to_owned(), count: 2, posed };
    assert_eq!(warnings, [ambiguous("hand", 3), ambiguous("root/right/twin", 5)]);
    let scales = [3, 4, 5, 6].map(|s| pose.user_local(h.by_source(s).unwrap()).scale.x);
    assert_eq!(scales, [2.0, 1.0, 3.0, 1.0]);
}

#[test]
fn joint_named_twice_uses_the_last_value_with_a_warning() {
    let h = hierarchy();
    let json =
        br##"{"version":1,"joints":{"left":{"scale":[2,2,2]},"#1":{"scale":[4,4,4]},"left":{"scale":[3,3,3]}}}"##;
    let (pose, warnings) = PoseFile::parse(json).unwrap().pose_for(&rig(&h));
    let twice = PoseFileWarning::Twice { first: "#1".to_owned(), last: "left".to_owned() };
    assert_eq!(warnings, [PoseFileWarning::Repeated("left".to_owned()), twice]);
    assert_eq!(pose.user_local(h.by_source(1).unwrap()).scale, Vec3::splat(3.0));
}

#[test]
fn names_that_look_like_numbers_or_paths_come_back_as_what_they_are() {
    let node = |name: &str, children: &[usize]| NodeDescription::new(name, children.to_vec(), Trs::IDENTITY);
    // The name of node 0 is the number of node 1, and the name of node 2 is the path of node 4. Nodes 1 and 5 share a
    // name.
    let nodes = [node("#1", &[]), node("x", &[]), node("a/b", &[]), node("a", &[4]), node("b", &[]), node("x", &[])];
    let h = Hierarchy::new(&nodes).unwrap();
    let mut pose = Pose::rest(&h);
    for source in 0..nodes.len() {
        let trs = Trs::from_translation(Vec3::splat(1.0 + source as f32));
        pose.set_user_local(h.by_source(source).unwrap(), trs);
    }
    let json = PoseFile::from_pose(&rig(&h), &pose).to_json();
    assert_eq!(PoseFile::parse(json.as_bytes()).unwrap().pose_for(&rig(&h)), (pose, Vec::new()), "{json}");
}

#[test]
fn invalid_pose_is_rejected_with_its_position() {
    let message = |json: &str| PoseFile::parse(json.as_bytes()).unwrap_err().to_string();
    assert!(message("{\n  \"version\": 1,\n  \"joints\": 7 }").contains("line 3 column"));
    assert!(message(r#"{"version":9,"joints":[],"morphs":7}"#).contains("version 9"));
    for (value, problem) in [
        (r#""rotation":[0,0,0,0]"#, "length 0"),
        (r#""rotation":[0,0,1]"#, "length 3"),
        (r#""rotate":[0,0,0,1]"#, "rotate"),
        (r#""scale":[1,1,1e39]"#, "too large"),
        (r#""translation":[1,1e999,1]"#, "out of range"),
    ] {
        let message = message(&format!("{{\"version\":1,\n\"joints\":{{\"a\":{{{value}}}}}}}"));
        assert!(message.contains(problem) && message.contains("line 2 column"), "{message}");
    }
    assert!(message(r#"{"joints":{}}"#).contains("version"));
    assert!(PoseFile::parse(b"\xEF\xBB\xBF{\"version\":1,\"joints\":{}}").is_ok(), "a byte order mark is no fault");
}

#[test]
fn weights_of_morph_targets_come_back() {
    let rig = faces(&[&["Smile", "Blink.L"], &["Blink.L", "Frown"]]);
    let mut pose = Pose::rest(&rig.hierarchy);
    assert!(!PoseFile::from_pose(&rig, &pose).to_json().contains("morphs"));
    for (name, weight) in [("Smile", 0.75), ("Blink.L", -1.5)] {
        pose.set_morph_weight(rig.morph_named(name).unwrap(), weight);
    }
    pose.set_user_local(NodeIndex(0), Trs::from_translation(Vec3::X));
    let json = PoseFile::from_pose(&rig, &pose).to_json();
    assert!(json.contains("\"Blink.L\": -1.5") && !json.contains("Frown"), "{json}");
    assert_eq!(PoseFile::parse(json.as_bytes()).unwrap().pose_for(&rig), (pose.clone(), Vec::new()));
    let all = PoseFile::from_morphs(&rig, &pose);
    let weights = ["Smile", "Blink.L", "Frown"].map(|name| rig.morph_named(name).unwrap()).into_iter();
    assert_eq!(all.morphs_for(&rig).0.len(), 3, "those at 0 too, so that pasting resets them");
    assert!(weights.zip([0.75, -1.5, 0.0]).all(|pair| all.morphs_for(&rig).0.contains(&pair)));
    assert!(all.joints_for(&rig.hierarchy).0.is_empty());
}

#[test]
fn invalid_morph_weights_are_reported_or_rejected_with_their_position() {
    let rig = faces(&[&["Smile"]]);
    let json = br#"{"version":1,"joints":{},"morphs":{"Smile":0.1,"Grin":1,"Smile":0.5}}"#;
    let (pose, warnings) = PoseFile::parse(json).unwrap().pose_for(&rig);
    let [repeated, unknown] = ["Smile", "Grin"].map(str::to_owned);
    assert_eq!(warnings, [PoseFileWarning::RepeatedMorph(repeated), PoseFileWarning::UnknownMorph(unknown)]);
    assert_eq!(pose.morph_weight(MorphIndex(0)), 0.5);
    for (weight, problem) in [("1e39", "too large"), ("1e999", "out of range"), ("\"much\"", "invalid type")] {
        let json = format!("{{\"version\":1,\"joints\":{{}},\n\"morphs\":{{\"Smile\":{weight}}}}}");
        let message = PoseFile::parse(json.as_bytes()).unwrap_err().to_string();
        assert!(message.contains(problem) && message.contains("line 2 column"), "{message}");
    }
}
