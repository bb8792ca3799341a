//! The JSON Schemas that the program prints accept the program's output and reject invalid documents.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use glam::{Quat, Vec3};
use rigscope::export::PoseFile;
use rigscope::import::{Job, import_bytes};
use rigscope::posing::{AxisLimit, JointLimits};
use rigscope::project::{Config, profile_names, profile_text};
use rigscope::rig::{DisabledBehaviours, EulerOrder, Rig, Trs};
use rigscope::skinning::{
    Antipodality, InfluenceLimit, JointMethod, Method, Normals, ScaleHandling, Skinning, WeightPrecision,
};
use rigscope::stage::{BuiltIn, Document, Session, Source};
use rigscope::state::{Action, AppState, Command, PathUse, Settings};
use rigscope::view::{
    BoneStyle, Display, Environment, Ghost, HiddenItems, Layout, Lighting, Overlay, PointsFile, ShadingMode, ShownFile,
    ShownPose, Side, SideOptions, VisibleNames, Wipe,
};
use rigscope::weights::{Recipe, Repair, WeightChoice, WeightRefinement, Weighting};
use serde_json::{Value, json};

use crate::common::command::rigscope;
use crate::common::face::face;
use crate::common::json_schema::faults;
use crate::node;

const POSE: &str = include_str!("../../docs/schemas/pose.schema.json");
const SETTINGS: &str = include_str!("../../docs/schemas/rigscope.schema.json");
const SESSION: &str = include_str!("../../docs/schemas/session.schema.json");

#[test]
fn schemas_of_the_guide_are_what_the_program_prints() {
    let pages = [("config", "rigscope", SETTINGS), ("pose", "pose", POSE), ("session", "session", SESSION)];
    for (format, file, text) in pages {
        let printed = rigscope(&["schema", format]).ok().stdout;
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(format!("{}/docs/schemas/{file}.schema.json", rigscope_tests::ROOT), printed).unwrap();
        } else {
            assert!(text == printed, "{file}.schema.json differs; UPDATE_GOLDEN=1 writes it again");
        }
    }
}

#[test]
fn keys_of_the_config_are_in_kebab_case() {
    fn keys<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        let Some(object) = value.as_object() else { return };
        found.extend(object.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| &**key));
        object.values().for_each(|value| keys(value, found));
    }
    let schema: Value = serde_json::from_str(SETTINGS).unwrap();
    let mut found = Vec::new();
    keys(&schema, &mut found);
    assert!(found.contains(&"max-seam-deg"), "{found:?}");
    found.retain(|key| key.contains('_') || key.contains(char::is_uppercase));
    assert_eq!(found, [""; 0]);
}

/// Returns the errors of a document, according to a schema.
fn faults_by(schema: &str, document: &str) -> Vec<String> {
    faults(&serde_json::from_str(schema).unwrap(), &serde_json::from_str(document).unwrap())
}

fn written(state: &AppState) -> Value {
    let json = state.open.snapshot().session().to_json();
    assert_eq!(faults_by(SESSION, &json), [""; 0], "{json}");
    let session: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(faults_by(POSE, &session["pose"].to_string()), [""; 0], "{json}");
    session
}

fn figure() -> AppState {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    AppState::new(document, Settings::default())
}

fn with_morphs() -> (Rig, AppState) {
    let rig = || import_bytes(&face().build(), &Job::default()).unwrap().rig;
    let document = Document::new(Source::File("folder/face.glb".into()), rig(), Vec::new());
    (rig(), AppState::new(document, Settings::default()))
}

fn display(state: &mut AppState, change: impl FnOnce(&mut Display)) {
    let mut display = state.open.stage.view.display;
    change(&mut display);
    state.apply(Command::SetDisplay(display));
}

