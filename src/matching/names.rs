//! Names without additions by tools.

/// Lower-case name without namespaces (`rig:Hips`, `Armature|Hips`) and Blender's copy number (`Hips.001`).
pub(super) fn bare_name(name: &str) -> String {
    without_number(name.rsplit([':', '|']).next().unwrap_or(name)).to_lowercase()
}

fn without_number(name: &str) -> &str {
    let is_number = |end: &str| end.len() == 3 && end.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(begin, _)| begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_capitals_and_numbers_of_copies_are_left_out() {
        for name in ["Hips", "hips", "ns:Hips", "a:b:HIPS", "Armature|Hips", "Hips.001", "ns:hips.042"] {
            assert_eq!(bare_name(name), "hips", "{name}");
        }
        assert_eq!(bare_name("Spine.01"), "spine.01");
        assert_eq!(bare_name("Spine.1000"), "spine.1000");
        assert_eq!(bare_name("left_hips"), "left_hips");
    }
}
