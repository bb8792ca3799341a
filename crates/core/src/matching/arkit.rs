//! The 52 blend shapes driven by `ARKit`'s face tracking.

/// Names of the blend shapes, sorted.
#[rustfmt::skip]
pub const ARKIT_SHAPES: [&str; 52] = [
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "cheekPuff", "cheekSquintLeft", "cheekSquintRight",
    "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight", "eyeLookInLeft", "eyeLookInRight",
    "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight", "eyeSquintLeft", "eyeSquintRight",
    "eyeWideLeft", "eyeWideRight",
    "jawForward", "jawLeft", "jawOpen", "jawRight",
    "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft", "mouthPressRight", "mouthPucker",
    "mouthRight", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft",
    "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight", "tongueOut",
];

/// Returns the blend shape that a morph target or expression stands for. Ignores case, the name of the mesh in front,
/// and whether a side is written as `Left` or `_L`.
pub fn arkit_shape(name: &str) -> Option<&'static str> {
    let plain = plain(name);
    ARKIT_SHAPES.into_iter().find(|shape| shape.eq_ignore_ascii_case(&plain))
}

/// Normalises a name: removes the mesh name, expands short side suffixes and converts to lower case.
fn plain(name: &str) -> String {
    let own = name.rsplit(['.', ':', '/']).next().unwrap_or(name).to_lowercase();
    let side = |short, long| own.strip_suffix(short).map(|rest| format!("{rest}{long}"));
    side("_l", "left").or_else(|| side("_r", "right")).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_behind_a_mesh_and_with_short_sides() {
        assert!(ARKIT_SHAPES.is_sorted());
        for (name, shape) in [
            ("JawOpen", Some("jawOpen")),
            ("Face.cheekPuff", Some("cheekPuff")),
            ("eyeBlink_L", Some("eyeBlinkLeft")),
            ("tongueOut", Some("tongueOut")),
            ("Smile", None),
            ("jaw", None),
        ] {
            assert_eq!(arkit_shape(name), shape, "{name}");
        }
    }
}
