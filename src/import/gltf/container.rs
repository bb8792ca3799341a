//! Splits a `.glb` or `.gltf` into JSON and binary chunk.
//!
//! The `gltf` crate's reader is not used: it subtracts unchecked from a length in the header, rejects chunks of
//! unknown kinds, which glTF lets readers skip, and does not report where a chunk is truncated.

use std::borrow::Cow;

use super::schema::GltfDocument;
use crate::import::bytes::Bytes;
use crate::import::error::ReadError;
use crate::import::sniff::describe;
use crate::import::warning::short;
use crate::import::{GlbFault, ImportError};

#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: Cow<'a, [u8]>,
    /// Byte offset of the JSON in the file.
    pub json_offset: usize,
    pub blob: Option<Bytes<'a>>,
    /// Number of chunks other than the JSON and the first binary chunk.
    pub further_chunks: usize,
    /// Bytes after the end stated in the header.
    pub trailing: usize,
    pub is_binary: bool,
}

const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// True if a file that starts with these bytes may be glTF. White space alone counts, since JSON may follow.
pub(super) fn is_gltf(start: &[u8]) -> bool {
    start.starts_with(b"glTF") || matches!(without_mark(start).trim_ascii_start().first(), Some(b'{') | None)
}

/// Strips a UTF-8 byte order mark, which some editors write.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Splits a file according to its content, not its name. Reads only the JSON of a `.glb`. *Errors*: the JSON is
/// larger than half the memory limit: its text is in memory twice during parsing.
pub(super) fn split(bytes: Bytes<'_>, memory_limit: u64) -> Result<Container<'_>, ReadError> {
    if bytes.beginning(4)?.starts_with(b"glTF") {
        return split_glb(bytes, memory_limit);
    }
    let all = read_json(bytes, memory_limit)?;
    let json = without_mark(&all);
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(ImportError::UnknownFormat { found: describe(&all) }.into());
    }
    let mark = all.len().saturating_sub(json.len());
    let json = match all {
        Cow::Borrowed(all) => Cow::Borrowed(all.get(mark..).unwrap_or_default()),
        Cow::Owned(mut all) => Cow::Owned(all.split_off(mark)),
    };
    Ok(Container { json, json_offset: mark, blob: None, further_chunks: 0, trailing: 0, is_binary: false })
}

