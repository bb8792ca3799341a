//! Decodes mode `TRIANGLES`, which refers to recent edges and vertices, and mode `INDICES`, which stores differences.

use super::bytes::{take, take_byte};

/// Ring buffer of the 16 newest items.
struct Recent<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(nothing: T) -> Self {
        Self { items: [nothing; 16], next: 0 }
    }

    fn push(&mut self, item: T) {
        if let Some(slot) = self.items.get_mut(self.next) {
            *slot = item;
        }
        self.next = self.next.wrapping_add(1) & 15;
    }

    /// Returns the item `back` steps before the newest.
    fn get(&self, back: u8) -> Option<T> {
        let at = self.next.wrapping_sub(1).wrapping_sub(usize::from(back)) & 15;
        self.items.get(at).copied()
    }
}

/// Decodes a triangle list of `count` vertex indices; `None` if the bitstream is invalid.
pub(super) fn triangles(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    const TABLE: usize = 16;
    let body = bytes.strip_prefix(&[0xE1])?;
    let (mut data, table) = body.split_at_checked(body.len().checked_sub(TABLE)?)?;
    let codes = take(&mut data, count.checked_div(3)?)?;
    // The initial entries are invalid indices, so that references to items before the first are detected.
    let (edges, vertices) = (Recent::new([u32::MAX; 2]), Recent::new(u32::MAX));
    let mut decoder = Triangles { data, table, next: 0, last: 0, edges, vertices };
    let mut list = Vec::with_capacity(count);
    for &code in codes {
        list.extend(decoder.triangle(code)?);
    }
    decoder.data.is_empty().then_some(list)
}

struct Triangles<'a> {
    data: &'a [u8],
    table: &'a [u8],
    /// Lowest unused vertex index.
    next: u32,
    /// Last vertex that was encoded as a difference.
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8) -> Option<[u32; 3]> {
        match (code >> 4, code & 15) {
            (15, third) => self.fresh(third),
            (edge, third) => self.beside(edge, third),
        }
    }

    fn beside(&mut self, edge: u8, third: u8) -> Option<[u32; 3]> {
        let [a, b] = self.edges.get(edge)?;
        let c = match third {
            0 => self.unseen(),
            1..=12 => self.vertices.get(third)?,
            _ => {
                self.last = match third {
                    13 => self.last.wrapping_sub(1),
                    14 => self.last.wrapping_add(1),
                    _ => self.differing()?,
                };
                self.last
            }
        };
        if !(1..=12).contains(&third) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Some([a, b, c])
    }

    fn fresh(&mut self, third: u8) -> Option<[u32; 3]> {
        let is_free = third >= 14;
        let pair = if is_free { take_byte(&mut self.data)? } else { *self.table.get(usize::from(third))? };
        if is_free && pair == 0 {
            self.next = 0;
        }
        // Kind 0 is the lowest unused vertex, 15 a vertex encoded as a difference (never in the table), any other a
        // recent vertex.
        let kinds = [if third == 15 { 15 } else { 0 }, pair >> 4, pair & 15];
        let mut corners = [0; 3];
        for (corner, kind) in corners.iter_mut().zip(kinds) {
            *corner = match kind {
                0 => self.unseen(),
                15 if is_free => {
                    self.last = self.differing()?;
                    self.last
                }
                _ => self.vertices.get(kind.wrapping_sub(1))?,
            };
        }
        for (&corner, kind) in corners.iter().zip(kinds) {
            if kind == 0 || (kind == 15 && is_free) {
                self.vertices.push(corner);
            }
        }
        let [a, b, c] = corners;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Some(corners)
    }

    fn unseen(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn differing(&mut self) -> Option<u32> {
        Some(self.last.wrapping_add(signed(varint(&mut self.data)?)))
    }
}

/// Decodes `count` vertex indices, each stored as the difference from one of two predecessors.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    const TAIL: usize = 4;
    let body = bytes.strip_prefix(&[0xD1])?;
    let (mut data, _) = body.split_at_checked(body.len().checked_sub(TAIL)?)?;
    if data.len() < count {
        return None;
    }
    let mut last = [0_u32; 2];
    let mut list = Vec::with_capacity(count);
    for _ in 0..count {
        let value = varint(&mut data)?;
        let last = last.get_mut((value & 1) as usize)?;
        *last = last.wrapping_add(signed(value >> 1));
        list.push(*last);
    }
    data.is_empty().then_some(list)
}

/// Reads an LEB128 number: seven bits per byte, lowest first.
fn varint(data: &mut &[u8]) -> Option<u32> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = take_byte(data)?;
        value |= u32::from(byte & 0x7F).wrapping_shl(shift);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Decodes a zigzag-coded number, whose lowest bit is the sign.
fn signed(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
