const SIGNS: &[(&[u8], &str)] = &[
    (b"Kaydara FBX Binary", "an FBX file"),
    (b"; FBX", "an FBX text file"),
    (b"BLENDER", "a Blender file"),
    (b"PXR-USDC", "a USD file"),
    (b"#usda", "a USD text file"),
    (b"ply", "a PLY file"),
    (b"solid ", "an STL file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\xabKTX 20", "a KTX2 image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"DDS ", "a DDS image"),
    (b"%PDF", "a PDF document"),
    (b"<!DOCTYPE html", "a web page"),
    (b"<html", "a web page"),
    (b"version https://git-lfs", "a Git LFS pointer (run \"git lfs pull\" to get the file itself)"),
    (b"mtllib", "an OBJ file"),
    (b"v ", "an OBJ file"),
    (b"# ", "an OBJ or another text file"),
    (b"HIERARCHY", "a BVH motion file"),
    (b"xof ", "a DirectX .x file"),
    (b"VRMA", "a VRM animation"),
];

/// Guesses the format of an unsupported file. Returns a noun with its article, such as `a WebP image`.
pub(super) fn describe(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    if bytes.is_empty() {
        return "an empty file";
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return "a WebP image";
    }
    if text.starts_with(b"<?xml") {
        let head = text.get(..1000).unwrap_or(text);
        let is_collada = head.windows(8).any(|w| w == b"<COLLADA");
        return if is_collada { "a Collada file" } else { "an XML file" };
    }
    if let Some((_, name)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return name;
    }
    let head = bytes.get(..512).unwrap_or(bytes);
    if head.contains(&0) || std::str::from_utf8(head).is_err_and(|e| e.error_len().is_some()) {
        "a binary file of an unknown kind"
    } else {
        "a text file of an unknown kind"
    }
}

/// Returns whether a file may be a TGA, judging by its header, since the format has no signature.
pub(super) fn is_tga(bytes: &[u8]) -> bool {
    let Some(
        &[_, has_map, kind, _, _, _, _, map_bits, _, _, _, _, width, width_high, height, height_high, bits, flags],
    ) = bytes.first_chunk::<18>()
    else {
        return false;
    };
    let is_sized = (width | width_high) > 0 && (height | height_high) > 0;
    let has_depth =
        matches!(bits, 8 | 15 | 16 | 24 | 32) && matches!((has_map, map_bits), (0, 0) | (1, 15 | 16 | 24 | 32));
    is_sized && has_depth && matches!(kind, 1..=3 | 9..=11) && flags & 0xC0 == 0
}

pub(super) fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs.github.com/spec/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_file_formats_are_named() {
        for (bytes, expected) in [
            (&b""[..], "an empty file"),
            (b"Kaydara FBX Binary  \0", "an FBX file"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "a WebP image"),
            (b"<?xml version=\"1.0\"?><COLLADA>", "a Collada file"),
            (b"<?xml version=\"1.0\"?><svg>", "an XML file"),
            (b"\x01\x02\x00\xff", "a binary file of an unknown kind"),
            (b"hello", "a text file of an unknown kind"),
        ] {
            assert_eq!(describe(bytes), expected);
        }
        let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0];
        assert!(is_tga(&tga) && !is_tga(&tga[..17]));
        tga[16] = 7;
        assert!(!is_tga(&tga) && !is_tga(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04") && !is_tga(&[0; 18]));
        assert!(is_lfs_pointer(b"version https://git-lfs.github.com/spec/v1\noid"));
    }
}
