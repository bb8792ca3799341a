use serde_json::Value;

use super::loader::GltfLoader;
use super::vrm;
use crate::import::warning::short;
use rigscope_core::rig::VrmMeta;

impl GltfLoader<'_> {
    pub(super) fn vrm_meta(&self) -> Option<VrmMeta> {
        let (name, extension) = self.vrm()?;
        let meta = extension.get("meta").filter(|meta| meta.is_object())?;
        Some(if name == vrm::ZERO { zero(meta) } else { one(meta) })
    }
}

type ValueLabels = [(&'static str, &'static str)];

const WHO: &ValueLabels = &[
    ("onlyAuthor", "only the author"),
    ("onlySeparatelyLicensedPerson", "only people with a licence of their own"),
    ("everyone", "everyone"),
    ("OnlyAuthor", "only the author"),
    ("ExplicitlyLicensedPerson", "only people with a licence of their own"),
    ("Everyone", "everyone"),
];
const COMMERCE: &ValueLabels = &[
    ("personalNonProfit", "none, only personal use without profit"),
    ("personalProfit", "by persons, for profit"),
    ("corporation", "by persons and companies"),
    ("Allow", ALLOWED),
    ("Disallow", NOT_ALLOWED),
];
const CREDIT: &ValueLabels = &[("required", "required"), ("unnecessary", "not required")];
const CHANGES: &ValueLabels = &[
    ("prohibited", NOT_ALLOWED),
    ("allowModification", "allowed, not to be passed on"),
    ("allowModificationRedistribution", "allowed, may be passed on"),
];
const YES_OR_NO: &ValueLabels = &[("Allow", ALLOWED), ("Disallow", NOT_ALLOWED)];
pub(super) const LICENCES: &ValueLabels = &[
    ("Redistribution_Prohibited", "no redistribution"),
    ("CC0", "CC0"),
    ("CC_BY", "CC BY"),
    ("CC_BY_NC", "CC BY-NC"),
    ("CC_BY_SA", "CC BY-SA"),
    ("CC_BY_NC_SA", "CC BY-NC-SA"),
    ("CC_BY_ND", "CC BY-ND"),
    ("CC_BY_NC_ND", "CC BY-NC-ND"),
    ("Other", "another one"),
];
const ALLOWED: &str = "allowed";
const NOT_ALLOWED: &str = "not allowed";

struct Meta<'a>(&'a Value);

impl Meta<'_> {
    fn text(&self, key: &str) -> String {
        self.0.get(key).and_then(Value::as_str).map(|text| short(text.trim())).unwrap_or_default()
    }

    fn texts(&self, key: &str) -> Vec<String> {
        const MAX_TEXTS: usize = 64;
        let texts = self.0.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        texts.map(|text| short(text.trim())).filter(|text| !text.is_empty()).take(MAX_TEXTS).collect()
    }

    /// Describes the value of `key`, or `default` if the key is absent. Quotes unknown values.
    fn describe_value(&self, key: &str, words: &ValueLabels, default: &str) -> String {
        let value = self.text(key);
        let value = if value.is_empty() { default } else { &value };
        let known = words.iter().find(|(known, _)| *known == value);
        known.map_or_else(|| format!("\"{value}\""), |(_, words)| (*words).to_owned())
    }

    fn allowed(&self, key: &str) -> String {
        let is_allowed = self.0.get(key).and_then(Value::as_bool).unwrap_or_default();
        if is_allowed { ALLOWED } else { NOT_ALLOWED }.to_owned()
    }

    fn free<'k>(
        &self,
        terms: &'k [(&'static str, &'static str)],
    ) -> impl Iterator<Item = (&'static str, String)> + use<'k, '_> {
        let term = |&(term, key): &(&'static str, &str)| Some((term, self.text(key)));
        terms.iter().filter_map(term).filter(|(_, text)| !text.is_empty())
    }
}

