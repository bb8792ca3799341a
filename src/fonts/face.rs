use std::fmt;
use std::sync::{Arc, OnceLock};

use ab_glyph::{Font as _, FontRef, VariableFont as _};
use fontdb::{Database, ID};

pub(super) type Blob = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A face of a font file. System files are memory-mapped, so that unused data of large collections is not loaded.
#[derive(Clone)]
pub struct Face {
    /// Unique name.
    pub name: String,
    /// Bytes of the font file.
    pub data: Blob,
    /// Index of the face in a font collection.
    pub index: u32,
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Face").field(&self.name).finish()
    }
}

/// OpenType weight of a regular face.
pub const REGULAR: f32 = 400.0;

impl Face {
    /// Returns the built-in faces: one for letters, one for emoji.
    pub fn own() -> &'static [Self] {
        static OWN: OnceLock<Vec<Face>> = OnceLock::new();
        OWN.get_or_init(|| {
            let own = |name: &str, data: &'static [u8]| Self { name: name.to_owned(), data: Arc::new(data), index: 0 };
            vec![
                own("Ubuntu-Light", epaint_default_fonts::UBUNTU_LIGHT),
                own("NotoEmoji-Regular", epaint_default_fonts::NOTO_EMOJI_REGULAR),
            ]
        })
    }

    pub(super) fn mapped(fonts: &mut Database, id: ID) -> Option<Self> {
        let face = fonts.face(id)?;
        let name = format!("{} {}", face.post_script_name, face.index);
        #[expect(unsafe_code, reason = "a file is mapped, which others may change")]
        // SAFETY: package managers and font settings replace font files; the old file stays valid while mapped. Nothing
        // relies on unchanged bytes, because both font readers check each offset before use.
        let (data, index) = unsafe { fonts.make_shared_face_data(id) }?;
        let face = Self { name, data, index };
        // Both font readers must support the face: one shapes text, the other draws it.
        (face.font().is_some() && harfrust::FontRef::from_index(face.bytes(), index).is_ok()).then_some(face)
    }

    /// Returns the bytes of the font file.
    pub fn bytes(&self) -> &[u8] {
        (*self.data).as_ref()
    }

    /// Returns the outlines of the face. A variable font is set to regular weight.
    pub fn font(&self) -> Option<FontRef<'_>> {
        let mut font = FontRef::try_from_slice_and_index(self.bytes(), self.index).ok()?;
        font.set_variation(b"wght", REGULAR);
        Some(font)
    }

    /// Returns true if the face has an outline for a letter.
    pub fn has(&self, letter: char) -> bool {
        self.font().is_some_and(|font| draws(&font, letter))
    }
}

/// Returns true if a font has an outline for a letter. Bitmap glyphs don't count, because they can't be drawn.
pub(super) fn draws(font: &FontRef<'_>, letter: char) -> bool {
    let glyph = font.glyph_id(letter);
    glyph.0 != 0 && (letter.is_whitespace() || font.outline(glyph).is_some())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    fn every_face_of_a_collection_is_mapped_by_its_index() {
        let collection = Path::new("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc");
        if !collection.is_file() {
            let required = std::env::var("RIGSCOPE_REQUIRES").unwrap_or_default();
            assert!(!required.contains("fonts"), "no fonts-wqy-microhei; make test installs it");
            return eprintln!("skipped: no fonts-wqy-microhei here");
        }
        let mut fonts = Database::new();
        fonts.load_font_file(collection).unwrap();
        let listed: Vec<(ID, u32)> = fonts.faces().map(|face| (face.id, face.index)).collect();
        assert_eq!(listed.len(), 2);
        let faces: Vec<Face> = listed.iter().map(|(id, _)| Face::mapped(&mut fonts, *id).unwrap()).collect();
        for (face, (_, index)) in faces.iter().zip(listed) {
            assert!(face.index == index && face.has('左') && face.has('한') && !face.has('\u{e000}'), "{face:?}");
        }
        assert!(Arc::ptr_eq(&faces[0].data, &faces[1].data), "the file is mapped once");
        let width = |face: &Face| face.font().unwrap().h_advance_unscaled(face.font().unwrap().glyph_id('i'));
        assert_ne!(width(&faces[0]), width(&faces[1]), "one is proportional, the other is not");
    }
}
