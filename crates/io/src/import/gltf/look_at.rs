//! Look-at of `VRMC_vrm` 1.0 and of VRM 0 (`firstPerson`). `vrm_rules` validates the data.

use glam::Vec3;
use serde_json::{Value, json};

use super::loader::GltfLoader;
use super::vrm;
use crate::import::ImportWarning;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{LookAt, LookAtOutput, LookAtRange, NodeIndex};

/// Default point between the eyes, in metres relative to the head joint's origin.
const BETWEEN_EYES: Vec3 = Vec3::new(0.0, 0.06, 0.0);
/// Minimum value of [`LookAtRange::max_deg`], in degrees.
const MIN_DEG: f32 = 0.01;

impl GltfLoader<'_> {
    /// Returns the look-at settings; `None` if the file does not define them or has no head bone.
    pub(super) fn look_at(&self, human_bones: &[(NodeIndex, String)]) -> Option<LookAt> {
        let (version, extension) = self.vrm()?;
        let bone = |name: &str| human_bones.iter().find(|(_, bone)| bone == name).map(|(node, _)| *node);
        let (head, eyes) = (bone("head")?, [bone("leftEye"), bone("rightEye")]);
        let of_zero = version == vrm::ZERO;
        let data = extension.get(if of_zero { "firstPerson" } else { "lookAt" })?;
        data.as_object()?;
        if of_zero {
            let curved = ZERO_RANGES.iter().filter(|key| is_curved(data.get(**key))).count();
            if curved > 0 {
                let message = format!("{curved} look-at range maps have curves; they are read as linear.");
                self.report.warn(ImportWarning::new(Code::NotShown, Target::File, message));
            }
        }
        Some(look_at(data, of_zero, head, eyes))
    }
}

/// JSON keys of the inner, outer, down and up ranges in VRM 0.
const ZERO_RANGES: [&str; 4] =
    ["lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown", "lookAtVerticalUp"];
/// JSON keys of the inner, outer, down and up ranges in VRM 1.0.
const RANGES: [&str; 4] =
    ["rangeMapHorizontalInner", "rangeMapHorizontalOuter", "rangeMapVerticalDown", "rangeMapVerticalUp"];

fn look_at(data: &Value, of_zero: bool, head: NodeIndex, eyes: [Option<NodeIndex>; 2]) -> LookAt {
    let kind = data.get(if of_zero { "lookAtTypeName" } else { "type" }).and_then(Value::as_str);
    let by_expressions = kind == Some(if of_zero { "BlendShape" } else { "expression" });
    let (keys, [max_key, output]) =
        if of_zero { (ZERO_RANGES, ["xRange", "yRange"]) } else { (RANGES, ["inputMaxValue", "outputScale"]) };
    let [inner, outer, down, up] = keys.map(|key| {
        let number = |name: &str| data.get(key)?.get(name)?.as_f64().map(|number| number as f32);
        let number = |name, default| number(name).filter(|number| number.is_finite()).unwrap_or(default);
        let output = number(output, if by_expressions { 1.0 } else { 10.0 });
        LookAtRange { max_deg: number(max_key, 90.0).max(MIN_DEG), output }
    });
    let by = if by_expressions { LookAtOutput::Expressions } else { LookAtOutput::Eyes(eyes) };
    LookAt { head, offset: offset(data, of_zero), by, inner, outer, down, up, faces_back: of_zero }
}

fn offset(data: &Value, of_zero: bool) -> Vec3 {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64).map(|number| number as f32);
    let at = if of_zero {
        data.get("firstPersonBoneOffset").map(|offset| {
            let [x, y, z] = ["x", "y", "z"].map(|axis| number(offset.get(axis)));
            // Unity's z axis points the other way.
            Vec3::new(x.unwrap_or(0.0), y.unwrap_or(BETWEEN_EYES.y), -z.unwrap_or(0.0))
        })
    } else {
        data.get("offsetFromHeadBone").map(|offset| {
            let [x, y, z] = [0, 1, 2].map(|axis: usize| number(offset.get(axis)));
            Vec3::new(x.unwrap_or(0.0), y.unwrap_or(0.0), z.unwrap_or(0.0))
        })
    };
    at.filter(|at| at.is_finite()).unwrap_or(BETWEEN_EYES)
}

fn is_curved(range: Option<&Value>) -> bool {
    let curve = range.and_then(|range| range.get("curve")).and_then(Value::as_array).filter(|curve| !curve.is_empty());
    let straight = json!([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    let numbers = |list: &[Value]| list.iter().map(Value::as_f64).collect::<Vec<_>>();
    curve.is_some_and(|curve| numbers(curve) != numbers(straight.as_array().map_or(&[], Vec::as_slice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_the_point_between_the_eyes_are_read_and_have_defaults() {
        let eyes = [Some(NodeIndex(2)), None];
        let one = json!({"type": "bone", "offsetFromHeadBone": [0.0, 0.1, 0.02],
            "rangeMapVerticalUp": {"inputMaxValue": 30, "outputScale": 12}, "rangeMapVerticalDown": {"inputMaxValue": 0}});
        let read = look_at(&one, false, NodeIndex(1), eyes);
        assert_eq!(
            (read.offset, read.by, read.faces_back),
            (Vec3::new(0.0, 0.1, 0.02), LookAtOutput::Eyes(eyes), false)
        );
        assert_eq!(read.up, LookAtRange { max_deg: 30.0, output: 12.0 });
        assert_eq!(read.down, LookAtRange { max_deg: MIN_DEG, output: 10.0 });
        assert_eq!(read.inner, LookAtRange { max_deg: 90.0, output: 10.0 });
        let zero = json!({"lookAtTypeName": "BlendShape", "firstPersonBoneOffset": {"x": 0, "y": 0.2, "z": 0.5},
            "lookAtHorizontalOuter": {"xRange": 45, "yRange": 0.5}});
        let read = look_at(&zero, true, NodeIndex(1), eyes);
        assert_eq!(
            (read.offset, read.by, read.faces_back),
            (Vec3::new(0.0, 0.2, -0.5), LookAtOutput::Expressions, true)
        );
        assert_eq!([read.outer, read.up].map(|range| (range.max_deg, range.output)), [(45.0, 0.5), (90.0, 1.0)]);
    }

    #[test]
    fn a_curve_that_is_no_straight_line_is_known() {
        let curved = |curve: Value| is_curved(Some(&json!({ "curve": curve })));
        assert!(!is_curved(None) && !curved(json!([])) && !curved(json!([0, 0, 0, 1, 1.0, 1, 1, 0])));
        assert!(curved(json!([0, 0, 0, 0, 1, 1, 0, 0])) && curved(json!([0, "x"])));
    }
}
