//! Common prefixes of names, such as a namespace.

/// Returns the byte length of the common prefix of two names. The prefix ends at a separator and is shorter than
/// `name`.
pub fn shared_prefix(name: &str, other: &str) -> usize {
    let same = name.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
    let ends = same.filter(|((_, c), _)| "_:|./- ".contains(*c)).map(|((at, _), _)| at + 1);
    ends.filter(|end| *end < name.len()).last().unwrap_or(0)
}

/// Returns the common prefix of all names, up to a separator; never a whole name. Empty for fewer than two names.
pub fn common_prefix<'a>(names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let mut names = names.into_iter();
    let Some((first, second)) = names.next().zip(names.next()) else { return "" };
    let both = |name: &str| shared_prefix(first, name).min(shared_prefix(name, first));
    &first[..names.fold(both(second), |shortest, name| shortest.min(both(name)))]
}

/// Returns the byte length of `prefix` if `name` starts with it and is longer, otherwise 0.
pub fn prefix_length(name: &str, prefix: &str) -> usize {
    if name.len() > prefix.len() && name.starts_with(prefix) { prefix.len() } else { 0 }
}

/// Splits a name into lower-case words, at capitals and at characters for which `is_kept` returns false, such as
/// punctuation.
pub fn name_words(name: &str, is_kept: impl Fn(char) -> bool) -> Vec<String> {
    let mut divided = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            divided.push(' ');
        }
        divided.push(if is_kept(letter) { letter } else { ' ' });
        before = letter;
    }
    divided.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_prefix_ends_at_a_separator_and_is_never_the_whole_name() {
        for (name, other, common) in [
            ("mixamorig:LeftArm", "mixamorig:LeftHand", "mixamorig:"),
            ("J_Sec_L_Hair2", "J_Sec_L_Hair1", "J_Sec_L_"),
            ("LeftArm", "LeftHand", ""),
            ("a_", "a_b", ""),
            ("Hips", "", ""),
        ] {
            assert_eq!(&name[..shared_prefix(name, other)], common, "{name} and {other}");
        }
    }

    #[test]
    fn a_prefix_is_common_only_where_every_name_has_it() {
        assert_eq!(common_prefix(["rig:L_Arm", "rig:L_Leg", "rig:Hips"]), "rig:");
        assert_eq!(common_prefix(["rig:L_Arm", "rig:L_Leg", "Camera"]), "");
        assert_eq!(common_prefix(["rig:L_Arm"]), "");
        assert_eq!(common_prefix(["rig:", "rig:Hips", "rig:Leg"]), "");
    }
}
