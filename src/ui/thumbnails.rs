use std::sync::Arc;

use egui::cache::FramePublisher;
use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::state::Thumbnail;

/// Textures by the address of their thumbnail. Each entry keeps its thumbnail alive, so that no other thumbnail gets
/// the same address.
type Textures = FramePublisher<usize, (Arc<Thumbnail>, TextureHandle)>;

/// Returns the texture of a thumbnail. The cache keeps the texture as long as it is drawn every frame.
pub(super) fn thumbnail_texture(ctx: &Context, thumbnail: &Arc<Thumbnail>) -> TextureHandle {
    let key = Arc::as_ptr(thumbnail).addr();
    let known = ctx.memory_mut(|m| m.caches.cache::<Textures>().get(&key).cloned());
    let (thumbnail, texture) = known.unwrap_or_else(|| {
        let image = ColorImage::from_rgba_unmultiplied([thumbnail.side as usize; 2], &thumbnail.rgba);
        (Arc::clone(thumbnail), ctx.load_texture("thumbnail", image, TextureOptions::LINEAR))
    });
    ctx.memory_mut(|m| m.caches.cache::<Textures>().set(key, (thumbnail, texture.clone())));
    texture
}
