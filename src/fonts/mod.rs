//! Installed fonts for letters that the built-in font lacks. Only [`Fonts::find`] and [`Fonts::search`] are slow.

mod choice;
mod face;
mod order;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use fontdb::Database;

use choice::{HanRegion, chosen};
pub use face::{Face, REGULAR};
pub use order::{drawn, may_be_right_to_left};
use unicode_normalization::char::is_combining_mark;

/// Fonts of this machine. Clones share the same data.
#[derive(Clone)]
pub struct Fonts(Arc<FontCache>);

struct FontCache {
    list: Box<dyn Fn() -> Database + Send + Sync>,
    /// Database of installed fonts, locked during searches; `None` before the first search.
    listed: Mutex<Option<Database>>,
    /// Faces and letters found so far, locked only briefly.
    known: Mutex<KnownFaces>,
}

#[derive(Default)]
struct KnownFaces {
    /// Faces in lookup order.
    faces: Vec<Arc<Face>>,
    /// Requested letters that no search has covered yet.
    asked: BTreeSet<char>,
    /// Letters that no face has.
    lacking: BTreeSet<char>,
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fonts").field(&self.faces()).finish()
    }
}

/// Environment variable that lists font files and folders, separated as in `PATH`. They replace the system's fonts.
pub const FONT_PATHS: &str = "RIGSCOPE_FONTS";

/// Uses the fonts listed in [`FONT_PATHS`] or, if it is not set, the system's fonts.
impl Default for Fonts {
    fn default() -> Self {
        static SYSTEM: OnceLock<Fonts> = OnceLock::new();
        let named = |places| Self::from_paths(std::env::split_paths(&places));
        SYSTEM.get_or_init(|| std::env::var_os(FONT_PATHS).map_or_else(|| Self::listed_by(system), named)).clone()
    }
}

fn system() -> Database {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    fonts
}

fn placed(places: &[PathBuf]) -> Database {
    let mut fonts = Database::new();
    for place in places {
        if place.is_dir() {
            fonts.load_fonts_dir(place);
        } else if let Err(problem) = fonts.load_font_file(place) {
            log::warn!("{}: {problem}", place.display());
        }
    }
    fonts
}

impl Fonts {
    fn listed_by(list: impl Fn() -> Database + Send + Sync + 'static) -> Self {
        Self(Arc::new(FontCache { list: Box::new(list), listed: Mutex::default(), known: Mutex::default() }))
    }

    /// Uses only these font files, and the font files in these folders.
    pub fn from_paths(places: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let places = places.into_iter().map(Into::into).filter(|place: &PathBuf| !place.as_os_str().is_empty());
        let places: Vec<PathBuf> = places.collect();
        Self::listed_by(move || placed(&places))
    }

    /// Creates a collection without fonts.
    pub fn none() -> Self {
        Self::from_paths([""; 0])
    }

    /// Returns the faces found so far, in lookup order.
    pub fn faces(&self) -> Vec<Arc<Face>> {
        self.known().faces.clone()
    }

    /// Requests a missing letter for the next [`Self::search`].
    pub fn ask(&self, letter: char) {
        let mut known = self.known();
        if !known.lacking.contains(&letter) {
            known.asked.insert(letter);
        }
    }

    /// Returns true if letters are waiting for a search.
    pub fn is_asked(&self) -> bool {
        !self.known().asked.is_empty()
    }

    /// Returns true once the installed fonts have been listed.
    pub fn is_listed(&self) -> bool {
        locked(&self.0.listed).is_some()
    }

    /// Searches the installed fonts for faces that have the requested letters. Returns true if it found any faces. The
    /// first search also lists all fonts.
    pub fn search(&self) -> bool {
        let asked = std::mem::take(&mut self.known().asked);
        self.search_for(asked)
    }

    /// Searches the installed fonts for faces that have the letters of a text that no known face has. Returns true if
    /// it found any faces.
    pub fn find(&self, text: &str) -> bool {
        let letters: BTreeSet<char> = text.chars().filter(|letter| is_drawn(*letter)).collect();
        self.search_for(
            letters.into_iter().filter(|letter| !Face::own().iter().any(|face| face.has(*letter))).collect(),
        )
    }

