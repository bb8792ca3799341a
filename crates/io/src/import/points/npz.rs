//! Several arrays of `NumPy` in a ZIP archive. *Source*: PKWARE APPNOTE 6.3.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

use rigscope_core::rig::{PointFrame, PointGroup};

use super::npy;

pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

const CUT: &str = "the .npz archive is cut short";

/// Names of arrays that are read first.
const NAMES: [&str; 4] = ["points", "positions", "vertices", "arr_0"];

/// Arrays named `n2_p0` are the points of primitive 0 of node 2. Otherwise reads the array with a usual name, or the
/// only one.
///
/// All arrays together are at most `max_bytes` long.
pub(super) fn points(bytes: &[u8], max_bytes: u64) -> Result<Vec<PointFrame>, String> {
    let entries = entries(bytes)?;
    // All arrays share what is left, even if several entries have the same bytes.
    let mut left = max_bytes;
    let primitives: Vec<_> = entries.iter().filter_map(|entry| Some((primitive(&entry.name)?, entry))).collect();
    if !primitives.is_empty() {
        let mut group = |(primitive, entry): &((usize, usize), &ZipEntry<'_>)| {
            let frames = npy::array(&entry.content(&mut left)?)?.frames()?;
            if frames.len() > 1 {
                return Err(format!("the array {} has several frames; write one", entry.name));
            }
            let positions = frames.into_iter().flat_map(|frame| frame.groups).flat_map(|group| group.positions);
            Ok(PointGroup { primitive: Some(*primitive), positions: positions.collect(), normals: None })
        };
        let groups = primitives.iter().map(&mut group).collect::<Result<_, String>>()?;
        return Ok(vec![PointFrame { groups, number: None }]);
    }
    let named = NAMES.iter().find_map(|name| entries.iter().find(|entry| entry.name == *name));
    let only = entries.first().filter(|_| entries.len() == 1);
    let entry = named.or(only).ok_or_else(|| {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        format!("it has the arrays {}; name one of them points", names.join(", "))
    })?;
    npy::array(&entry.content(&mut left)?)?.frames()
}

fn primitive(name: &str) -> Option<(usize, usize)> {
    let (node, primitive) = name.strip_prefix('n')?.split_once("_p")?;
    Some((node.parse().ok()?, primitive.parse().ok()?))
}

struct ZipEntry<'a> {
    name: String,
    is_deflated: bool,
    packed: &'a [u8],
}

impl ZipEntry<'_> {
    /// Returns the bytes, at most `left`, and takes them from it.
    fn content(&self, left: &mut u64) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        let read = if self.is_deflated {
            DeflateDecoder::new(self.packed).take(left.saturating_add(1)).read_to_end(&mut content)
        } else {
            self.packed.take(left.saturating_add(1)).read_to_end(&mut content)
        };
        read.map_err(|problem| format!("the array {} cannot be unpacked: {problem}", self.name))?;
        *left = left
            .checked_sub(content.len() as u64)
            .ok_or_else(|| format!("decoded, the array {} is larger than --memory-limit", self.name))?;
        Ok(content)
    }
}

/// Reads the central directory, which has the sizes even if the entries were written as a stream.
fn entries(bytes: &[u8]) -> Result<Vec<ZipEntry<'_>>, String> {
    const END: &[u8] = b"PK\x05\x06";
    const ENTRY: &[u8] = b"PK\x01\x02";
    let end = bytes.windows(END.len()).rposition(|window| window == END).ok_or(CUT)?;
    let end = bytes.get(end..).ok_or(CUT)?;
    let (count, mut at) = (number::<2>(end, 10)?, number::<4>(end, 16)?);
    let mut entries = Vec::new();
    for _ in 0..count {
        let entry = bytes.get(at..).filter(|entry| entry.starts_with(ENTRY)).ok_or(CUT)?;
        let (method, packed) = (number::<2>(entry, 10)?, number::<4>(entry, 20)?);
        let [name, extra, comment] = [28, 30, 32].map(|offset| number::<2>(entry, offset).unwrap_or(0));
        let start = number::<4>(entry, 42)?;
        let name_end = name.saturating_add(46);
        let text = String::from_utf8_lossy(entry.get(46..name_end).ok_or(CUT)?).into_owned();
        let local = bytes.get(start..).ok_or(CUT)?;
        let data = number::<2>(local, 26)?.saturating_add(number::<2>(local, 28)?).saturating_add(30);
        let packed = local.get(data..data.saturating_add(packed)).ok_or(CUT)?;
        if let Some(name) = text.strip_suffix(".npy") {
            if method != 0 && method != 8 {
                return Err(format!("the array {name} is packed in an unusual way; use numpy.savez"));
            }
            entries.push(ZipEntry { name: name.to_owned(), is_deflated: method == 8, packed });
        }
        at = at.saturating_add(name_end).saturating_add(extra).saturating_add(comment);
    }
    Ok(entries)
}

/// Reads a little-endian number of `N` bytes.
fn number<const N: usize>(bytes: &[u8], offset: usize) -> Result<usize, String> {
    let bytes = bytes.get(offset..).and_then(|bytes| bytes.first_chunk::<N>()).ok_or(CUT)?;
    Ok(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
}
