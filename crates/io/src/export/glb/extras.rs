//! Writes the `extras` of an imported file, merged with what the export itself stores there.
//!
//! Numbers are parsed exactly, so that an export of the written file gives the same text.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::export::export_file::left_out;

/// Key of what Rigscope stores.
pub(super) const OWN: &str = "rigscope";

/// Key of the names of morph targets.
pub(super) const TARGET_NAMES: &str = "targetNames";

/// Maximum depth of nested lists and objects; parsers reject documents that are nested much deeper.
const MAX_DEPTH: usize = 64;

/// Maximum memory of all texts, bytes. A text of many small objects takes about 100 times its length.
const MAX_BYTES: usize = 1 << 29;

/// Memory that parsing takes at most, for each byte of a text.
const PARSED_BYTES: usize = 8;

/// Memory of a value in a list, at most, with the spare capacity of the list.
const VALUE_BYTES: usize = 2 * size_of::<Value>();

/// Memory of a node of a map, which has up to 11 members.
const MAP_NODE_BYTES: usize = 11 * size_of::<(String, Value)>() + 128;

/// Why a text is left out.
#[derive(Debug, PartialEq, Eq)]
enum TextError {
    Malformed,
    TooLarge,
}

/// Counts `extras` that can't be written.
pub(super) struct ExtrasWriter {
    malformed: usize,
    replaced: usize,
    too_large: usize,
    memory: MemoryLeft,
}

impl Default for ExtrasWriter {
    fn default() -> Self {
        Self { malformed: 0, replaced: 0, too_large: 0, memory: MemoryLeft(MAX_BYTES) }
    }
}

impl ExtrasWriter {
    /// Adds the text of an object, if any. Members that the object already has in its `extras` take precedence.
    pub(super) fn add(&mut self, object: &mut Value, text: Option<&String>) {
        self.add_except(object, text, None);
    }

    /// Like [`Self::add`], without one member of the text.
    pub(super) fn add_except(&mut self, object: &mut Value, text: Option<&String>, removed: Option<&str>) {
        let Some(text) = text else { return };
        let mut extras = match self.memory.parsed(text) {
            Ok(extras) => extras,
            Err(TextError::Malformed) => return self.malformed += 1,
            Err(TextError::TooLarge) => return self.too_large += 1,
        };
        if let (Value::Object(members), Some(removed)) = (&mut extras, removed)
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
        let clause = |count, reason: &str| left_out(count, "text of extras", "texts of extras", reason);
        let malformed = "they are not valid JSON, or nested too deeply";
        let replaced = "names of morph targets or the skinning method need an object there";
        let too_large = format!("all of them would take more than {} MiB of memory", MAX_BYTES >> 20);
        clause(self.malformed, malformed)
            .into_iter()
            .chain(clause(self.replaced, replaced))
            .chain(clause(self.too_large, &too_large))
    }
}

/// Memory that texts may still take, bytes. Several objects may have the same text, and each has its own copy.
struct MemoryLeft(usize);

impl MemoryLeft {
    /// Parses JSON. *Errors*: the text is malformed, nested too deeply, has a number that isn't finite, or takes too
    /// much memory.
    fn parsed(&mut self, text: &str) -> Result<Value, TextError> {
        if text.len() > self.0 / PARSED_BYTES {
            return Err(TextError::TooLarge);
        }
        self.value(json(text)?, MAX_DEPTH)
    }

    fn take(&mut self, bytes: usize) -> Result<(), TextError> {
        self.0 = self.0.checked_sub(bytes).ok_or(TextError::TooLarge)?;
        Ok(())
    }

    fn value(&mut self, raw: &RawValue, depth: usize) -> Result<Value, TextError> {
        let text = raw.get();
        self.take(VALUE_BYTES)?;
        match text.as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &RawValue> = json(text)?;
                let below = depth.checked_sub(1).ok_or(TextError::Malformed)?;
                // Nodes are at least half full.
                self.take(members.len().div_ceil(5) * MAP_NODE_BYTES)?;
                let member = |(name, raw): (String, &RawValue)| {
                    self.take(name.len())?;
                    Ok((name, self.value(raw, below)?))
                };
                Ok(Value::Object(members.into_iter().map(member).collect::<Result<Map<String, Value>, _>>()?))
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = json(text)?;
                let below = depth.checked_sub(1).ok_or(TextError::Malformed)?;
                Ok(Value::Array(items.into_iter().map(|raw| self.value(raw, below)).collect::<Result<_, _>>()?))
            }
            Some(b'-' | b'0'..=b'9') => number(text).map(Value::Number).ok_or(TextError::Malformed),
            _ => {
                self.take(text.len())?;
                json(text)
            }
        }
    }
}

