//! Writes the `extras` of an imported file, merged with what the export itself stores there.
//!
//! Numbers are parsed exactly, so that an export of the written file gives the same text.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::export::export_file::left_out;

/// Key of what Rigscope stores.
pub(super) const OWN: &str = "rigscope";

/// Maximum depth of nested lists and objects; parsers reject documents that are nested much deeper.
const MAX_DEPTH: usize = 64;

/// Counts `extras` that can't be written.
#[derive(Default)]
pub(super) struct ExtrasWriter {
    malformed: usize,
    replaced: usize,
}

impl ExtrasWriter {
    /// Adds the text of an object, if any. Members that the object already has in its `extras` take precedence.
    pub(super) fn add(&mut self, object: &mut Value, text: Option<&String>) {
        self.add_except(object, text, "");
    }

    /// Like [`Self::add`], without one member of the text.
    pub(super) fn add_except(&mut self, object: &mut Value, text: Option<&String>, removed: &str) {
        let Some(text) = text else { return };
        let Some(mut extras) = parsed(text) else {
            self.malformed += 1;
            return;
        };
        if let Value::Object(members) = &mut extras
            && members.remove(removed).is_some()
            && members.is_empty()
        {
            return;
        }
        match (object.get_mut("extras"), &mut extras) {
            (None, _) => object["extras"] = extras,
            (Some(Value::Object(own)), Value::Object(members)) => {
                members.append(own);
                *own = std::mem::take(members);
            }
            (Some(_), _) => self.replaced += 1,
        }
    }

    /// Returns a clause about each reason for which `extras` were left out.
    pub(super) fn losses(&self) -> impl Iterator<Item = String> {
        let clause = |count, reason| left_out(count, "text of extras", "texts of extras", reason);
        let malformed = "they are not valid JSON, or nested too deeply";
        let replaced = "names of morph targets or the skinning method need an object there";
        clause(self.malformed, malformed).into_iter().chain(clause(self.replaced, replaced))
    }
}

/// Parses JSON. `None` if it is malformed, nested too deeply or has a number that isn't finite.
fn parsed(text: &str) -> Option<Value> {
    value(serde_json::from_str(text).ok()?, MAX_DEPTH)
}

fn value(raw: &RawValue, depth: usize) -> Option<Value> {
    let text = raw.get();
    match text.as_bytes().first()? {
        b'{' => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            let below = depth.checked_sub(1)?;
            let members = members.into_iter().map(|(name, raw)| Some((name, value(raw, below)?)));
            Some(Value::Object(members.collect::<Option<Map<String, Value>>>()?))
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            let below = depth.checked_sub(1)?;
            Some(Value::Array(items.into_iter().map(|raw| value(raw, below)).collect::<Option<_>>()?))
        }
        b'-' | b'0'..=b'9' => number(text).map(Value::Number),
        _ => serde_json::from_str(text).ok(),
    }
}

