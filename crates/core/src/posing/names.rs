/// Side of the body, from the character's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodySide {
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

/// Returns the side in a name and the name of the counterpart on the other side; `None` for a name without a side.
///
/// Recognizes words (`LeftArm`, `mixamorig:RightHand`, `hand_left`), single letters between separators (`hand.L`,
/// `l_arm`, `J_Bip_R_Foot`, `Bip01 L Toe`, `leg-r.001`) and letters set off by case (`lShin`, `handR`).
/// ```
/// use rigscope_core::posing::{BodySide, other_side};
///
/// assert_eq!(other_side("UpperArm.L"), Some((BodySide::Left, "UpperArm.R".to_owned())));
/// assert_eq!(other_side("mixamorig:RightFoot"), Some((BodySide::Right, "mixamorig:LeftFoot".to_owned())));
/// assert_eq!(other_side("Upright"), None);
/// ```
pub fn other_side(name: &str) -> Option<(BodySide, String)> {
    by_word(name).or_else(|| by_letter(name))
}

type Fits = fn(Option<char>, Option<char>) -> bool;

const WORDS: [(&str, &str, Fits); 3] = [
    ("Left", "Right", |_, after| !is_lowercase(after)),
    ("left", "right", |before, after| !before.is_some_and(char::is_alphabetic) && !is_lowercase(after)),
    ("LEFT", "RIGHT", |before, after| !is_uppercase(before) && !is_uppercase(after)),
];

fn by_word(name: &str) -> Option<(BodySide, String)> {
    let found = |word: &str, other: &str, side, fits: Fits| {
        name.match_indices(word).find_map(|(at, _)| {
            let (before, after) = (&name[..at], &name[at + word.len()..]);
            fits(before.chars().next_back(), after.chars().next()).then(|| (side, format!("{before}{other}{after}")))
        })
    };
    WORDS.into_iter().find_map(|(left, right, fits)| {
        found(left, right, BodySide::Left, fits).or_else(|| found(right, left, BodySide::Right, fits))
    })
}

fn by_letter(name: &str) -> Option<(BodySide, String)> {
    name.char_indices().find_map(|(at, letter)| {
        let (side, other) = match letter {
            'L' => (BodySide::Left, "R"),
            'l' => (BodySide::Left, "r"),
            'R' => (BodySide::Right, "L"),
            'r' => (BodySide::Right, "l"),
            _ => return None,
        };
        let (before, after) = (&name[..at], &name[at + 1..]);
        let (previous, next) = (before.chars().next_back(), after.chars().next());
        let is_alone = is_end(previous) && is_end(next) && name.len() > 1;
        let is_prefix = previous.is_none() && letter.is_lowercase() && is_uppercase(next);
        let is_suffix = next.is_none() && letter.is_uppercase() && is_lowercase(previous);
        (is_alone || is_prefix || is_suffix).then(|| (side, format!("{before}{other}{after}")))
    })
}

fn is_end(neighbour: Option<char>) -> bool {
    neighbour.is_none_or(|c| !c.is_alphanumeric())
}

fn is_lowercase(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(char::is_lowercase)
}

fn is_uppercase(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_schemes_are_known_both_ways() {
        for (left, right) in [
            ("hand.L", "hand.R"),
            ("hand.l", "hand.r"),
            ("hand_l", "hand_r"),
            ("L_hand", "R_hand"),
            ("l-hand", "r-hand"),
            ("leg.L.001", "leg.R.001"),
            ("LeftHand", "RightHand"),
            ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
            ("handLeft", "handRight"),
            ("hand_left", "hand_right"),
            ("LEFT_HAND", "RIGHT_HAND"),
            ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"),
            ("Bip01 L UpperArm", "Bip01 R UpperArm"),
            ("b_LeftLeg01_015", "b_RightLeg01_015"),
            ("lShin", "rShin"),
            ("handL", "handR"),
            ("leftUpperArm", "rightUpperArm"),
        ] {
            assert_eq!(other_side(left), Some((BodySide::Left, right.to_owned())));
            assert_eq!(other_side(right), Some((BodySide::Right, left.to_owned())));
        }
    }

    #[test]
    fn letters_inside_words_are_of_no_side() {
        for name in ["Upright", "Leftover", "bright", "Hips", "l", "R", "", "tail", "Collar", "root", "ROOT", "Skull01"]
        {
            assert_eq!(other_side(name), None, "{name}");
        }
    }
}
