//! Reads accessors, with type, range and stride checked against the actual bytes. *Source*: glTF 2.0, 3.6.2.

use std::io;

use gltf::json::accessor::{BYTE, ComponentType, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT};
use gltf::json::validation::Checked;

use super::schema::{Accessor, Shape, Sparse, size};
use super::source::GltfSource;
use crate::import::bytes::Bytes;
use crate::import::warning::{Reason, unread};

fn component_type(number: u32) -> Option<ComponentType> {
    Some(match number {
        BYTE => ComponentType::I8,
        UNSIGNED_BYTE => ComponentType::U8,
        SHORT => ComponentType::I16,
        UNSIGNED_SHORT => ComponentType::U16,
        UNSIGNED_INT => ComponentType::U32,
        FLOAT => ComponentType::F32,
        _ => return None,
    })
}

pub(super) fn component_size(number: u32) -> usize {
    component_type(number).map_or(0, |component| component.size())
}

pub(super) fn rows_and_columns(shape: Shape) -> (usize, usize) {
    match shape {
        Shape::Scalar => (1, 1),
        Shape::Vec2 => (2, 1),
        Shape::Vec3 => (3, 1),
        Shape::Vec4 => (4, 1),
        Shape::Mat2 => (2, 2),
        Shape::Mat3 => (3, 3),
        Shape::Mat4 => (4, 4),
    }
}

#[derive(Clone, Copy)]
pub(super) struct ExpectedLayout {
    pub shape: Shape,
    pub count: Option<usize>,
    /// Whether to treat integers as normalized even if the file does not mark them as normalized.
    pub is_fraction: bool,
}

impl ExpectedLayout {
    pub(super) fn any(shape: Shape) -> Self {
        Self { shape, count: None, is_fraction: false }
    }

    pub(super) fn exactly(shape: Shape, count: usize) -> Self {
        Self { shape, count: Some(count), is_fraction: false }
    }

    pub(super) fn fractions(shape: Shape, count: usize) -> Self {
        Self { shape, count: Some(count), is_fraction: true }
    }
}

pub(super) struct ReplacedValues {
    /// Packed values in vertex order.
    pub bytes: Vec<u8>,
    /// Component type, a GL constant.
    pub component: u32,
    pub count: usize,
}

pub(super) trait Number: Copy + Default + bytemuck::Pod {
    const ALLOWED: &'static str;
    fn is_allowed(component: u32) -> bool;
    fn decode(elements: &Elements<'_>, out: &mut [Self]) -> io::Result<()>;
}

/// Elements of an accessor, range-checked against the buffer.
pub(super) struct Elements<'a> {
    bytes: Bytes<'a>,
    stride: usize,
    rows: usize,
    columns: usize,
    component: ComponentType,
    is_normalized: bool,
}

impl Elements<'_> {
    /// Returns the size of a column in bytes, with padding: matrix columns are aligned to four bytes.
    fn column_stride(&self) -> usize {
        let column = self.rows.saturating_mul(self.component.size());
        if self.columns > 1 { column.checked_next_multiple_of(4).unwrap_or(column) } else { column }
    }

    /// Returns the size of an element in bytes, without padding after its last column.
    fn element_size(&self) -> usize {
        let whole = self.columns.saturating_sub(1).saturating_mul(self.column_stride());
        whole.saturating_add(self.rows.saturating_mul(self.component.size()))
    }

    fn packed_size(&self) -> usize {
        self.columns.saturating_mul(self.column_stride())
    }

    fn is_packed(&self, size: usize) -> bool {
        self.stride == self.rows.saturating_mul(self.columns).saturating_mul(size)
    }

    /// Copies elements that need no conversion; reads packed ones directly into `out`.
    fn copy<const SIZE: usize, T: bytemuck::Pod>(
        &self,
        out: &mut [T],
        convert: impl Fn([u8; SIZE]) -> T,
    ) -> io::Result<()> {
        if cfg!(target_endian = "little") && self.is_packed(SIZE) {
            return self.bytes.read_into(bytemuck::cast_slice_mut(out));
        }
        self.decode(out, convert)
    }

    fn decode<const SIZE: usize, T>(&self, out: &mut [T], convert: impl Fn([u8; SIZE]) -> T) -> io::Result<()> {
        let bytes = self.bytes.read()?;
        let column = self.rows.saturating_mul(SIZE);
        if self.is_packed(SIZE) {
            fill(&bytes, out, convert);
            return Ok(());
        }
        let components = self.rows.saturating_mul(self.columns).max(1);
        let elements = bytes.chunks(self.stride.max(1));
        for (element, values) in elements.zip(out.chunks_mut(components)) {
            let element = element.get(..self.element_size()).unwrap_or_default();
            for (bytes, values) in element.chunks(self.column_stride().max(1)).zip(values.chunks_mut(self.rows.max(1)))
            {
                fill(bytes.get(..column).unwrap_or_default(), values, &convert);
            }
        }
        Ok(())
    }
}

