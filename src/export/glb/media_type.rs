//! Image types that glTF and its extensions allow.

pub(super) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], usize, &str); 4] = [
        (b"\x89PNG", 0, "image/png"),
        (b"\xFF\xD8\xFF", 0, "image/jpeg"),
        (b"WEBP", 8, "image/webp"),
        (b"\xABKTX 20\xBB", 0, "image/ktx2"),
    ];
    let is_it = |(start, at, _): &(&[u8], usize, &str)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(start));
    kinds.into_iter().find(is_it).map(|(_, _, name)| name)
}