/// Returns the figure in a state that uses every key of a session.
fn busy() -> AppState {
    let mut state = figure();
    let arm = node(&state, "LeftLowerArm");
    let user_local = Trs { rotation: Quat::from_rotation_x(0.7), translation: Vec3::X, scale: Vec3::splat(1.5) };
    state.apply(Command::Edit { node: arm, user_local });
    state.apply(Command::Select(Some(arm)));
    let axes = [AxisLimit::Limited { min: 0.0, max: 1.5 }, AxisLimit::Locked(0.0), AxisLimit::Free];
    state.apply(Command::SetLimits { node: arm, limits: JointLimits { axes, ..JointLimits::default() } });
    state.apply(Command::Do(Action::TogglePin));
    state.apply(Command::Do(Action::SaveView));
    state.apply(Command::Do(Action::ToggleFollow));
    state.apply(Command::Do(Action::SaveView));
    state.apply(Command::SetClip(Some(1)));
    state.apply(Command::Seek(0.25));
    state.apply(Command::Do(Action::PlayFromHere));
    let hidden = HiddenItems { meshes: [0].into(), materials: [Some(1)].into(), ..HiddenItems::default() };
    state.apply(Command::Hide { hidden, label: "Hide".to_owned() });
    state.apply(Command::SetWipe(Wipe { angle: 0.4, offset: -0.1 }));
    state
}

#[test]
fn sessions_match_their_schema() {
    written(&figure());
    let mut state = busy();
    let session = written(&state);
    let keys = ["limits", "pins", "selected", "camera", "camera_tie", "views", "compare", "clip", "hidden"];
    assert!(keys.iter().all(|key| !session[key].is_null()), "{session:#}");
    assert!(
        session["clip"]["playback_range_secs"].is_array() && session["views"][1]["follows"].is_string(),
        "{session:#}"
    );

    let arm = node(&state, "LeftLowerArm");
    for order in EulerOrder::ALL {
        let limits = JointLimits { order, axes: [AxisLimit::Locked(0.5); 3] };
        state.apply(Command::SetLimits { node: arm, limits });
        written(&state);
    }
    for layout in Layout::ALL {
        state.apply(Command::SetLayout(layout));
        written(&state);
    }
    for ghost in [Ghost::Translucent, Ghost::Outline] {
        state.apply(Command::SetGhost(ghost));
        written(&state);
    }
    for overlay in Overlay::ALL {
        state.apply(Command::SetOverlay(Side::B, Some(overlay)));
        written(&state);
    }
    state.apply(Command::SetSideOptions(Side::A, SideOptions { pose: ShownPose::Rest, ..SideOptions::default() }));
    assert_eq!(written(&state)["compare"]["a"]["is_rest"], true);
    state.open.stage.switch_off(DisabledBehaviours::ALL);
    let session = written(&state);
    assert_eq!(
        session["switched_off"],
        json!({"constraints": true, "expressions": true, "look_at": true, "springs": true})
    );
}

#[test]
fn sessions_with_every_shading_match_their_schema() {
    let mut state = figure();
    for (shading, environment) in ShadingMode::ALL.into_iter().zip(Environment::ALL.into_iter().cycle()) {
        let light = Lighting { environment, angle: -0.75, exposure: 1.5, backdrop: true };
        display(&mut state, |display| (display.shading, display.light) = (shading, light));
        written(&state);
    }
    state.apply(Command::UsePath(PathUse::OpenEnvironment, "sky.hdr".into()));
    assert!(written(&state)["environment_file"].is_string());
    for (bone_style, names) in BoneStyle::ALL.into_iter().zip(VisibleNames::ALL) {
        display(&mut state, |display| (display.bone_style, display.names) = (bone_style, names));
        written(&state);
    }
}

#[test]
fn sessions_with_every_method_match_their_schema() {
    let mut state = figure();
    let by_joint = vec![(node(&state, "Head"), JointMethod::Dqs), (node(&state, "Neck"), JointMethod::Lbs)];
    let scales = [ScaleHandling::TwoPhase, ScaleHandling::AboutJoints, ScaleHandling::Drop];
    let precisions = [WeightPrecision::Float, WeightPrecision::Bits16, WeightPrecision::Bits8];
    for (number, method) in Method::CHOICES.into_iter().enumerate() {
        let influences =
            InfluenceLimit { count: Some(2), precision: precisions[number % 3], ..InfluenceLimit::default() };
        let skinning = Skinning {
            method,
            scale: scales[number % 3],
            antipodality: [Antipodality::Checked, Antipodality::Unchecked][number % 2],
            normals: [Normals::Transformed, Normals::Recomputed][number % 2],
            influences,
            by_joint: by_joint.clone(),
        };
        state.apply(Command::SetSkinning(Side::B, skinning));
        written(&state);
    }
}

