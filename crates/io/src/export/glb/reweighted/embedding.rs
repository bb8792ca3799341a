//! Embeds external buffers (files and data URIs) and external image files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::draft::Draft;
use super::json_text::Members;
use crate::export::ExportError;
use crate::export::glb::textures::media_type;

type Linked = BTreeMap<String, Result<Vec<u8>, String>>;

/// Index of the new buffer, and byte offset in it.
type Moved = (usize, u64);

/// Embeds all buffers that can be read completely. *Errors*: [`ExportError::Stored`] if the binary chunk is too short.
pub(super) fn buffers(draft: &mut Draft<'_>, linked: &Linked) -> Result<(), ExportError> {
    let (mut moved, mut outside): (Vec<Option<Moved>>, Vec<Cow<'_, str>>) = (Vec::new(), Vec::new());
    let mut chunk: Option<Cow<'_, str>> = None;
    for (number, text) in std::mem::take(&mut draft.buffers).into_iter().enumerate() {
        let buffer = Members::parse(&text)?;
        let length = buffer.number("byteLength").and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        if number == 0 && draft.has_chunk {
            if draft.binary.len() < length {
                let what = "its binary chunk is shorter than its buffer".to_owned();
                return Err(ExportError::Stored { what });
            }
            moved.push(Some((0, 0)));
            chunk = Some(text);
            continue;
        }
        let uri = buffer.text("uri");
        let bytes = uri.as_ref().and_then(|uri| linked.get(uri)?.as_ref().ok()?.get(..length));
        if let Some(bytes) = bytes {
            moved.push(Some((0, draft.append(bytes) as u64)));
            if chunk.is_none() {
                let mut own = Members::parse(&text)?;
                own.retain(|name| name != "uri");
                chunk = Some(Cow::Owned(own.into_text()));
            }
        } else {
            if uri.is_some() {
                draft.losses.push(format!("buffer {number} stays external: it cannot be read completely"));
            }
            moved.push(None);
            outside.push(text);
        }
    }
    // The chunk must exist because new data is appended to it.
    draft.has_chunk = true;
    draft.buffers = vec![chunk.unwrap_or(Cow::Borrowed("{}"))];
    draft.buffers.extend(outside);
    let mut next_outside = 0;
    let places: Vec<Moved> = moved
        .into_iter()
        .map(|place| {
            next_outside += usize::from(place.is_none());
            place.unwrap_or((next_outside, 0))
        })
        .collect();
    for view in &mut draft.views {
        if let Some(text) = view_text(view, &places)? {
            *view = Cow::Owned(text);
        }
    }
    Ok(())
}

fn view_text(text: &str, places: &[Moved]) -> Result<Option<String>, ExportError> {
    let mut view = Members::parse(text)?;
    let mut has_changed = move_range(&mut view, places);
    if let Some(extensions) = view.get("extensions").map(str::to_owned) {
        let mut extensions = Members::parse(&extensions)?;
        for name in ["EXT_meshopt_compression", "KHR_meshopt_compression", "MESHOPT_compression"] {
            let Some(compression) = extensions.get(name).map(str::to_owned) else { continue };
            let mut compression = Members::parse(&compression)?;
            if move_range(&mut compression, places) {
                has_changed = true;
                extensions.set(name, compression.into_text());
            }
        }
        view.set("extensions", extensions.into_text());
    }
    Ok(has_changed.then(|| view.into_text()))
}

fn move_range(range: &mut Members<'_>, places: &[Moved]) -> bool {
    let Some(buffer) = range.number("buffer") else { return false };
    let place = usize::try_from(buffer).ok().and_then(|buffer| places.get(buffer));
    let Some(&(number, start)) = place.filter(|place| **place != (buffer as usize, 0)) else { return false };
    range.set("buffer", number.to_string());
    if start > 0 {
        let offset = range.number("byteOffset").unwrap_or(0).saturating_add(start);
        range.set("byteOffset", offset.to_string());
    }
    true
}

pub(super) fn images(draft: &mut Draft<'_>, images: &mut [Cow<'_, str>], linked: &Linked) -> Result<(), ExportError> {
    for (number, text) in images.iter_mut().enumerate() {
        let mut image = Members::parse(text)?;
        let Some(found) = image.text("uri").and_then(|uri| linked.get(&uri)) else { continue };
        let stays = |reason: &str| format!("image {number} stays external: {reason}");
        match found.as_ref().map(|bytes| (bytes, media_type(bytes))) {
            Ok((bytes, Some(media_type))) => {
                let view = draft.view(bytes, false);
                image.retain(|name| name != "uri");
                image.set("bufferView", view.to_string());
                image.set("mimeType", format!("\"{media_type}\""));
                *text = Cow::Owned(image.into_text());
            }
            Ok(_) => draft.losses.push(stays("glTF does not support its format")),
            Err(reason) => draft.losses.push(stays(reason)),
        }
    }
    Ok(())
}