    fn search_for(&self, letters: BTreeSet<char>) -> bool {
        if letters.is_empty() {
            return false;
        }
        // Checks again under the lock, because another thread may have found the letters meanwhile.
        let mut listed = locked(&self.0.listed);
        let (faces, lacking) = (self.faces(), self.known().lacking.clone());
        let is_new = |letter: &char| !lacking.contains(letter) && !faces.iter().any(|face| face.has(*letter));
        let rest: BTreeSet<char> = letters.into_iter().filter(is_new).collect();
        if rest.is_empty() {
            return false;
        }
        let fonts = listed.get_or_insert_with(|| (self.0.list)());
        let (found, lacking) = chosen(fonts, rest, HanRegion::from_system());
        let mut known = self.known();
        known.lacking.extend(lacking);
        let is_any = !found.is_empty();
        known.faces.extend(found.into_iter().map(Arc::new));
        is_any
    }

    /// Returns the Debian and Ubuntu packages that contain fonts for the letters that no face has.
    pub fn packages(&self) -> BTreeSet<&'static str> {
        self.known().lacking.iter().filter_map(|letter| package(*letter)).collect()
    }

    /// Returns advice on which packages to install for letters that no face has; `None` if no package would help.
    pub fn advice(&self) -> Option<String> {
        let packages = Vec::from_iter(self.packages()).join(" and ");
        let action = if cfg!(windows) {
            "Add fonts of their language in Settings > Apps > Optional features.".to_owned()
        } else {
            format!("On Debian and Ubuntu, install {packages}.")
        };
        let problem = "Some names contain letters that no installed font has; they are shown as boxes.";
        (!packages.is_empty()).then(|| format!("{problem} {action}"))
    }

    fn known(&self) -> MutexGuard<'_, KnownFaces> {
        locked(&self.0.known)
    }
}

fn is_drawn(letter: char) -> bool {
    !crate::text::is_spelt_out(letter) && !joins_letter(letter)
}

/// Returns true for a character that must use the face of the preceding letter: a mark, joiner, selector or flag tag.
pub fn joins_letter(letter: char) -> bool {
    is_combining_mark(letter)
        || matches!(letter, '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns the Debian and Ubuntu package with fonts for a letter; `None` for emoji and private-use characters.
fn package(letter: char) -> Option<&'static str> {
    match u32::from(letter) {
        // Jamo, radicals, kana, bopomofo, Chinese characters, hangul, half-width and full-width forms.
        0x1100..=0x11FF
        | 0x2E80..=0x9FFF
        | 0xA960..=0xA97F
        | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF
        | 0x1B000..=0x1B16F
        | 0x20000..=0x3FFFF => Some("fonts-noto-cjk"),
        0xE000..=0xF8FF | 0x1F000..=0x1FAFF | 0xE0000.. => None,
        _ => Some("fonts-noto-core"),
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_no_fonts_a_letter_is_lacking_and_asked_for_once() {
        let fonts = Fonts::none();
        assert!(!fonts.is_asked() && !fonts.is_listed());
        "左腕 हिन्दी \u{e000}😀".chars().filter(|letter| *letter != ' ').for_each(|letter| fonts.ask(letter));
        assert!(fonts.is_asked());
        assert!(!fonts.search(), "nothing was found");
        assert!(fonts.is_listed() && fonts.faces().is_empty());
        assert_eq!(Vec::from_iter(fonts.packages()), ["fonts-noto-cjk", "fonts-noto-core"]);
        let advice = if cfg!(windows) { "Optional features." } else { "install fonts-noto-cjk and fonts-noto-core." };
        assert!(fonts.advice().unwrap().ends_with(advice));
        fonts.ask('左');
        assert!(!fonts.is_asked(), "it is known to be lacking");
    }

    #[test]
    fn letters_of_built_in_fonts_are_not_searched() {
        let fonts = Fonts::none();
        assert!(!fonts.find("Körper Рука Ωμος 😀\n") && !fonts.is_listed());
        assert!(!fonts.find("左") && fonts.is_listed());
    }

    #[test]
    fn invalid_font_has_no_letters() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.ttf");
        std::fs::write(&path, b"\0\x01\0\0\0\x09 and no more").unwrap();
        let fonts = Fonts::from_paths([path, folder.path().join("absent.ttf")]);
        assert!(!fonts.find("左") && fonts.faces().is_empty());
    }
}
