use std::sync::Arc;

use egui::{FallbackRequest, FontData, FontFamily, FontInsert, FontProvider};

use crate::fonts::{Face, Fonts, REGULAR};

/// Registers a provider that egui asks for fonts that contain missing characters. Call this again after loading more
/// fonts.
pub fn install(ctx: &egui::Context, fonts: &Fonts) {
    ctx.set_font_providers(vec![Arc::new(InstalledFonts(fonts.clone()))]);
}

struct InstalledFonts(Fonts);

impl FontProvider for InstalledFonts {
    fn fonts_for_family(&self, _: &FontFamily) -> Vec<FontInsert> {
        self.0.faces().iter().map(|face| insert(face)).collect()
    }

    /// Requests a font in the background. Always returns `None`, because a frame doesn't wait for fonts.
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        // The font of the first character draws the whole cluster.
        request.cluster.chars().take(1).for_each(|letter| self.0.ask(letter));
        None
    }
}

fn insert(face: &Face) -> FontInsert {
    let mut data = FontData::from_blob(Arc::clone(&face.data), face.index);
    if data.variation_axes().iter().any(|axis| axis.tag == egui::epaint::text::Tag::new(b"wght")) {
        data.tweak.coords.push(b"wght", REGULAR);
    }
    FontInsert::new(&face.name, data, Vec::new())
}
