//! VRM metadata: description, authors and licence.

/// Metadata and licence of a VRM, as text; any field may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct VrmMeta {
    pub title: String,
    pub version: String,
    pub authors: Vec<String>,
    pub contact: String,
    /// Terms of use as label and value, `("redistribution", "not allowed")`, with the specification's defaults.
    pub terms: Vec<(&'static str, String)>,
}
