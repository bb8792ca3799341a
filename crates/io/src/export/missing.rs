//! Unreadable textures. The checkerboard that replaces them on screen is never exported.

use rigscope_core::rig::{MapKind, Material, MissingTexture, Texture};

/// How an export handles unreadable textures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingTextures {
    /// Omits the texture.
    #[default]
    Omitted,
    /// References the image file that the model references. A texture without an image file is omitted.
    Referenced,
}

/// An unreadable texture that an export leaves out or references as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostTexture {
    /// Kind of texture, material and, if known, image file name: `base colour of "Skin", skin.png`.
    pub name: String,
    /// Whether the exported file refers to the image file.
    pub is_referenced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageSource<'a> {
    Own(usize),
    Missing(&'a str),
}

impl MissingTextures {
    pub(super) fn texture(self, material: &Material, kind: Option<MapKind>) -> Option<(&Texture, ImageSource<'_>)> {
        if let Some(lost) = material.missing.iter().find(|lost| lost.kind == kind) {
            return Some((&lost.texture, ImageSource::Missing(self.file(lost)?)));
        }
        let texture = kind.map_or(material.texture.as_ref(), |kind| material.maps[kind].as_ref())?;
        Some((texture, ImageSource::Own(texture.image)))
    }

    pub(super) fn textures(self, material: &Material) -> impl Iterator<Item = &Texture> {
        let kinds = std::iter::once(None).chain(MapKind::ALL.map(Some));
        kinds.filter_map(move |kind| Some(self.texture(material, kind)?.0))
    }

    pub(super) fn lost(self, material: &Material) -> impl Iterator<Item = LostTexture> {
        let name = |lost: &MissingTexture| {
            let file = lost.file.as_ref().map_or_else(String::new, |file| format!(", {file}"));
            format!("{} of \"{}\"{file}", lost.kind.map_or("base colour", MapKind::name), material.name)
        };
        let lost = material.missing.iter();
        lost.map(move |lost| LostTexture { name: name(lost), is_referenced: self.file(lost).is_some() })
    }

    fn file(self, lost: &MissingTexture) -> Option<&str> {
        lost.file.as_deref().filter(|_| self == Self::Referenced)
    }
}

pub(super) fn sentences(lost: &[LostTexture]) -> Vec<String> {
    const FIRST: usize = 5;
    let sentence = |is_referenced: bool, what: &str| {
        let names: Vec<&str> =
            lost.iter().filter(|lost| lost.is_referenced == is_referenced).map(|lost| lost.name.as_str()).collect();
        let count = names.len();
        let textures = if count == 1 { "1 texture is".to_owned() } else { format!("{count} textures are") };
        let more = if count > FIRST { format!("; and {} more", count - FIRST) } else { String::new() };
        let first = names[..count.min(FIRST)].join("; ");
        (count > 0).then(|| format!("{textures} missing and {what}: {first}{more}"))
    };
    [sentence(false, "left out"), sentence(true, "referenced as before")].into_iter().flatten().collect()
}