#[test]
fn sessions_with_weights_and_comparison_files_match_their_schema() {
    let mut state = figure();
    let refinement = WeightRefinement { smoothing: 2, max: None, ..WeightRefinement::default() };
    let repairs = vec![Repair::Normalize, Repair::Weight, Repair::Merge, Repair::Prune, Repair::Limit];
    let recipes = Weighting::ALL.map(|weighting| {
        WeightChoice::Computed(Recipe {
            weighting,
            is_asymmetric: true,
            left_out: Some(vec!["Jaw".to_owned()]),
            cells: Some(40),
            refinement,
        })
    });
    let from = std::path::absolute("other.glb").unwrap();
    let others = [
        WeightChoice::Stored,
        WeightChoice::Refined(refinement),
        WeightChoice::Repaired(repairs),
        WeightChoice::Transferred { from: from.clone(), refinement },
    ];
    for choice in others.into_iter().chain(recipes) {
        state.apply(Command::SetWeights(Side::B, choice));
        assert!(!written(&state)["compare"]["b"]["weights"].is_null());
    }
    state.apply(Command::UsePath(PathUse::CompareWith, from.clone()));
    let side = &written(&state)["compare"]["b"];
    assert!(side["file"]["comparison"].is_string() && !side["weights"].is_null(), "{side}");
    let points =
        PointsFile { unit: "cm".parse().ok(), up: "z".parse().ok(), ..PointsFile::new(&from.with_extension("raw")) };
    state.apply(Command::CompareWith(ShownFile::Points(points)));
    let points = &written(&state)["compare"]["b"]["file"]["points"];
    assert_eq!((&points["unit"], &points["up"], &points["layout"]), (&json!("cm"), &json!("z"), &json!("xyz")));
}

#[test]
fn poses_match_their_schema() {
    let (rig, mut state) = with_morphs();
    let morph = rig.indexed_morphs().next().unwrap().0;
    state.apply(Command::SetMorphs(vec![(morph, 1.5)]));
    let session = written(&state);
    assert!(session["morph"].is_string(), "{session:#}");

    let busy = busy();
    let json = PoseFile::from_pose(busy.open.stage.rig(), busy.open.user_pose.get(&busy.open.stage)).to_json();
    assert_eq!(faults_by(POSE, &json), [""; 0], "{json}");
    assert!(["rotation", "translation", "scale"].iter().all(|part| json.contains(part)), "{json}");
}

#[test]
fn schemas_reject_invalid_values() {
    let session = written(&busy());
    let off = |change: fn(&mut Value)| {
        let mut session = session.clone();
        change(&mut session);
        faults_by(SESSION, &session.to_string()).len()
    };
    assert_eq!(off(|_| ()), 0);
    assert_eq!(off(|session| session["version"] = json!(2)), 1);
    assert_eq!(off(|session| session["compare"]["layout"] = json!("sideways")), 1);
    assert_eq!(off(|session| session["display"]["colour"] = json!("red")), 1);
    assert_eq!(off(|session| session["compare"]["a"]["overlay"] = json!("steepness")), 1);
    assert_eq!(off(|session| _ = session.as_object_mut().unwrap().remove("source")), 1);
    for pose in [
        r#"{"version":1}"#,
        r#"{"version":2,"joints":{}}"#,
        r#"{"version":1,"joints":{"A":{"rotation":[0,0,1]}}}"#,
        r#"{"version":1,"joints":{"A":{"turn":[0,0,0,1]}}}"#,
        r#"{"version":1,"joints":{},"morphs":{"A":"much"}}"#,
    ] {
        assert_eq!(faults_by(POSE, pose).len(), 1, "{pose}");
        assert!(PoseFile::parse(pose.as_bytes()).is_err(), "{pose}");
    }
}

#[test]
fn sessions_of_the_guide_match_their_schema() {
    use crate::common::markdown::blocks;

    let page = include_str!("../../docs/sessions-and-poses.md");
    let texts: Vec<String> = blocks(page)
        .iter()
        .filter_map(|block| Some(block.text.split_once("<<'END'\n")?.1.split_once("END\n")?.0.to_owned()))
        .collect();
    let [pose, session] = texts.as_slice() else { panic!("{texts:?}") };
    assert_eq!(faults_by(POSE, pose), [""; 0]);
    assert_eq!(faults_by(SESSION, session), [""; 0]);
    assert!(PoseFile::parse(pose.as_bytes()).is_ok() && Session::parse(session.as_bytes()).is_ok());
}