fn read_json(json: Bytes<'_>, memory_limit: u64) -> Result<Cow<'_, [u8]>, ReadError> {
    let bytes = (json.len() as u64).saturating_mul(2);
    if bytes > memory_limit {
        return Err(ImportError::NoMemoryLeft { bytes, limit: memory_limit }.into());
    }
    json.read().map_err(ReadError::System)
}

/// Reads a range, clamped to the end of the file.
fn part(bytes: Bytes<'_>, offset: usize, length: usize) -> Result<Cow<'_, [u8]>, ReadError> {
    let end = offset.saturating_add(length).min(bytes.len());
    bytes.get(offset..end).map_or(Ok(Cow::default()), |b| b.read().map_err(ReadError::System))
}

fn split_glb(bytes: Bytes<'_>, memory_limit: u64) -> Result<Container<'_>, ReadError> {
    let header = GlbFault::Header { actual: bytes.len() };
    let start = bytes.beginning(12)?;
    let version = u32_at(&start, 4).ok_or_else(|| header.clone())?;
    match version {
        2 => {}
        1 => return Err(ImportError::OldVersion { found: "1.0".to_owned() }.into()),
        _ => return Err(GlbFault::Version { found: version }.into()),
    }
    let expected = u32_at(&start, 8).ok_or(header)? as usize;
    let whole = bytes.get(0..expected).ok_or(GlbFault::Length { expected, actual: bytes.len() })?;
    let first = chunk_at(whole, 12)?.filter(|c| c.kind == JSON).ok_or(GlbFault::NoJson)?;
    let GlbChunk { data: json, start: json_offset, mut next, .. } = first;
    let (mut blob, mut further_chunks) = (None, 0_usize);
    while let Some(chunk) = chunk_at(whole, next)? {
        // Chunks of other kinds belong to extensions and may be skipped.
        if chunk.kind == BIN && blob.is_none() {
            blob = Some(chunk.data);
        } else {
            further_chunks = further_chunks.saturating_add(1);
        }
        next = chunk.next;
    }
    // Some exporters pad with zeros instead of spaces.
    let padded = read_json(json, memory_limit)?;
    let end = padded.iter().rposition(|&b| b != 0).map_or(0, |last| last.saturating_add(1));
    let json = match padded {
        Cow::Borrowed(padded) => Cow::Borrowed(padded.get(..end).unwrap_or(padded)),
        Cow::Owned(mut padded) => {
            padded.truncate(end);
            Cow::Owned(padded)
        }
    };
    let trailing = bytes.len().saturating_sub(expected);
    Ok(Container { json, json_offset, blob, further_chunks, trailing, is_binary: true })
}

struct GlbChunk<'a> {
    kind: u32,
    data: Bytes<'a>,
    start: usize,
    next: usize,
}

/// Returns the chunk at a byte offset; `None` at the end of the file.
fn chunk_at(bytes: Bytes<'_>, offset: usize) -> Result<Option<GlbChunk<'_>>, ReadError> {
    let left = bytes.len().saturating_sub(offset);
    if left == 0 {
        return Ok(None);
    }
    let header = part(bytes, offset, 8)?;
    let (Some(length), Some(kind)) = (u32_at(&header, 0), u32_at(&header, 4)) else {
        return Err(GlbFault::Chunk { offset, expected: 8, actual: left }.into());
    };
    let (length, start) = (length as usize, offset.saturating_add(8));
    let actual = left.saturating_sub(8);
    let data = bytes.get(start..start.saturating_add(length));
    let data = data.ok_or(GlbFault::Chunk { offset, expected: length, actual })?;
    let padded = length.checked_next_multiple_of(4).unwrap_or(length);
    Ok(Some(GlbChunk { kind, data, start, next: start.saturating_add(padded) }))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Parses the JSON and checks that it is glTF 2. `offset`: byte offset of the JSON in the file.
#[expect(clippy::naive_bytecount, reason = "once per file, and fast enough")]
pub(super) fn parse(json: &[u8], offset: usize) -> Result<GltfDocument, ImportError> {
    // A two-character object takes up to 900 bytes in memory (a material), a number up to 64 (in an extension).
    // Values are counted before parsing to stay near a gigabyte.
    for (sign, what, limit) in [(b'{', "objects", 1_000_000), (b',', "values", 20_000_000)] {
        let count = json.iter().filter(|&&b| b == sign).count();
        if count > limit {
            return Err(ImportError::TooManyValues { what, count, limit });
        }
    }
    let json = std::str::from_utf8(json)
        .map_err(|e| ImportError::NotUtf8 { offset: offset.saturating_add(e.valid_up_to()) })?;
    let document: GltfDocument = serde_json::from_str(json).map_err(|e| match old_version(json) {
        Some(found) => ImportError::OldVersion { found },
        None => ImportError::Json { line: e.line(), column: e.column(), reason: reason(&e) },
    })?;
    let Some(asset) = &document.asset else {
        return Err(ImportError::UnknownFormat { found: "a JSON file without the \"asset\" that glTF requires" });
    };
    let needed = asset.min_version.as_deref().filter(|v| *v != "2.0");
    match (needed, asset.version.split('.').next()) {
        (Some(version), _) => Err(ImportError::Version { found: short(version) }),
        (None, Some("2")) => Ok(document),
        (None, Some("0" | "1")) => Err(ImportError::OldVersion { found: short(&asset.version) }),
        _ => Err(ImportError::Version { found: short(&asset.version) }),
    }
}

/// Returns the version of a document older than glTF 2, which has objects instead of arrays.
fn old_version(json: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        asset: Asset,
    }
    #[derive(serde::Deserialize)]
    struct Asset {
        version: serde_json::Value,
    }
    let version = serde_json::from_str::<Versioned>(json).ok()?.asset.version;
    // Early exporters wrote a number.
    let version = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
    matches!(version.split('.').next(), Some("0" | "1")).then(|| short(&version))
}

/// Returns the parser's message without the position, which the error contains already.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    short(text.get(..end).unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1 << 20;

    fn glb(version: u32, length: Option<u32>, chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(kind.to_le_bytes());
            body.extend(*data);
        }
        let length = length.unwrap_or(12 + body.len() as u32);
        [b"glTF", &version.to_le_bytes()[..], &length.to_le_bytes(), &body].concat()
    }

    fn fault(bytes: &[u8]) -> GlbFault {
        match split(Bytes::Memory(bytes), LIMIT) {
            Err(ReadError::Content(ImportError::Glb(fault))) => fault,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_whole_file_is_split_into_json_blob_and_what_trails() {
        let bytes = glb(2, None, &[(JSON, b"{}\0\0"), (7, b"skip"), (BIN, b"data")]);
        let container = split(Bytes::Memory(&bytes), LIMIT).unwrap();
        assert_eq!((&*container.json, container.trailing), (&b"{}"[..], 0));
        assert_eq!(*container.blob.unwrap().read().unwrap(), *b"data");
        let longer = [&bytes[..], b"xyz"].concat();
        assert_eq!(split(Bytes::Memory(&longer), LIMIT).unwrap().trailing, 3);
        assert_eq!(*split(Bytes::Memory(b"\xEF\xBB\xBF {}"), LIMIT).unwrap().json, *b" {}");
    }

    #[test]
    fn broken_containers_are_told_apart() {
        assert_eq!(fault(b"glTF\x02\0"), GlbFault::Header { actual: 6 });
        assert_eq!(fault(b"glTF\x02\0\0\0\x0c"), GlbFault::Header { actual: 9 });
        assert_eq!(fault(&glb(3, None, &[])), GlbFault::Version { found: 3 });
        assert_eq!(fault(&glb(2, Some(99), &[])), GlbFault::Length { expected: 99, actual: 12 });
        assert_eq!(fault(&glb(2, None, &[])), GlbFault::NoJson);
        assert_eq!(fault(&glb(2, None, &[(BIN, b"data")])), GlbFault::NoJson);
        let mut long_chunk = glb(2, None, &[(JSON, b"{}  ")]);
        long_chunk[12] = 200;
        assert_eq!(fault(&long_chunk), GlbFault::Chunk { offset: 12, expected: 200, actual: 4 });
        let mut stump = glb(2, Some(23), &[(JSON, b"{}  ")]);
        stump.extend([1, 2, 3]);
        stump[8] = 27;
        assert_eq!(fault(&stump), GlbFault::Chunk { offset: 24, expected: 8, actual: 3 });
    }

    #[test]
    fn what_is_not_gltf_2_is_refused() {
        let png = split(Bytes::Memory(b"\x89PNG"), LIMIT);
        assert!(matches!(png, Err(ReadError::Content(ImportError::UnknownFormat { found: "a PNG image" }))));
        assert!(matches!(parse(b"{}", 0), Err(ImportError::UnknownFormat { .. })));
        assert!(matches!(parse(br#"{"asset":{"version":"3.0"}}"#, 0), Err(ImportError::Version { .. })));
        assert!(matches!(
            parse(br#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#, 0),
            Err(ImportError::Version { .. })
        ));
        assert!(parse(br#"{"asset":{"version":"2.1"}}"#, 0).is_ok());
        assert!(matches!(parse(b"{\n\"asset\": 3}", 0), Err(ImportError::Json { line: 2, .. })));
        let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(100_000));
        assert!(matches!(parse(deep.as_bytes(), 0), Err(ImportError::Json { .. })));
        let many = "{".repeat(1_000_001);
        assert!(matches!(parse(many.as_bytes(), 0), Err(ImportError::TooManyValues { count: 1_000_001, .. })));
    }
    #[test]
    fn gltf_1_is_told_with_its_converter_in_either_form() {
        let told = |result: Result<(), ImportError>| result.unwrap_err().to_string();
        let of_json = |json: &str| told(parse(json.as_bytes(), 0).map(|_| ()));
        let expected = "glTF 1.0 is not read; convert it to 2.0, for example with gltf-pipeline -i OLD.gltf -o NEW.glb";
        // glTF 1 has objects by name where glTF 2 has arrays.
        let meshes = r#""scene":"main","meshes":{"m":{"primitives":[]}},"nodes":{"n":{"meshes":["m"]}}"#;
        assert!(of_json(&format!(r#"{{"asset":{{"version":"1.0"}},{meshes}}}"#)).starts_with(expected));
        assert!(of_json(r#"{"asset":{"version":"1.0"}}"#).starts_with(expected));
        assert!(of_json(&format!(r#"{{{meshes},"asset":{{"version":0.8}}}}"#)).contains("glTF 0.8"));
        let container = glb(1, None, &[(0, b"{}  ")]);
        assert!(
            matches!(split(Bytes::Memory(&container), u64::MAX), Err(ReadError::Content(e)) if e.to_string().starts_with(expected))
        );
        // A document with other faults is not mistaken for glTF 1.
        let broken = parse(br#"{"asset":{"version":"2.0"},"meshes":{}}"#, 0);
        assert!(matches!(broken, Err(ImportError::Json { .. })));
    }

    #[test]
    fn json_that_is_not_utf_8_is_told_with_its_byte_in_the_file() {
        let offset = |file: &[u8]| {
            let container = split(Bytes::Memory(file), u64::MAX).unwrap();
            match parse(&container.json, container.json_offset) {
                Err(ImportError::NotUtf8 { offset }) => offset,
                _ => panic!("it is not UTF-8"),
            }
        };
        let json = b"{\"asset\":{\"version\":\"2.0\"},\"extras\":\"caf\xe9\"}";
        let at = json.iter().position(|&b| b == 0xe9).unwrap();
        assert_eq!(offset(json), at);
        assert_eq!(offset(&[b"\xEF\xBB\xBF", &json[..]].concat()), at + 3);
        assert_eq!(offset(&glb(2, None, &[(JSON, &json[..])])), at + 20);
        assert!(ImportError::NotUtf8 { offset: 7 }.to_string().contains("byte 7"));
    }
}
