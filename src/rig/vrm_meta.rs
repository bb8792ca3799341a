//! What a VRM says of itself: what the character is, who made it and who may use it.

/// Metadata and licence of a VRM, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VrmMeta {
    /// Name of the character; may be empty.
    pub title: String,
    /// Version of the character, by its authors' own count; may be empty.
    pub version: String,
    /// Authors by name.
    pub authors: Vec<String>,
    /// How to reach the authors; may be empty.
    pub contact: String,
    /// Terms of use, each as a noun and what it is: `("redistribution", "not allowed")`. What the file leaves open is as its specification has it.
    pub terms: Vec<(&'static str, String)>,
}
