//! Edits JSON without changing the text of unchanged values.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

#[derive(Debug)]
pub(super) struct Members<'a>(Vec<(String, Cow<'a, str>)>);

impl<'a> Members<'a> {
    pub(super) fn parse(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let Self(members) = self;
        members.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_ref())
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        serde_json::from_str(self.get(name)?).ok()
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    pub(super) fn set(&mut self, name: &str, text: String) {
        let Self(members) = self;
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => *value = Cow::Owned(text),
            None => members.push((name.to_owned(), Cow::Owned(text))),
        }
    }

    pub(super) fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| is_wanted(name));
    }

    pub(super) fn into_text(self) -> String {
        let Self(members) = self;
        let member = |(name, text): (String, Cow<'_, str>)| format!("{}:{text}", serde_json::Value::String(name));
        format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, Cow<'de, str>)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    members.push((name, Cow::Borrowed(value.get())));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(InOrder).map(Self)
    }
}

pub(super) fn elements(text: &str) -> serde_json::Result<Vec<Cow<'_, str>>> {
    let raw: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(raw.into_iter().map(|element| Cow::Borrowed(element.get())).collect())
}

pub(super) fn list_text(elements: &[Cow<'_, str>]) -> String {
    format!("[{}]", elements.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreplaced_json_stays_verbatim() {
        let text = r#"{ "b\u0041": 1.50e1, "a" : {"x":[1, 2]} ,"c":null}"#;
        let mut members = Members::parse(text).unwrap();
        members.set("c", "7".to_owned());
        members.set("new", "[]".to_owned());
        assert_eq!(members.number("c"), Some(7));
        assert_eq!(members.into_text(), r#"{"bA":1.50e1,"a":{"x":[1, 2]},"c":7,"new":[]}"#);
        let list = elements(" [ {\"a\" : 1} , 2.0 ] ").unwrap();
        assert_eq!(list_text(&list), r#"[{"a" : 1},2.0]"#);
        assert!(Members::parse("[]").is_err() && elements("{}").is_err());
    }
}
