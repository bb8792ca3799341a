//! Text layout with the built-in font. Installed faces supply missing letters.

use std::ops::Range;
use std::sync::Arc;

use ab_glyph::{Font, FontRef, Glyph, GlyphId, OutlinedGlyph, PxScale, ScaleFont, VariableFont, point};
use harfrust::{ShapeOptions, ShaperData, ShaperInstance, UnicodeBuffer, Variation};

use crate::fonts::{Face, REGULAR, joins_letter};

pub(super) struct TextLayout<'a> {
    faces: Vec<LayoutFace<'a>>,
}

struct LayoutFace<'a> {
    font: FontRef<'a>,
    /// Ratio of the `PxScale` height to the em size.
    height_in_em: f32,
    units_per_em: f32,
    shaping: Option<Shaping<'a>>,
}

struct Shaping<'a> {
    font: harfrust::FontRef<'a>,
    data: ShaperData,
    instance: Option<ShaperInstance>,
}

pub(super) struct PlacedGlyph {
    face: usize,
    glyph: Glyph,
}

impl<'a> TextLayout<'a> {
    /// Creates a layout that tries the built-in faces first, then `others`. Returns `None` if the built-in faces cannot
    /// be read.
    pub(super) fn new(others: &'a [Arc<Face>]) -> Option<Self> {
        let own = Face::own();
        let mut faces = vec![LayoutFace { shaping: None, ..LayoutFace::new(own.first()?)? }];
        let others = own.iter().skip(1).chain(others.iter().map(Arc::as_ref));
        faces.extend(others.filter_map(LayoutFace::new));
        Some(Self { faces })
    }

    /// Returns the line height for the font size `em`, both in pixels.
    pub(super) fn height(&self, em: f32) -> f32 {
        self.faces[0].font.as_scaled(self.faces[0].scale(em)).height()
    }

    /// Returns the distance in pixels from the top of a line to its baseline.
    pub(super) fn ascent(&self, em: f32) -> f32 {
        self.faces[0].font.as_scaled(self.faces[0].scale(em)).ascent()
    }

    /// Lays out a line that starts at x = 0. Returns its glyphs, and its width in pixels. Each run of one face is
    /// shaped in the direction of its script; the runs themselves go from left to right, as in the window. See
    /// [`drawn`](crate::text::drawn).
    pub(super) fn line(&self, text: &str, em: f32) -> (Vec<PlacedGlyph>, f32) {
        let mut glyphs = Vec::new();
        let mut x = 0.0;
        for (face, run) in self.runs(text) {
            let set = self.faces[face].set(&text[run], em, &mut x);
            glyphs.extend(set.into_iter().map(|glyph| PlacedGlyph { face, glyph }));
        }
        (glyphs, x)
    }

    pub(super) fn outline(&self, PlacedGlyph { face, glyph }: PlacedGlyph) -> Option<OutlinedGlyph> {
        self.faces[face].font.outline_glyph(glyph)
    }

    /// Splits text into runs of one face each: face index and byte range. A letter that no face has becomes the
    /// missing-glyph box of the first face.
    fn runs(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for (at, letter) in text.char_indices() {
            let end = at + letter.len_utf8();
            let before = runs.last().map(|(face, _)| *face).filter(|_| joins_letter(letter));
            let face = before.unwrap_or_else(|| self.faces.iter().position(|face| face.has(letter)).unwrap_or(0));
            match runs.last_mut() {
                Some((last, range)) if *last == face => range.end = end,
                _ => runs.push((face, at..end)),
            }
        }
        runs
    }
}

impl<'a> LayoutFace<'a> {
    fn new(face: &'a Face) -> Option<Self> {
        let font = face.font()?;
        let shaped = harfrust::FontRef::from_index(face.bytes(), face.index).ok()?;
        let weight = Variation { tag: harfrust::Tag::new(b"wght"), value: REGULAR };
        let varies = !font.variations().is_empty();
        let shaping = Shaping {
            data: ShaperData::new(&shaped),
            instance: varies.then(|| ShaperInstance::from_variations(&shaped, [weight])),
            font: shaped,
        };
        let units_per_em = font.units_per_em().filter(|units| *units > 0.0)?;
        Some(Self { height_in_em: font.height_unscaled() / units_per_em, units_per_em, font, shaping: Some(shaping) })
    }

    fn has(&self, letter: char) -> bool {
        self.font.glyph_id(letter).0 != 0
    }

    fn scale(&self, em: f32) -> PxScale {
        PxScale::from(em * self.height_in_em)
    }

    fn set(&self, text: &str, em: f32, x: &mut f32) -> Vec<Glyph> {
        match &self.shaping {
            Some(shaping) => self.shaped(shaping, text, em, x),
            None => self.placed(text, em, x),
        }
    }

    fn placed(&self, text: &str, em: f32, x: &mut f32) -> Vec<Glyph> {
        let scale = self.scale(em);
        let font = self.font.as_scaled(scale);
        let mut before = None::<GlyphId>;
        let place = |letter: char| {
            let id = font.glyph_id(letter);
            *x += before.replace(id).map_or(0.0, |before| font.kern(before, id));
            let glyph = id.with_scale_and_position(scale, point(*x, 0.0));
            *x += font.h_advance(id);
            glyph
        };
        text.chars().filter(|letter| self.has(*letter) || !joins_letter(*letter)).map(place).collect()
    }

    fn shaped(&self, shaping: &Shaping<'_>, text: &str, em: f32, x: &mut f32) -> Vec<Glyph> {
        let shaper = shaping.data.shaper(&shaping.font).instance(shaping.instance.as_ref()).build();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let (scale, pixels) = (self.scale(em), em / self.units_per_em);
        let place = |(info, position): (&harfrust::GlyphInfo, &harfrust::GlyphPosition)| {
            let at = point(*x + position.x_offset as f32 * pixels, -(position.y_offset as f32) * pixels);
            *x += position.x_advance as f32 * pixels;
            // OpenType glyph ids have two bytes.
            Some(GlyphId(u16::try_from(info.glyph_id).ok()?).with_scale_and_position(scale, at))
        };
        shaped.glyph_infos().iter().zip(shaped.glyph_positions()).filter_map(place).collect()
    }
}