fn fill<const SIZE: usize, T>(bytes: &[u8], out: &mut [T], convert: impl Fn([u8; SIZE]) -> T) {
    for (bytes, value) in bytes.as_chunks::<SIZE>().0.iter().zip(out) {
        *value = convert(*bytes);
    }
}

impl Number for f32 {
    const ALLOWED: &'static str = "5120 to 5123 or 5126 (8 or 16-bit integers, floats)";

    fn is_allowed(component: u32) -> bool {
        matches!(component, BYTE..=UNSIGNED_SHORT | FLOAT)
    }

    fn decode(e: &Elements<'_>, out: &mut [Self]) -> io::Result<()> {
        match (e.component, e.is_normalized) {
            (ComponentType::F32, _) => e.copy(out, Self::from_le_bytes),
            (ComponentType::U8, true) => e.decode(out, |[b]: [u8; 1]| Self::from(b) / 255.0),
            (ComponentType::U8, false) => e.decode(out, |[b]: [u8; 1]| Self::from(b)),
            (ComponentType::I8, true) => e.decode(out, |b| (Self::from(i8::from_le_bytes(b)) / 127.0).max(-1.0)),
            (ComponentType::I8, false) => e.decode(out, |b| Self::from(i8::from_le_bytes(b))),
            (ComponentType::U16, true) => e.decode(out, |b| Self::from(u16::from_le_bytes(b)) / 65535.0),
            (ComponentType::U16, false) => e.decode(out, |b| Self::from(u16::from_le_bytes(b))),
            (ComponentType::I16, true) => e.decode(out, |b| (Self::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0)),
            (ComponentType::I16, false) => e.decode(out, |b| Self::from(i16::from_le_bytes(b))),
            (ComponentType::U32, _) => e.decode(out, |b| u32::from_le_bytes(b) as Self),
        }
    }
}

impl Number for u16 {
    const ALLOWED: &'static str = "5121 or 5123 (unsigned 8 or 16-bit integers)";

    fn is_allowed(component: u32) -> bool {
        matches!(component, UNSIGNED_BYTE | UNSIGNED_SHORT)
    }

    fn decode(e: &Elements<'_>, out: &mut [Self]) -> io::Result<()> {
        if e.component == ComponentType::U8 {
            e.decode(out, |[b]: [u8; 1]| Self::from(b))
        } else {
            e.copy(out, Self::from_le_bytes)
        }
    }
}

impl Number for u32 {
    const ALLOWED: &'static str = "5121, 5123 or 5125 (unsigned integers)";

    fn is_allowed(component: u32) -> bool {
        matches!(component, UNSIGNED_BYTE | UNSIGNED_SHORT | UNSIGNED_INT)
    }

    fn decode(e: &Elements<'_>, out: &mut [Self]) -> io::Result<()> {
        match e.component {
            ComponentType::U8 => e.decode(out, |[b]: [u8; 1]| Self::from(b)),
            ComponentType::U16 => e.decode(out, |b| Self::from(u16::from_le_bytes(b))),
            _ => e.copy(out, Self::from_le_bytes),
        }
    }
}

#[derive(Clone, Copy)]
struct StoredElements {
    accessor: usize,
    view: usize,
    offset: usize,
    shape: Shape,
    component: u32,
    count: usize,
    is_normalized: bool,
}

