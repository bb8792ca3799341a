//! Name patterns with `*`.

use rigscope_core::text::fits;

/// Case-insensitive pattern that must match the whole name; `*` matches any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Creates a pattern from its text.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the pattern as written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns true if the pattern matches a name. *Cost*: at most pattern length times name length.
    pub fn fits(&self, name: &str) -> bool {
        let (pattern, name): (Vec<char>, Vec<char>) = (lower(&self.0), lower(name));
        fits(&pattern, &name, |letter| *letter == '*', |letter, of_name| letter == of_name)
    }
}

fn lower(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters_and_the_whole_name_counts() {
        for (pattern, name, fits) in [
            ("head*", "Head_Geo", true),
            ("head*", "head", true),
            ("head", "head_geo", false),
            ("*_att", "Hat_Att", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
            ("props/**", "props/a/b.glb", true),
        ] {
            assert_eq!(Pattern::new(pattern).fits(name), fits, "{pattern} {name}");
        }
        let long = "a".repeat(2000);
        assert!(!Pattern::new(&"a*".repeat(50)).fits(&format!("b{long}")));
    }
}
