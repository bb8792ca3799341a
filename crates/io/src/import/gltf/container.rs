//! Splits a `.glb` or `.gltf` into its JSON and its binary chunk. The `gltf` crate's reader is not used: its header
//! lengths can underflow, it rejects chunks of unknown kinds, and it does not report where a chunk is truncated.

use std::borrow::Cow;
use std::str::Utf8Error;

use super::schema::GltfDocument;
use crate::import::ImportError;
use crate::import::bytes::Bytes;
use crate::import::error::ReadError;
use crate::import::sniff::describe;
use crate::import::warning::short;

#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: Cow<'a, [u8]>,
    /// Byte offset of the JSON in the file.
    pub json_offset: usize,
    pub blob: Option<Bytes<'a>>,
    /// Number of chunks other than the JSON and the first binary chunk.
    pub further_chunks: usize,
    /// Number of bytes after the end stated in the header.
    pub trailing: usize,
    pub is_binary: bool,
}

const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Returns whether a file with these first bytes may be glTF. White space alone is accepted, since JSON may follow.
pub(super) fn is_gltf(start: &[u8]) -> bool {
    start.starts_with(b"glTF") || matches!(without_mark(start).trim_ascii_start().first(), Some(b'{') | None)
}

/// Strips a UTF-8 byte order mark, which some editors write.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Splits a file according to its content, not its name. Reads only the JSON of a `.glb`. *Errors*: the JSON is larger
/// than half the memory limit, since parsing keeps two copies of its text.
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

