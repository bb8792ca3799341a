//! Small pictures of characters as textures.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{ColorImage, Context, Id, TextureHandle, TextureOptions, Ui};

use crate::state::{AppState, Thumbnail};

/// A texture of a thumbnail.
pub(super) fn thumbnail_texture(ctx: &Context, name: &str, thumbnail: &Thumbnail) -> TextureHandle {
    let image = ColorImage::from_rgba_unmultiplied([thumbnail.side as usize; 2], &thumbnail.rgba);
    ctx.load_texture(name, image, TextureOptions::LINEAR)
}

/// Textures of pictures of files, each with the picture that it was made of.
type Textures = HashMap<PathBuf, (Arc<Thumbnail>, TextureHandle)>;

/// Textures of the recent files that have a picture. They are made once, and kept while the picture is the same.
pub(super) fn recent_textures(ui: &Ui, state: &AppState) -> HashMap<PathBuf, TextureHandle> {
    let id = Id::unique("pictures of recent files");
    let mut known: Textures = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let texture = |(path, thumbnail): (&PathBuf, &Arc<Thumbnail>)| {
        let same = known.remove(path).filter(|(of, _)| Arc::ptr_eq(of, thumbnail));
        let made = || (Arc::clone(thumbnail), thumbnail_texture(ui.ctx(), "recent file", thumbnail));
        (path.clone(), same.unwrap_or_else(made))
    };
    let textures: Textures = state.recent_pictures.iter().map(texture).collect();
    ui.data_mut(|data| data.insert_temp(id, textures.clone()));
    textures.into_iter().map(|(path, (_, texture))| (path, texture)).collect()
}

/// Texture of the picture of the open file. It is made once, and kept until another picture takes its place.
pub(super) fn open_texture(ui: &Ui, thumbnail: &Arc<Thumbnail>) -> TextureHandle {
    let id = Id::unique("picture of the open file");
    let known: Option<(Arc<Thumbnail>, TextureHandle)> = ui.data(|data| data.get_temp(id));
    if let Some((_, texture)) = known.filter(|(of, _)| Arc::ptr_eq(of, thumbnail)) {
        return texture;
    }
    let texture = thumbnail_texture(ui.ctx(), "open file", thumbnail);
    ui.data_mut(|data| data.insert_temp(id, (Arc::clone(thumbnail), texture.clone())));
    texture
}