fn one(meta: &Value) -> VrmMeta {
    let meta = Meta(meta);
    let mut terms = vec![
        ("use by", meta.describe_value("avatarPermission", WHO, "onlyAuthor")),
        ("commercial use", meta.describe_value("commercialUsage", COMMERCE, "personalNonProfit")),
        ("violence", meta.allowed("allowExcessivelyViolentUsage")),
        ("sexual content", meta.allowed("allowExcessivelySexualUsage")),
        ("politics or religion", meta.allowed("allowPoliticalOrReligiousUsage")),
        ("antisocial or hateful", meta.allowed("allowAntisocialOrHateUsage")),
        ("credit", meta.describe_value("creditNotation", CREDIT, "required")),
        ("redistribution", meta.allowed("allowRedistribution")),
        ("changes", meta.describe_value("modification", CHANGES, "prohibited")),
    ];
    terms.extend(meta.free(&[
        ("licence", "licenseUrl"),
        ("other licence", "otherLicenseUrl"),
        ("third parties", "thirdPartyLicenses"),
        ("copyright", "copyrightInformation"),
    ]));
    terms.extend(meta.texts("references").into_iter().map(|reference| ("reference", reference)));
    VrmMeta {
        title: meta.text("name"),
        version: meta.text("version"),
        authors: meta.texts("authors"),
        contact: meta.text("contactInformation"),
        terms,
    }
}

fn zero(meta: &Value) -> VrmMeta {
    let meta = Meta(meta);
    let mut terms = vec![
        ("use by", meta.describe_value("allowedUserName", WHO, "OnlyAuthor")),
        ("commercial use", meta.describe_value("commercialUssageName", COMMERCE, "Disallow")),
        ("violence", meta.describe_value("violentUssageName", YES_OR_NO, "Disallow")),
        ("sexual content", meta.describe_value("sexualUssageName", YES_OR_NO, "Disallow")),
        ("licence", meta.describe_value("licenseName", LICENCES, "Redistribution_Prohibited")),
    ];
    terms.extend(meta.free(&[
        ("other terms", "otherPermissionUrl"),
        ("other licence", "otherLicenseUrl"),
        ("reference", "reference"),
    ]));
    VrmMeta {
        title: meta.text("title"),
        version: meta.text("version"),
        authors: Some(meta.text("author")).filter(|author| !author.is_empty()).into_iter().collect(),
        contact: meta.text("contactInformation"),
        terms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn term<'a>(meta: &'a VrmMeta, name: &str) -> &'a str {
        meta.terms.iter().find(|(term, _)| *term == name).map_or("", |(_, value)| value)
    }

    #[test]
    fn missing_vrm_1_permissions_use_the_specifications_defaults() {
        let meta = one(&json!({
            "name": "Ada", "version": "2", "authors": ["B", " ", 5, "C"], "contactInformation": "b@c", "avatarPermission": "everyone",
            "commercialUsage": "corporation", "allowExcessivelyViolentUsage": true, "modification": "allowModificationRedistribution",
            "creditNotation": "unnecessary", "licenseUrl": "https://vrm.dev/licenses/1.0/", "references": ["r"],
        }));
        assert_eq!((&*meta.title, &*meta.version, &*meta.contact), ("Ada", "2", "b@c"));
        assert_eq!(meta.authors, ["B", "C"]);
        for (name, value) in [
            ("use by", "everyone"),
            ("commercial use", "by persons and companies"),
            ("violence", "allowed"),
            ("sexual content", "not allowed"),
            ("credit", "not required"),
            ("redistribution", "not allowed"),
            ("changes", "allowed, may be passed on"),
            ("licence", "https://vrm.dev/licenses/1.0/"),
            ("reference", "r"),
        ] {
            assert_eq!(term(&meta, name), value, "{name}");
        }
        let bare = one(&json!({}));
        assert_eq!((term(&bare, "use by"), term(&bare, "changes")), ("only the author", "not allowed"));
        assert_eq!(term(&one(&json!({"avatarPermission": "all"})), "use by"), "\"all\"");
    }

    #[test]
    fn vrm_0_has_one_author_and_a_licence_by_name() {
        let meta = zero(&json!({
            "title": "Ada", "author": "B", "allowedUserName": "ExplicitlyLicensedPerson", "commercialUssageName": "Allow",
            "licenseName": "CC_BY_NC", "texture": -1,
        }));
        assert_eq!((&*meta.title, &meta.authors[..]), ("Ada", &["B".to_owned()][..]));
        assert_eq!(term(&meta, "use by"), "only people with a licence of their own");
        assert_eq!((term(&meta, "commercial use"), term(&meta, "violence")), ("allowed", "not allowed"));
        assert_eq!(term(&meta, "licence"), "CC BY-NC");
    }
}