fn part(bytes: Bytes<'_>, offset: usize, length: usize) -> Result<Cow<'_, [u8]>, ReadError> {
    let end = offset.saturating_add(length).min(bytes.len());
    bytes.get(offset..end).map_or(Ok(Cow::default()), |b| b.read().map_err(ReadError::System))
}

fn split_glb(bytes: Bytes<'_>, memory_limit: u64) -> Result<Container<'_>, ReadError> {
    let header = || broken(&format!("its header is cut short, {} of 12 bytes are there", bytes.len()));
    let start = bytes.beginning(12)?;
    let version = u32_at(&start, 4).ok_or_else(header)?;
    match version {
        2 => {}
        1 => return Err(too_old("1.0").into()),
        _ => return Err(broken(&format!("its container has version {version}, expected 2")).into()),
    }
    let expected = u32_at(&start, 8).ok_or_else(header)? as usize;
    let whole = bytes
        .get(0..expected)
        .ok_or_else(|| broken(&format!("it is cut short, {} of {expected} bytes are there", bytes.len())))?;
    let first = chunk_at(whole, 12)?.filter(|c| c.kind == JSON);
    let first = first.ok_or_else(|| broken("its first chunk is not JSON"))?;
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

fn chunk_at(bytes: Bytes<'_>, offset: usize) -> Result<Option<GlbChunk<'_>>, ReadError> {
    let left = bytes.len().saturating_sub(offset);
    if left == 0 {
        return Ok(None);
    }
    let cut = |expected: usize, actual: usize| {
        broken(&format!("the chunk at byte {offset} promises {expected} bytes, but {actual} are left"))
    };
    let header = part(bytes, offset, 8)?;
    let (Some(length), Some(kind)) = (u32_at(&header, 0), u32_at(&header, 4)) else {
        return Err(cut(8, left).into());
    };
    let (length, start) = (length as usize, offset.saturating_add(8));
    let actual = left.saturating_sub(8);
    let data = bytes.get(start..start.saturating_add(length));
    let data = data.ok_or_else(|| cut(length, actual))?;
    let padded = length.checked_next_multiple_of(4).unwrap_or(length);
    Ok(Some(GlbChunk { kind, data, start, next: start.saturating_add(padded) }))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Parses the JSON and checks that it is glTF 2. `offset`: byte offset of the JSON in the file.
#[expect(clippy::naive_bytecount, reason = "once per file, and fast enough")]
pub(super) fn parse(json: &[u8], offset: usize) -> Result<GltfDocument, ImportError> {
    // Limits the memory of the parsed document to about a gigabyte. An object of two characters takes up to 900 bytes
    // in memory (a material), and a number up to 64 bytes (in an extension).
    for (sign, what, limit) in [(b'{', "objects", 1_000_000), (b',', "values", 20_000_000)] {
        let count = json.iter().filter(|&&b| b == sign).count();
        if count > limit {
            let message = format!("The glTF JSON has {count} {what}; at most {limit} can be opened.");
            return Err(ImportError::Content(message));
        }
    }
    let json = std::str::from_utf8(json).map_err(|e| not_utf8(offset, e))?;
    let document: GltfDocument = serde_json::from_str(json).map_err(|e| match old_version(json) {
        Some(version) => too_old(&version),
        None => broken_json(&e),
    })?;
    let Some(asset) = &document.asset else {
        return Err(ImportError::UnknownFormat { found: "a JSON file without the \"asset\" that glTF requires" });
    };
    let needed = asset.min_version.as_deref().filter(|v| *v != "2.0");
    match (needed, asset.version.split('.').next()) {
        (Some(version), _) => Err(too_new(version)),
        (None, Some("2")) => Ok(document),
        (None, Some("0" | "1")) => Err(too_old(&asset.version)),
        _ => Err(too_new(&asset.version)),
    }
}

fn broken(reason: &str) -> ImportError {
    ImportError::Content(format!("The binary glTF file is broken: {reason}. Fetch or export it again."))
}

fn broken_json(error: &serde_json::Error) -> ImportError {
    let text = error.to_string();
    let reason = short(text.rfind(" at line ").and_then(|end| text.get(..end)).unwrap_or(&text));
    let (line, column) = (error.line(), error.column());
    let location = format!("line {line}, column {column}");
    ImportError::Content(format!("The glTF JSON is broken at {location}: {reason}. Export the file again."))
}

pub(super) fn not_utf8(start: usize, error: Utf8Error) -> ImportError {
    let offset = start.saturating_add(error.valid_up_to());
    let advice = "Save it as UTF-8, or export the file again";
    ImportError::Content(format!("The glTF JSON is not UTF-8 at byte {offset} of the file. {advice}."))
}

fn too_old(version: &str) -> ImportError {
    let advice = "convert it to 2.0, for example with gltf-pipeline -i OLD.gltf -o NEW.glb, and open that";
    ImportError::Content(format!("glTF {} is not read; {advice}.", short(version)))
}

fn too_new(version: &str) -> ImportError {
    let version = short(version);
    ImportError::Content(format!("The file is glTF {version}, and glTF 2.0 is read. Export it again as 2.0."))
}

/// Returns the version of a document if it is older than glTF 2. Such a document has objects where glTF 2 has arrays.
fn old_version(json: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        asset: OldAsset,
    }
    #[derive(serde::Deserialize)]
    struct OldAsset {
        version: serde_json::Value,
    }
    let version = serde_json::from_str::<Versioned>(json).ok()?.asset.version;
    // Early exporters wrote a number.
    let version = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
    matches!(version.split('.').next(), Some("0" | "1")).then_some(version)
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

    fn error<T>(result: Result<T, ReadError>) -> String {
        match result {
            Err(ReadError::Content(error)) => error.to_string(),
            _ => panic!("a refused file"),
        }
    }

    fn fault(bytes: &[u8]) -> String {
        let error = error(split(Bytes::Memory(bytes), LIMIT));
        let reason = error.strip_prefix("The binary glTF file is broken: ").unwrap();
        reason.strip_suffix(". Fetch or export it again.").unwrap().to_owned()
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
    fn broken_containers_have_distinct_errors() {
        assert_eq!(fault(b"glTF\x02\0"), "its header is cut short, 6 of 12 bytes are there");
        assert_eq!(fault(b"glTF\x02\0\0\0\x0c"), "its header is cut short, 9 of 12 bytes are there");
        assert_eq!(fault(&glb(3, None, &[])), "its container has version 3, expected 2");
        assert_eq!(fault(&glb(2, Some(99), &[])), "it is cut short, 12 of 99 bytes are there");
        assert_eq!(fault(&glb(2, None, &[])), "its first chunk is not JSON");
        assert_eq!(fault(&glb(2, None, &[(BIN, b"data")])), "its first chunk is not JSON");
        let mut long_chunk = glb(2, None, &[(JSON, b"{}  ")]);
        long_chunk[12] = 200;
        assert_eq!(fault(&long_chunk), "the chunk at byte 12 promises 200 bytes, but 4 are left");
        let mut stump = glb(2, Some(23), &[(JSON, b"{}  ")]);
        stump.extend([1, 2, 3]);
        stump[8] = 27;
        assert_eq!(fault(&stump), "the chunk at byte 24 promises 8 bytes, but 3 are left");
    }

    #[test]
    fn files_that_are_not_gltf_2_are_rejected() {
        let png = split(Bytes::Memory(b"\x89PNG"), LIMIT);
        assert!(matches!(png, Err(ReadError::Content(ImportError::UnknownFormat { found: "a PNG image" }))));
        assert!(matches!(parse(b"{}", 0), Err(ImportError::UnknownFormat { .. })));
        let refused = |json: &[u8]| error(parse(json, 0).map_err(ReadError::Content));
        assert!(refused(br#"{"asset":{"version":"3.0"}}"#).starts_with("The file is glTF 3.0, and glTF 2.0 is read"));
        assert!(refused(br#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#).starts_with("The file is glTF 2.1"));
        assert!(parse(br#"{"asset":{"version":"2.1"}}"#, 0).is_ok());
        assert!(refused(b"{\n\"asset\": 3}").starts_with("The glTF JSON is broken at line 2, column "));
        let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(100_000));
        assert!(refused(deep.as_bytes()).starts_with("The glTF JSON is broken at "));
        let many = "{".repeat(1_000_001);
        assert!(refused(many.as_bytes()).starts_with("The glTF JSON has 1000001 objects"));
    }
    #[test]
    fn gltf_1_error_names_the_converter_in_both_containers() {
        let told = |result: Result<(), ImportError>| result.unwrap_err().to_string();
        let of_json = |json: &str| told(parse(json.as_bytes(), 0).map(|_| ()));
        let expected = "glTF 1.0 is not read; convert it to 2.0, for example with gltf-pipeline -i OLD.gltf -o NEW.glb";
        // glTF 1 has objects by name where glTF 2 has arrays.
        let meshes = r#""scene":"main","meshes":{"m":{"primitives":[]}},"nodes":{"n":{"meshes":["m"]}}"#;
        assert!(of_json(&format!(r#"{{"asset":{{"version":"1.0"}},{meshes}}}"#)).starts_with(expected));
        assert!(of_json(r#"{"asset":{"version":"1.0"}}"#).starts_with(expected));
        assert!(of_json(&format!(r#"{{{meshes},"asset":{{"version":0.8}}}}"#)).contains("glTF 0.8"));
        let container = glb(1, None, &[(0, b"{}  ")]);
        assert!(error(split(Bytes::Memory(&container), u64::MAX)).starts_with(expected));
        // A document with other faults is not mistaken for glTF 1.
        let broken = of_json(r#"{"asset":{"version":"2.0"},"meshes":{}}"#);
        assert!(broken.starts_with("The glTF JSON is broken at "), "{broken}");
    }

    #[test]
    fn json_that_is_not_utf_8_is_reported_with_its_byte_offset() {
        let assert_offset = |file: &[u8], offset: usize| {
            let container = split(Bytes::Memory(file), u64::MAX).unwrap();
            let error = error(parse(&container.json, container.json_offset).map_err(ReadError::Content));
            assert!(error.starts_with(&format!("The glTF JSON is not UTF-8 at byte {offset} of the file.")), "{error}");
        };
        let json = b"{\"asset\":{\"version\":\"2.0\"},\"extras\":\"caf\xe9\"}";
        let at = json.iter().position(|&b| b == 0xe9).unwrap();
        assert_offset(json, at);
        assert_offset(&[b"\xEF\xBB\xBF", &json[..]].concat(), at + 3);
        assert_offset(&glb(2, None, &[(JSON, &json[..])]), at + 20);
    }
}