fn json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, TextError> {
    serde_json::from_str(text).ok().ok_or(TextError::Malformed)
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
    use glam::{Quat, Vec3};
    use rigscope_core::jobs::Progress;
    use rigscope_core::rig::testing::{chain, skinned};
    use rigscope_core::rig::{
        AuthoredMethod, Channel, Clip, Extras, FileCamera, FileLens, Influences, Material, MaterialIndex, MorphTarget,
        NodeIndex, Primitive, Property, Rig, Suppression, SuppressionTarget, Trs,
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
        let lens = FileLens::Perspective(0.5);
        data.cameras =
            vec![FileCamera { source: 7, name: "eye".to_owned(), node: NodeIndex(2), turn: Quat::IDENTITY, lens }];
        data.extras = extras;
        Rig::new(data)
    }

    #[test]
    fn extras_are_kept_by_export_and_import_and_export_to_the_same_bytes() {
        let texts = |list: &[(usize, &str)]| list.iter().map(|(number, text)| (*number, (*text).to_owned())).collect();
        let extras = Extras {
            asset: Some(r#"{"rigscope":{"allow":{"RIG022":"props"}}}"#.to_owned()),
            scene: Some(r#"{"":1,"sun":2}"#.to_owned()),
            nodes: texts(&[(0, r#"{"z": [1.50, 0.1000000014901161193], "bone": "é"}"#), (2, "3"), (9, "\"beyond\"")]),
            meshes: texts(&[(0, r#"{"targetNames":["frown"],"lod":2}"#)]),
            primitives: [((0, 0), r#"{"targetNames":["frown"],"id":"x"}"#.to_owned())].into(),
            skins: texts(&[(0, r#"{"rigscope":{"method":"linear"},"author":null}"#)]),
            materials: texts(&[(0, "[]"), (1, r#"{"wet":true}"#)]),
            clips: texts(&[(0, "{\"loop\":1e999}")]),
            cameras: texts(&[(7, "{\"shot\":1}")]),
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
            asset: Some(r#"{"rigscope":{"allow":{"RIG022":"props"}}}"#.to_owned()),
            scene: Some(r#"{"":1,"sun":2}"#.to_owned()),
            nodes: texts(&[(0, r#"{"bone":"é","z":[1.5,0.10000000149011612]}"#), (2, "3")]),
            meshes: texts(&[(0, r#"{"lod":2,"targetNames":["smile"]}"#)]),
            primitives: [((0, 0), r#"{"id":"x"}"#.to_owned())].into(),
            skins: texts(&[(0, r#"{"author":null,"rigscope":{"method":"rigid"}}"#)]),
            materials: texts(&[(0, "[]"), (1, r#"{"wet":true}"#)]),
            clips: texts(&[]),
            cameras: texts(&[(0, "{\"shot\":1}")]),
        };
        assert_eq!(again.rig.extras, expected);
        let suppression = |suppression: &Suppression| (suppression.place, suppression.code.clone());
        let suppressions: Vec<_> = again.rig.suppressions.iter().map(suppression).collect();
        assert_eq!(suppressions, [(SuppressionTarget::File, "RIG022".to_owned())]);
        let second = rig_glb(&again.rig, &Progress::default()).unwrap();
        assert!(second.bytes == first.bytes && second.left_out.is_empty(), "{:?}", second.left_out);
    }

    fn parsed(text: &str) -> Value {
        MemoryLeft(MAX_BYTES).parsed(text).unwrap()
    }

    fn added(mut object: Value, text: &str) -> (Value, Vec<String>) {
        let mut writer = ExtrasWriter::default();
        writer.add_except(&mut object, Some(&text.to_owned()), Some(OWN));
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
        // A name may be empty.
        let mut object = json!({});
        ExtrasWriter::default().add(&mut object, Some(&r#"{"": 1}"#.to_owned()));
        assert_eq!(object, json!({"extras": {"": 1}}));
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
    fn memory_of_texts_is_limited_however_many_objects_share_one() {
        let list = format!("[{}0]", r#"{"":0},"#.repeat(1000));
        let one = list.len() / 7 * (2 * VALUE_BYTES + MAP_NODE_BYTES);
        let mut writer = ExtrasWriter { memory: MemoryLeft(one * 5 / 2), ..ExtrasWriter::default() };
        let mut objects = vec![json!({}); 4];
        for object in &mut objects {
            writer.add(object, Some(&list));
        }
        let has_extras: Vec<bool> = objects.iter().map(|object| object.get("extras").is_some()).collect();
        assert_eq!(has_extras, [true, true, false, false]);
        let losses: Vec<String> = writer.losses().collect();
        assert_eq!(losses, ["2 texts of extras left out: all of them would take more than 512 MiB of memory"]);
        let long = MemoryLeft(7000).parsed(&format!("\"{}\"", "x".repeat(1000)));
        assert_eq!(long, Err(TextError::TooLarge));
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
                let first = parsed(&text);
                assert_eq!(first.as_f64(), text.parse().ok(), "{text}");
                assert_eq!(parsed(&first.to_string()).to_string(), first.to_string(), "{text}");
            }
        }
        assert!(checked > 10_000);
        assert_eq!(parsed("-0").to_string(), "-0.0");
    }
}
