//! Names in many scripts, a rig whose joints have these names, and the fonts of its golden images.
#![allow(dead_code, clippy::allow_attributes, reason = "every test links this module and uses its own part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed helper is a failed test, and a skipped one prints a line"
)]

use std::path::PathBuf;

use glam::{Affine3, Vec3};
use rigscope::rig::{Hierarchy, NodeDescription, NodeIndex, Rig, RigData, Skin, Trs};

/// "Left arm" or similar in Latin, Cyrillic, Japanese, Korean, Chinese, Arabic, Hebrew, Devanagari and Thai.
pub const NAMES: [&str; 9] = [
    "Ärmel_L",
    "Левая рука",
    "左腕ひじ ﾎﾞｰﾝ",
    "왼쪽 어깨",
    "左手臂 这个",
    "الذراع اليسرى_L",
    "זרוע שמאל",
    "बायाँ हाथ हिन्दी",
    "แขนซ้าย",
];

/// Returns names that could break a row: wide letters, 500 letters, emoji, a line break, direction marks and invisible spaces.
pub fn odd_names() -> Vec<String> {
    let odd = [
        "Ｌｅｆｔ　Ｗｉｄｅ",
        "👩‍🦰 😀 🇯🇵",
        "line\nbreak\r\n\tafter",
        "a\u{202e}b\u{2066}c\u{200f}",
        "same\u{200b}",
        "same",
    ];
    odd.map(str::to_owned).into_iter().chain(["長い名前です".repeat(84), "long".repeat(125)]).collect()
}

/// Creates a rig with a joint per name below a root joint.
pub fn rig(names: &[impl AsRef<str>]) -> Rig {
    let node = |(number, name): (usize, &str)| NodeDescription {
        name: name.to_owned(),
        children: if number == 0 { (1..=names.len()).collect() } else { Vec::new() },
        rest: Trs { translation: Vec3::new(number as f32 * 0.1, 1.0, 0.0), ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    let names = std::iter::once("Root").chain(names.iter().map(AsRef::as_ref));
    let hierarchy = Hierarchy::new(&names.enumerate().map(node).collect::<Vec<_>>()).unwrap();
    let joints: Vec<NodeIndex> = hierarchy.nodes().collect();
    // Adds a humanoid bone, as VRM does.
    let human_bones = joints.get(3).map(|node| (*node, "leftLowerArm".to_owned())).into_iter().collect();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
    Rig::new(RigData { hierarchy, skins: vec![skin], human_bones, ..RigData::default() })
}

/// Returns fonts that together cover [`NAMES`], from small packages that rarely change in Debian and Ubuntu, so that images stay the same. `make test` installs
/// them. Returns `None` if they are missing; fails if `RIGSCOPE_REQUIRES` contains `fonts`.
pub fn fonts() -> Option<[PathBuf; 4]> {
    let paths =
        ["dejavu/DejaVuSans.ttf", "lohit-devanagari/Lohit-Devanagari.ttf", "tlwg/Loma.ttf", "wqy/wqy-microhei.ttc"]
            .map(|path| PathBuf::from("/usr/share/fonts/truetype").join(path));
    let absent: Vec<_> = paths.iter().filter(|path| !path.is_file()).collect();
    if absent.is_empty() {
        return Some(paths);
    }
    assert!(!rigscope_tests::requires("fonts"), "no fonts at {absent:?}; make test installs them");
    eprintln!("skipped: no fonts at {absent:?}");
    None
}

/// Returns the rig of [`rig`] as a glTF file.
pub fn gltf(names: &[impl AsRef<str>]) -> String {
    let nodes = std::iter::once("Root").chain(names.iter().map(AsRef::as_ref)).enumerate();
    let nodes: Vec<serde_json::Value> = nodes
        .map(|(number, name)| match number {
            0 => serde_json::json!({"name": name, "children": (1..=names.len()).collect::<Vec<_>>()}),
            _ => serde_json::json!({"name": name, "translation": [number as f32 * 0.1, 1.0, 0.0]}),
        })
        .collect();
    let joints: Vec<usize> = (0..nodes.len()).collect();
    let file = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "skins": [{"joints": joints}],
        "extensionsUsed": ["VRMC_vrm"],
        "extensions": {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {"leftLowerArm": {"node": 3}}}}},
    });
    file.to_string()
}
