//! From the bytes of a `.glb` or `.gltf` to its JSON and binary chunk.
//!
//! The `gltf` crate's reader of the same is not used: it subtracts without a check from a length that the header gives, refuses files with
//! chunks of other kinds, which glTF lets a reader pass over, and does not tell where a chunk breaks off.

use super::schema::Document;
use super::sniff::describe;
use super::{GlbFault, ImportError};

/// The two parts of a file.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    pub blob: Option<&'a [u8]>,
    /// Bytes behind the end that the header gives.
    pub trailing: usize,
}

const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Splits by content, not by name.
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, ImportError> {
    if bytes.starts_with(b"glTF") {
        return Ok(split_glb(bytes)?);
    }
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if json.trim_ascii_start().first() == Some(&b'{') {
        return Ok(Container { json, blob: None, trailing: 0 });
    }
    Err(ImportError::NotGltf { found: describe(bytes) })
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, GlbFault> {
    let header = GlbFault::Header { actual: bytes.len() };
    let version = u32_at(bytes, 4).ok_or_else(|| header.clone())?;
    if version != 2 {
        return Err(GlbFault::Version { found: version });
    }
    let expected = u32_at(bytes, 8).ok_or(header)? as usize;
    let whole = bytes.get(..expected).ok_or(GlbFault::Length { expected, actual: bytes.len() })?;
    let Chunk { data: json, mut next, .. } = chunk_at(whole, 12)?.filter(|c| c.kind == JSON).ok_or(GlbFault::NoJson)?;
    let mut blob = None;
    while let Some(chunk) = chunk_at(whole, next)? {
        // Chunks of other kinds are for extensions and may be passed over.
        if chunk.kind == BIN && blob.is_none() {
            blob = Some(chunk.data);
        }
        next = chunk.next;
    }
    // Some writers pad with zeros instead of spaces.
    let end = json.iter().rposition(|&b| b != 0).map_or(0, |last| last.saturating_add(1));
    let json = json.get(..end).unwrap_or(json);
    Ok(Container { json, blob, trailing: bytes.len().saturating_sub(expected) })
}

struct Chunk<'a> {
    kind: u32,
    data: &'a [u8],
    /// Where the next one starts.
    next: usize,
}

/// `None` at the end of the file.
fn chunk_at(bytes: &[u8], offset: usize) -> Result<Option<Chunk<'_>>, GlbFault> {
    let rest = bytes.get(offset..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(None);
    }
    let cut = GlbFault::Chunk { offset, expected: 8, actual: rest.len() };
    let (Some(length), Some(kind), Some(rest)) = (u32_at(rest, 0), u32_at(rest, 4), rest.get(8..)) else {
        return Err(cut);
    };
    let length = length as usize;
    let data = rest.get(..length).ok_or(GlbFault::Chunk { offset, expected: length, actual: rest.len() })?;
    let padded = length.checked_next_multiple_of(4).unwrap_or(length);
    Ok(Some(Chunk { kind, data, next: offset.saturating_add(8).saturating_add(padded) }))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Parses the JSON and checks that it is glTF 2.
#[expect(clippy::naive_bytecount, reason = "once per file, and fast enough")]
pub(super) fn parse(json: &[u8]) -> Result<Document, ImportError> {
    // An object of two characters takes up to 900 bytes in memory (a material), a number up to 64 (in an extension): count before, parse
    // after, so that neither takes much more than a gigabyte.
    for (sign, what, limit) in [(b'{', "objects", 1_000_000), (b',', "values", 20_000_000)] {
        let count = json.iter().filter(|&&b| b == sign).count();
        if count > limit {
            return Err(ImportError::TooManyValues { what, count, limit });
        }
    }
    let document: Document = serde_json::from_slice(json).map_err(|e| ImportError::Json {
        line: e.line(),
        column: e.column(),
        reason: reason(&e),
    })?;
    let Some(asset) = &document.asset else {
        return Err(ImportError::NotGltf { found: "a JSON file without the \"asset\" that glTF requires" });
    };
    let needed = asset.min_version.as_deref().filter(|v| *v != "2.0");
    match needed {
        Some(version) => Err(ImportError::Version { found: super::warning::short(version) }),
        None if asset.version.split('.').next() == Some("2") => Ok(document),
        None => Err(ImportError::Version { found: super::warning::short(&asset.version) }),
    }
}

/// The parser's words without the position, which the error tells itself.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    super::warning::short(text.get(..end).unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        match split(bytes) {
            Err(ImportError::Glb(fault)) => fault,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn whole_files_are_split() {
        let bytes = glb(2, None, &[(JSON, b"{}\0\0"), (7, b"skip"), (BIN, b"data")]);
        let container = split(&bytes).unwrap();
        assert_eq!((container.json, container.blob, container.trailing), (&b"{}"[..], Some(&b"data"[..]), 0));
        let longer = [&bytes[..], b"xyz"].concat();
        assert_eq!(split(&longer).unwrap().trailing, 3);
        assert_eq!(split(b"\xEF\xBB\xBF {}").unwrap().json, b" {}");
    }

    #[test]
    fn broken_containers_are_told_apart() {
        assert_eq!(fault(b"glTF\x02\0"), GlbFault::Header { actual: 6 });
        assert_eq!(fault(b"glTF\x02\0\0\0\x0c"), GlbFault::Header { actual: 9 });
        assert_eq!(fault(&glb(1, None, &[])), GlbFault::Version { found: 1 });
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
        assert!(matches!(split(b"\x89PNG"), Err(ImportError::NotGltf { found: "a PNG image" })));
        assert!(matches!(parse(b"{}"), Err(ImportError::NotGltf { .. })));
        assert!(matches!(parse(br#"{"asset":{"version":"1.0"}}"#), Err(ImportError::Version { .. })));
        assert!(matches!(
            parse(br#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#),
            Err(ImportError::Version { .. })
        ));
        assert!(parse(br#"{"asset":{"version":"2.1"}}"#).is_ok());
        assert!(matches!(parse(b"{\n\"asset\": 3}"), Err(ImportError::Json { line: 2, .. })));
        let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(100_000));
        assert!(matches!(parse(deep.as_bytes()), Err(ImportError::Json { .. })));
        let many = "{".repeat(1_000_001);
        assert!(matches!(parse(many.as_bytes()), Err(ImportError::TooManyValues { count: 1_000_001, .. })));
    }
}