impl GltfSource<'_> {
    pub(super) fn accessor(&self, index: usize) -> Result<&Accessor, Reason> {
        let list = &self.document.accessors;
        let entry =
            list.get(index).ok_or_else(|| format!("accessor {index} does not exist, there are {}", list.len()))?;
        entry.valid().ok_or_else(|| malformed(index))
    }

    /// Reads all elements. `N`: number of components of `expected.shape`.
    pub(super) fn read<const N: usize, T: Number>(
        &self,
        index: usize,
        expected: ExpectedLayout,
    ) -> Result<Vec<[T; N]>, Reason> {
        self.read_or(None, index, expected)
    }

    pub(super) fn read_or<const N: usize, T: Number>(
        &self,
        given: Option<&ReplacedValues>,
        index: usize,
        expected: ExpectedLayout,
    ) -> Result<Vec<[T; N]>, Reason> {
        let accessor = self.accessor(index)?;
        let (component, count) = given.map_or((accessor.component_type, accessor.count), |g| (g.component, g.count));
        check::<T>(accessor.shape, component, count, index, expected)?;
        let stored = StoredElements {
            accessor: index,
            view: 0,
            offset: if given.is_some() { 0 } else { accessor.byte_offset },
            shape: expected.shape,
            component,
            count,
            is_normalized: accessor.normalized || expected.is_fraction,
        };
        // The size of the file's data limits the count of stored elements; two budgets limit implicit zeros.
        let base = match given {
            Some(given) => Some(within(Bytes::Memory(&given.bytes), 0, &stored)?),
            None => accessor.buffer_view.map(|view| self.elements(&StoredElements { view, ..stored })).transpose()?,
        };
        let sparse = accessor.sparse.as_ref().filter(|s| s.count > 0);
        let times = |count: usize, size: usize| (count as u64).saturating_mul(size as u64);
        let bytes = times(count, size_of::<[T; N]>());
        let replaced = sparse.map_or(0, |s| times(s.count.min(count), size_of::<([T; N], u32)>()));
        if self.job.progress.is_cancelled() || !self.charge(bytes.saturating_add(replaced)) {
            let more = "more than the rest of the memory limit for one file";
            return Err(format!("accessor {index} would need {bytes} bytes, {more}"));
        }
        if base.is_none() {
            self.charge_zeros(bytes).map_err(|left| {
                let zeros = format!("accessor {index} needs {bytes} bytes of zeros without data");
                format!("{zeros}, but only {left} are left for a file of this size")
            })?;
        }
        let mut values = vec![[T::default(); N]; count];
        if let Some(elements) = base {
            T::decode(&elements, values.as_flattened_mut()).map_err(unread)?;
            self.job.progress.add_bytes(elements.bytes.len());
        }
        if let Some(sparse) = sparse {
            self.replace(sparse, stored, &mut values)?;
        }
        Ok(values)
    }

    fn replace<const N: usize, T: Number>(
        &self,
        sparse: &Sparse,
        stored: StoredElements,
        values: &mut [[T; N]],
    ) -> Result<(), Reason> {
        let (indices, news, accessor) = (&sparse.indices, &sparse.values, stored.accessor);
        if sparse.count > values.len() {
            let (replaced, count) = (sparse.count, values.len());
            return Err(format!(
                "sparse storage replaces {replaced} elements of accessor {accessor}, which has {count}"
            ));
        }
        if !u32::is_allowed(indices.component_type) {
            return Err(wrong_component(accessor, u32::ALLOWED, indices.component_type));
        }
        let places = self.elements(&StoredElements {
            view: indices.buffer_view,
            offset: indices.byte_offset,
            shape: Shape::Scalar,
            component: indices.component_type,
            count: sparse.count,
            ..stored
        })?;
        let news = self.elements(&StoredElements {
            view: news.buffer_view.value(),
            offset: size(news.byte_offset),
            count: sparse.count,
            ..stored
        })?;
        let (mut at, mut new) = (vec![0_u32; sparse.count], vec![[T::default(); N]; sparse.count]);
        u32::decode(&places, &mut at).map_err(unread)?;
        T::decode(&news, new.as_flattened_mut()).map_err(unread)?;
        let count = values.len();
        for (at, new) in at.into_iter().zip(new) {
            let reason = || format!("sparse storage replaces element {at} of accessor {accessor}, which has {count}");
            *values.get_mut(at as usize).ok_or_else(reason)? = new;
        }
        Ok(())
    }

    fn elements(&self, stored: &StoredElements) -> Result<Elements<'_>, Reason> {
        let (bytes, stride) = self.view(stored.view)?;
        within(bytes, stride, stored)
    }
}

/// Returns the elements within the bytes of a view. Stride 0 means packed elements. *Errors*: an element is out of
/// range or larger than the stride.
fn within<'a>(bytes: Bytes<'a>, stride: usize, stored: &StoredElements) -> Result<Elements<'a>, Reason> {
    let &StoredElements { accessor, view, offset, .. } = stored;
    let component = component_type(stored.component).ok_or_else(|| malformed(accessor))?;
    let (rows, columns) = rows_and_columns(stored.shape);
    let is_normalized = stored.is_normalized;
    let mut elements = Elements { bytes, stride, rows, columns, component, is_normalized };
    let element = elements.element_size();
    if stride == 0 {
        elements.stride = elements.packed_size();
    } else if stride < element {
        let element = format!("an element of accessor {accessor} takes {element}");
        return Err(format!("buffer view {view} has a stride of {stride} bytes, but {element}"));
    }
    let before_last = stored.count.saturating_sub(1).saturating_mul(elements.stride);
    let end = offset.saturating_add(before_last).saturating_add(element);
    let reason = || format!("accessor {accessor} ends at byte {end} of buffer view {view}, which has {}", bytes.len());
    elements.bytes = bytes.get(offset..end).ok_or_else(reason)?;
    Ok(elements)
}

fn malformed(accessor: usize) -> Reason {
    format!("accessor {accessor} is malformed")
}

fn wrong_component(accessor: usize, expected: &str, actual: u32) -> Reason {
    format!("accessor {accessor} has component type {actual}, expected {expected}")
}

fn check<T: Number>(
    shape: Checked<Shape>,
    component: u32,
    count: usize,
    accessor: usize,
    expected: ExpectedLayout,
) -> Result<(), Reason> {
    match shape {
        Checked::Invalid => return Err(malformed(accessor)),
        Checked::Valid(actual) if actual != expected.shape => {
            return Err(format!("accessor {accessor} is {actual:?}, expected {:?}", expected.shape));
        }
        Checked::Valid(_) => {}
    }
    if !T::is_allowed(component) {
        return Err(wrong_component(accessor, T::ALLOWED, component));
    }
    if let Some(expected) = expected.count.filter(|c| *c != count) {
        return Err(format!("accessor {accessor} has {count} elements, expected {expected}"));
    }
    if count == 0 {
        return Err(format!("accessor {accessor} has no elements"));
    }
    Ok(())
}
