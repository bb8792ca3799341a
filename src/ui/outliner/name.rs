//! Long names in little room: what of them is common, and what can go.

use std::ops::Range;

/// How much of a name another begins with too, bytes, up to the last separator; never all of it.
pub fn shared_prefix(name: &str, other: &str) -> usize {
    let same = name.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
    let ends = same.filter(|((_, c), _)| "_:|./- ".contains(*c)).map(|((at, _), _)| at + 1);
    ends.filter(|end| *end < name.len()).last().unwrap_or(0)
}

/// The two parts of a name, bytes, that fit into some room; an ellipsis stands for each gap. What is `common` goes first, then the middle.
pub fn fitted(name: &str, common: usize, room: f32, mut width: impl FnMut(char) -> f32) -> [Range<usize>; 2] {
    let widths: Vec<(usize, f32)> = name.char_indices().map(|(at, c)| (at, width(c))).collect();
    let total = |from: usize| widths.iter().filter(|(at, _)| *at >= from).map(|(_, w)| w).sum::<f32>();
    let ellipsis = width('…');
    if total(0) <= room {
        return [0..name.len(), name.len()..name.len()];
    }
    if common > 0 && total(common) + ellipsis <= room {
        return [common..name.len(), name.len()..name.len()];
    }
    let gaps = if common > 0 { 2.0 } else { 1.0 };
    let half = (room - gaps * ellipsis) * 0.5;
    // As many as fit into half of the room.
    let taken = |widths: &mut dyn Iterator<Item = &(usize, f32)>| {
        let mut left = half;
        widths
            .take_while(|(_, w)| {
                left -= w;
                left >= 0.0
            })
            .count()
    };
    let kept = &widths[widths.partition_point(|(at, _)| *at < common)..];
    let (head, tail) = (taken(&mut kept.iter()), taken(&mut kept.iter().rev()));
    let at = |i: usize| kept.get(i).map_or(name.len(), |(at, _)| *at);
    [common..at(head), at(kept.len() - tail)..name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a room for so many letters.
    fn shown(name: &str, common: usize, letters: f32) -> String {
        let mut text = String::new();
        let mut end = 0;
        for piece in fitted(name, common, letters, |_| 1.0) {
            if piece.start > end {
                text.push('…');
            }
            text.push_str(&name[piece.clone()]);
            end = piece.end;
        }
        text
    }

    #[test]
    fn a_long_name_loses_what_is_common_and_then_its_middle() {
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 16.0), "J_Bip_L_UpperArm");
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 12.0), "…UpperArm");
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 8.0), "…Upp…Arm");
        assert_eq!(shown("LeftHandIndex3", 0, 9.0), "Left…dex3");
        assert_eq!(shown("Ärmelärmel", 0, 5.0), "Är…el");
        assert_eq!(shown("Hips", 0, 0.0), "…");
    }

    #[test]
    fn what_is_common_ends_at_a_separator_and_is_never_all() {
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
}
