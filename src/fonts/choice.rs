use std::cmp::Reverse;
use std::collections::BTreeSet;

use ab_glyph::FontRef;
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};

use super::face::{Face, draws};

/// Returns faces that together cover as many of these letters as possible, and the letters that no face has.
pub(super) fn chosen(fonts: &mut Database, letters: BTreeSet<char>, system: HanRegion) -> (Vec<Face>, BTreeSet<char>) {
    let region = HanRegion::for_letters(&letters).unwrap_or(system);
    let mut candidates: Vec<FaceCandidate> =
        fonts.faces().filter_map(|face| FaceCandidate::new(fonts, face, &letters, region)).collect();
    let mut rest = letters;
    let mut faces = Vec::new();
    while let Some(best) = candidates.iter().max_by_key(|candidate| candidate.rank(&rest)) {
        if best.letters.is_disjoint(&rest) {
            break;
        }
        let id = best.id;
        if let Some(face) = Face::mapped(fonts, id) {
            rest.retain(|letter| !best.letters.contains(letter));
            faces.push(face);
        }
        candidates.retain(|candidate| candidate.id != id);
    }
    (faces, rest)
}

struct FaceCandidate {
    id: ID,
    letters: BTreeSet<char>,
    resemblance: Resemblance,
}

/// Similarity of a face to the built-in face; higher is better. The last element makes the choice deterministic.
type Resemblance = (bool, Reverse<u16>, bool, bool, bool, Reverse<(String, u32)>);

impl FaceCandidate {
    fn new(fonts: &Database, face: &FaceInfo, letters: &BTreeSet<char>, region: HanRegion) -> Option<Self> {
        let has = |bytes: &[u8], index| {
            let font = FontRef::try_from_slice_and_index(bytes, index).ok()?;
            let has: BTreeSet<char> = letters.iter().copied().filter(|letter| draws(&font, *letter)).collect();
            (!has.is_empty()).then_some(has)
        };
        let letters = fonts.with_face_data(face.id, has)??;
        let is_named = |word: &str| face.families.iter().any(|(name, _)| words(name).any(|of_name| of_name == word));
        let resemblance = (
            region.endings().iter().any(|ending| is_named(ending)),
            Reverse(face.weight.0.abs_diff(Weight::NORMAL.0)),
            face.style == Style::Normal,
            face.stretch == Stretch::Normal,
            !face.monospaced && !is_named("Mono") && !is_named("Serif"),
            Reverse((face.post_script_name.clone(), face.index)),
        );
        Some(Self { id: face.id, letters, resemblance })
    }

    fn rank(&self, rest: &BTreeSet<char>) -> (usize, &Resemblance) {
        (self.letters.intersection(rest).count(), &self.resemblance)
    }
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split([' ', '-', '_'])
}

/// Region, used to choose between faces of a family that differ only in their Chinese characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HanRegion {
    /// Simplified Chinese.
    China,
    /// Traditional Chinese.
    Taiwan,
    Japan,
    Korea,
}

impl HanRegion {
    /// Returns the region of the user's locale. For other locales, returns the region with the most readers.
    pub(super) fn from_system() -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            (!value.is_empty()).then_some(value)
        });
        Self::from_locale(&locale.unwrap_or_default())
    }

    fn from_locale(locale: &str) -> Self {
        match locale.split(['.', '@']).next().unwrap_or_default() {
            name if name.starts_with("ja") => Self::Japan,
            name if name.starts_with("ko") => Self::Korea,
            "zh_TW" | "zh_HK" | "zh_MO" | "zh_Hant" => Self::Taiwan,
            _ => Self::China,
        }
    }

    fn for_letters(letters: &BTreeSet<char>) -> Option<Self> {
        let has = |first: char, last: char| letters.range(first..=last).next().is_some();
        if has('\u{3040}', '\u{30ff}') || has('\u{ff66}', '\u{ff9f}') {
            Some(Self::Japan)
        } else if has('\u{ac00}', '\u{d7a3}') || has('\u{1100}', '\u{11ff}') {
            Some(Self::Korea)
        } else {
            None
        }
    }

    /// Returns the words that stand for the region in family names, such as JP in "Noto Sans CJK JP".
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::China => &["SC", "CN", "GB"],
            Self::Taiwan => &["TC", "TW", "HK"],
            Self::Japan => &["JP", "J"],
            Self::Korea => &["KR", "K"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_glyphs_follow_kana_or_hangul_and_else_the_system_language() {
        let of = |text: &str| HanRegion::for_letters(&text.chars().collect());
        assert_eq!(of("左腕ひじ"), Some(HanRegion::Japan));
        assert_eq!(of("左ｳﾃﾞ"), Some(HanRegion::Japan));
        assert_eq!(of("왼쪽 腕"), Some(HanRegion::Korea));
        assert_eq!(of("左腕"), None);
        let locales =
            ["ja_JP.UTF-8", "ko_KR", "zh_TW.UTF-8", "zh_CN.UTF-8", "de_AT@euro", "C", ""].map(HanRegion::from_locale);
        let china = HanRegion::China;
        assert_eq!(locales, [HanRegion::Japan, HanRegion::Korea, HanRegion::Taiwan, china, china, china, china]);
    }
}