/// Parses a number. `serde_json` parses fractions with an error of up to one unit in the last place.
fn number(text: &str) -> Option<Number> {
    let whole = text.parse().map(u64::into).or_else(|_| text.parse().map(i64::into));
    whole.ok().filter(|_| text != "-0").or_else(|| Number::from_f64(text.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::rig_glb;
    use crate::import::{Job, import_bytes};
    use glam::Vec3;
    use rigscope_core::jobs::Progress;
    use rigscope_core::rig::testing::{chain, skinned};
    use rigscope_core::rig::{
        AuthoredMethod, Channel, Clip, Extras, Influences, Material, MaterialIndex, MorphTarget, NodeIndex, Primitive,
        Property, Rig, Trs,
    };
    use serde_json::json;

    /// A rig with a morph target, two materials, a clip and a skinning method.
    fn rig(extras: Extras) -> Rig {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let target = MorphTarget { positions: vec![Vec3::Z; 3], ..MorphTarget::default() };
        let primitive = Primitive {
            positions,
            indices: vec![0, 1, 2],
            influences: Some(Influences::new(1, vec![0, 1, 1], vec![1.0; 3])),
            morph_targets: vec![target],
            material: Some(MaterialIndex(1)),
            ..Primitive::default()
        };
        let mut data = skinned(chain(3, Trs::from_translation(Vec3::Y)), primitive);
        data.meshes[0].target_names = vec!["smile".to_owned()];
        data.instances[0].morph_weights = vec![0.5];
        data.skins[0].authored = AuthoredMethod::Rigid;
        data.materials = vec![Material::default(), Material::default()];
        let channels = vec![Channel::linear(NodeIndex(1), Property::Translation, [0.0], vec![0.0; 3])];
        data.clips = vec![Clip { name: "still".to_owned(), channels, ..Clip::default() }];
        data.extras = extras;
        Rig::new(data)
    }

    #[test]
    fn extras_are_kept_by_export_and_import_and_export_to_the_same_bytes() {
        let texts = |list: &[(usize, &str)]| list.iter().map(|(number, text)| (*number, (*text).to_owned())).collect();
        let extras = Extras {
            nodes: texts(&[(0, r#"{"z": [1.50, 0.1000000014901161193], "bone": "é"}"#), (2, "3"), (9, "\"beyond\"")]),
            meshes: texts(&[(0, r#"{"targetNames":["frown"],"lod":2}"#)]),
            skins: texts(&[(0, r#"{"rigscope":{"method":"linear"},"author":null}"#)]),
            materials: texts(&[(0, "[]"), (1, r#"{"wet":true}"#)]),
            clips: texts(&[(0, "{\"loop\":1e999}")]),
        };
        let first = rig_glb(&rig(extras), &Progress::default()).unwrap();
        assert!(
            first.left_out.iter().any(|note| note.starts_with("1 text of extras left out")),
            "{:?}",
            first.left_out
        );
        let again = import_bytes(&first.bytes, &Job::default()).unwrap();
        assert!(again.warnings.is_empty(), "{:?}", again.warnings);
        let expected = Extras {
            nodes: texts(&[(0, r#"{"bone":"é","z":[1.5,0.10000000149011612]}"#), (2, "3")]),
            meshes: texts(&[(0, r#"{"lod":2,"targetNames":["smile"]}"#)]),
            skins: texts(&[(0, r#"{"author":null,"rigscope":{"method":"rigid"}}"#)]),
            materials: texts(&[(0, "[]"), (1, r#"{"wet":true}"#)]),
            clips: texts(&[]),
        };
        assert_eq!(again.rig.extras, expected);
        let second = rig_glb(&again.rig, &Progress::default()).unwrap();
        assert!(second.bytes == first.bytes && second.left_out.is_empty(), "{:?}", second.left_out);
    }

    fn added(mut object: Value, text: &str) -> (Value, Vec<String>) {
        let mut writer = ExtrasWriter::default();
        writer.add_except(&mut object, Some(&text.to_owned()), OWN);
        (object, writer.losses().collect())
    }

    #[test]
    fn own_members_are_merged_and_take_precedence() {
        let own = || json!({"extras": {"targetNames": ["a"]}});
        let text = r#"{"targetNames": ["b", "c"], "Ab": 1.50, "rigscope": {}}"#;
        assert_eq!(added(own(), text).0["extras"], json!({"targetNames": ["a"], "Ab": 1.5}));
        assert_eq!(added(json!({}), "[1, null]").0["extras"], json!([1, null]));
        assert_eq!(added(json!({}), r#"{"rigscope": 3}"#), (json!({}), Vec::new()));
        assert_eq!(added(json!({}), "{}").0["extras"], json!({}));
        let (kept, losses) = added(own(), "7");
        assert_eq!((kept, losses.len()), (own(), 1));
    }

    #[test]
    fn what_cannot_be_written_is_left_out_with_a_note() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(added(json!({}), &deep(MAX_DEPTH)).1, [""; 0]);
        for text in ["1e999", "{", "", "{\"a\":nan}", &deep(MAX_DEPTH + 1), &deep(100_000), &"[".repeat(100_000)] {
            let (object, losses) = added(json!({}), text);
            assert!(object.get("extras").is_none(), "{text:.20}");
            let expected = "1 text of extras left out: they are not valid JSON, or nested too deeply";
            assert_eq!(losses, [expected], "{text:.20}");
        }
    }

    #[test]
    fn numbers_are_written_alike_again() {
        let mut bits = 58_u64;
        let mut checked = 0;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let fraction = f64::from_bits(bits.rotate_left(21));
            if !fraction.is_finite() {
                continue;
            }
            checked += 1;
            let near_one = 1.0 + fraction.abs() % 1.0;
            for text in
                [format!("{fraction:e}"), near_one.to_string(), bits.cast_signed().to_string(), bits.to_string()]
            {
                let first = parsed(&text).unwrap();
                assert_eq!(first.as_f64(), text.parse().ok(), "{text}");
                assert_eq!(parsed(&first.to_string()).unwrap().to_string(), first.to_string(), "{text}");
            }
        }
        assert!(checked > 10_000);
        assert_eq!(parsed("-0").unwrap().to_string(), "-0.0");
    }
}
