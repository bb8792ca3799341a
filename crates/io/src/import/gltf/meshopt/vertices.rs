//! Mode `ATTRIBUTES`: byte-wise differences from the previous vertex, in blocks of up to 256 vertices.

use super::bytes::{take, take_byte};

const BLOCK_VERTICES: usize = 256;
const BLOCK_BYTES: usize = 8192;
const GROUP: usize = 16;

/// Decodes `count` vertices of `stride` bytes, a multiple of 4 up to 256; `None` if the bitstream is invalid.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (&header, body) = bytes.split_first()?;
    // Version 1 adds a control byte per four columns to each block, and a channel byte per four columns to the tail.
    let (extra, min_tail) = match header {
        0xA0 => (0, 32),
        0xA1 => (stride.checked_div(4)?, 24),
        _ => return None,
    };
    let tail_length = stride.checked_add(extra)?.max(min_tail);
    let (mut data, mut tail) = body.split_at_checked(body.len().checked_sub(tail_length)?)?;
    let padding = tail_length.checked_sub(stride.checked_add(extra)?)?;
    take(&mut tail, padding)?;
    let (first, channels) = tail.split_at_checked(stride)?;
    let mut previous = first.to_vec();
    let mut decoded = vec![0; count.checked_mul(stride)?];
    let block = BLOCK_BYTES.checked_div(stride)?.checked_div(GROUP)?.checked_mul(GROUP)?.min(BLOCK_VERTICES);
    for block in decoded.chunks_mut(block.checked_mul(stride)?.max(1)) {
        let controls = take(&mut data, extra)?;
        decode_block(&mut data, controls, channels, &mut previous, block)?;
    }
    data.is_empty().then_some(decoded)
}

/// Decodes a block, four columns at a time. `controls` and `channels` select the encoding; `previous` is the last
/// decoded vertex.
fn decode_block(
    data: &mut &[u8],
    controls: &[u8],
    channels: &[u8],
    previous: &mut [u8],
    block: &mut [u8],
) -> Option<()> {
    let stride = previous.len();
    let count = block.len().checked_div(stride)?;
    let mut columns = [[0; BLOCK_VERTICES]; 4];
    for (quad, previous) in previous.as_chunks_mut().0.iter_mut().enumerate() {
        let control = controls.get(quad).copied();
        let controls = control.map_or([None; 4], |c| [c, c >> 2, c >> 4, c >> 6].map(|c| Some(c & 3)));
        for (column, control) in columns.iter_mut().zip(controls) {
            read_column(data, control, column.get_mut(..count)?)?;
        }
        let channel = channels.get(quad).copied().unwrap_or(0);
        let [a, b, c, d] = &columns;
        let deltas = a.iter().zip(b).zip(c).zip(d).map(|(((a, b), c), d)| [*a, *b, *c, *d]);
        for (vertex, delta) in block.chunks_exact_mut(stride).zip(deltas) {
            *previous = following(*previous, delta, channel)?;
            *vertex.as_chunks_mut().0.get_mut(quad)? = *previous;
        }
    }
    Some(())
}

fn following(previous: [u8; 4], delta: [u8; 4], channel: u8) -> Option<[u8; 4]> {
    let ([p0, p1, p2, p3], [d0, d1, d2, d3]) = (previous, delta);
    let byte = |p: u8, d: u8| p.wrapping_add((d >> 1) ^ (d & 1).wrapping_neg());
    let pair = |p: [u8; 2], d: [u8; 2]| {
        let d = u16::from_le_bytes(d);
        u16::from_le_bytes(p).wrapping_add((d >> 1) ^ (d & 1).wrapping_neg()).to_le_bytes()
    };
    Some(match channel & 3 {
        0 => [byte(p0, d0), byte(p1, d1), byte(p2, d2), byte(p3, d3)],
        1 => {
            let ([a, b], [c, d]) = (pair([p0, p1], [d0, d1]), pair([p2, p3], [d2, d3]));
            [a, b, c, d]
        }
        2 => {
            let delta = u32::from_le_bytes(delta).rotate_right(u32::from(channel >> 4));
            (u32::from_le_bytes(previous) ^ delta).to_le_bytes()
        }
        _ => return None,
    })
}

/// Reads one byte per vertex of a block, in groups of 16 with bit widths from a header.
fn read_column(data: &mut &[u8], control: Option<u8>, column: &mut [u8]) -> Option<()> {
    let bits = match control {
        Some(2) => {
            column.fill(0);
            return Some(());
        }
        Some(3) => {
            column.copy_from_slice(take(data, column.len())?);
            return Some(());
        }
        Some(0) => [0, 1, 2, 4],
        Some(_) => [1, 2, 4, 8],
        None => [0, 2, 4, 8],
    };
    let header = take(data, column.len().div_ceil(GROUP).div_ceil(4))?;
    let modes = header.iter().flat_map(|&h| [h, h >> 2, h >> 4, h >> 6].map(|mode| usize::from(mode & 3)));
    for (group, mode) in column.chunks_mut(GROUP).zip(modes) {
        let values = read_group(data, *bits.get(mode)?)?;
        group.copy_from_slice(values.get(..group.len())?);
    }
    Some(())
}

/// Reads a group of `bits`-bit numbers. For widths below 8, the largest value means that the actual byte follows the
/// group.
fn read_group(data: &mut &[u8], bits: u8) -> Option<[u8; GROUP]> {
    let mut values = [0; GROUP];
    match bits {
        0 => {}
        1 => {
            let split = |b: u8| [b, b >> 1, b >> 2, b >> 3, b >> 4, b >> 5, b >> 6, b >> 7].map(|v| v & 1);
            unpack(data, split, 1, &mut values)?;
        }
        2 => unpack(data, |b| [b >> 6, b >> 4, b >> 2, b].map(|v| v & 3), 3, &mut values)?,
        4 => unpack(data, |b| [b >> 4, b & 15], 15, &mut values)?,
        _ => values.copy_from_slice(take(data, GROUP)?),
    }
    Some(values)
}

fn unpack<const N: usize>(
    data: &mut &[u8],
    split: impl Fn(u8) -> [u8; N],
    sentinel: u8,
    values: &mut [u8; GROUP],
) -> Option<()> {
    let (slots, _) = values.as_chunks_mut::<N>();
    let packed = take(data, slots.len())?;
    for (slots, &byte) in slots.iter_mut().zip(packed) {
        for (slot, value) in slots.iter_mut().zip(split(byte)) {
            *slot = if value == sentinel { take_byte(data)? } else { value };
        }
    }
    Some(())
}