/// Returns the errors of a config, according to its schema.
fn faults_of_settings(text: &str) -> Vec<String> {
    let settings: Value = toml::from_str(text).unwrap();
    faults(&serde_json::from_str(SETTINGS).unwrap(), &settings)
}

#[test]
fn profiles_and_configs_of_the_guide_match_their_schema() {
    for name in profile_names() {
        assert_eq!(faults_of_settings(profile_text(name).unwrap()), [""; 0], "{name}");
    }
    let mut blocks = 0;
    for page in [
        include_str!("../../docs/profiles.md"),
        include_str!("../../docs/pipeline.md"),
        include_str!("../../docs/clip-checks.md"),
    ] {
        for block in page.split("```toml\n").skip(1).map(|after| after.split("```").next().unwrap()) {
            assert_eq!(faults_of_settings(block), [""; 0], "{block}");
            blocks += 1;
        }
    }
    assert!(blocks > 2);
}

#[test]
fn settings_that_are_off_are_faults_of_the_schema_and_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rigscope.toml");
    let taken = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Config::read(&path, &Job::default()).is_ok()
    };
    let whole = "strict = true\nonly = ['RIG010']\nexclude = ['old/', 'a/**/*.glb']\nprofile = ['vrm-1', 'vrchat-pc']\nat-least = 'good'\nranks = ['a', 'b']\n\
        beyond = 'c'\nextends = 'roblox-mesh'\n[about]\nname = 'x'\nnotes = 'y'\n[severity]\nrig010 = 'off'\n[limits]\njoints = 3\n\
        [target.phone]\nmorph-vertices = 4\n[skeleton]\nothers = false\n[skeleton.joints.A]\nparent = 'B'\nscale = [1, 1, 1]\n\
        [skeleton.tolerance]\nscale = 0.1\n[[rule]]\nmeasure = 'triangles'\nmax = [1, 2]\nmesh = 'a*'\nunder = ['b']\n\
        [[clips]]\nmatch = 'walk*'\nloop = true\nmax-seam-deg = 2\nmax-gap-mm = 4.5\nroot = 'in-place'\nmax-foot-slide-mm = 20\n\
        fps = 30\nmin-seconds = 0.5\nmax-seconds = 3\nmust-exist = true\nseverity = 'warning'\n\
        [deform]\npreset = 'realistic'\nlimits = { stretch = 'off' }\n[[deform.joint]]\nmatch = 'a'\ntwist = [0, 5]\n\
        [[override]]\nfiles = 'props/**'\nrule = []\nclips = [{ match = ['a', 'b'], must-exist = true }]\nstrict = false\n";
    assert_eq!((faults_of_settings(whole), taken(whole)), (vec![], true));
    for text in [
        "stric = true\n",
        "strict = 1\n",
        "ignore = 'RIG010'\n",
        "exclude = 'old/'\n",
        "[severity]\nRIG010 = 'eror'\n",
        "[limits]\njoint = 3\n",
        "[target.phone]\nvertices = -1\n",
        "[skeleton.joints.A]\nscale = [1, 1]\n",
        "[skeleton.tolerance]\nscale = -1\n",
        "[about]\nnam = 'x'\n",
        "[[rule]]\nmeasure = 'triangels'\nmax = 3\n",
        "[[rule]]\nmeasure = 'triangles'\nmoost = 3\n",
        "[[rule]]\nmeasure = 'triangles'\nmax = 'x'\n",
        "[[rule]]\nmeasure = 'missing-bones'\nbones = ['hip']\n",
        "[[rule]]\nmeasure = 'pose'\nmax = 3\npose = 'x'\n",
        "[[clips]]\nloop = true\n",
        "[[clips]]\nmatch = 'a'\nlop = true\n",
        "[[clips]]\nmatch = 'a'\nroot = 'walking'\n",
        "[[clips]]\nmatch = 'a'\nmax-seam-deg = -1\n",
        "[[clips]]\nmatch = 'a'\nfps = 0\n",
        "[deform]\nlimits = { strech = 3 }\n",
        "[deform]\nmargin = -1\n",
        "[[deform.joint]]\nmatch = 'a'\ntwist = [0, 500]\n",
        "[[override]]\nrule = []\n",
    ] {
        assert!(!faults_of_settings(text).is_empty() && !taken(text), "{text}");
    }
}
