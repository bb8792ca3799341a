//! VRM metadata: description, authors and licence.

/// Metadata and licence of a VRM, as text; any field may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VrmMeta {
    /// Name of the character; may be empty.
    pub title: String,
    /// The authors' version of the character; may be empty.
    pub version: String,
    /// Names of authors.
    pub authors: Vec<String>,
    /// Contact of the authors; may be empty.
    pub contact: String,
    /// Terms of use as label and value, `("redistribution", "not allowed")`, with the specification's defaults.
    pub terms: Vec<(&'static str, String)>,
}
