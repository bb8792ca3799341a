//! Shared buffers for many small meshes: drivers take a kilobyte for each buffer and more for each vertex array, whatever their size.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use three_d::context::VertexArray;
use three_d::{Context, HasContext};

use super::gpu_buffer::{Attribute, DriverBuffer, GpuBuffer, VertexInputs};
use crate::render::RenderError;

/// Largest array that shares a buffer, bytes.
const SMALL: usize = 1 << 12;
/// Size of a shared buffer, bytes.
const SHARED: usize = 1 << 20;
/// Alignment of arrays in a shared buffer, bytes; suits every kind of element.
const ALIGNMENT: usize = 16;

/// Most vertex inputs with a vertex array of their own, which takes fewer calls to draw from but some kilobytes in the driver.
const MAX_OWN: usize = 4096;

/// Makes buffers and vertex inputs with similar lifetimes. Small buffers are parts of larger ones, and beyond many inputs those with equal attributes share
/// a vertex array.
///
/// Inputs and outputs of a program must not come from the same one: OpenGL does not let them share a buffer.
pub(crate) struct VertexRoom {
    context: Context,
    shared: RefCell<Option<Shared>>,
    /// Number of inputs made so far.
    inputs: Cell<usize>,
    /// Shared layouts, by a bit set of their attributes.
    layouts: RefCell<BTreeMap<u32, Arc<VertexLayout>>>,
}

/// A buffer being filled with small arrays.
struct Shared {
    buffer: Arc<DriverBuffer>,
    used: usize,
}

impl VertexRoom {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            shared: RefCell::default(),
            inputs: Cell::default(),
            layouts: RefCell::default(),
        }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// An uninitialised buffer or part of one with this many bytes.
    ///
    /// *Errors*: more than the driver can count.
    pub(crate) fn buffer(&self, what: &'static str, bytes: usize) -> Result<GpuBuffer, RenderError> {
        if bytes > SMALL {
            return GpuBuffer::new(&self.context, what, bytes);
        }
        let mut shared = self.shared.borrow_mut();
        let known = shared.take().filter(|known| known.used + bytes <= known.buffer.bytes());
        let Shared { buffer, used } = match known {
            Some(known) => known,
            None => Shared { buffer: Arc::new(DriverBuffer::new(&self.context, what, SHARED)?), used: 0 },
        };
        let part = GpuBuffer::part(&buffer, used, bytes);
        *shared = Some(Shared { buffer, used: (used + bytes).next_multiple_of(ALIGNMENT) });
        Ok(part)
    }

    /// Inputs of packed elements from buffers, which must outlive them.
    ///
    /// *Errors*: a driver that cannot create more vertex arrays.
    pub(crate) fn inputs(&self, buffers: &[(&GpuBuffer, Attribute)]) -> Result<VertexInputs, RenderError> {
        let locations = buffers.iter().map(|(_, attribute)| attribute.location);
        let attributes = locations.fold(0, |bits, location| bits | 1 << location);
        if self.inputs.replace(self.inputs.get() + 1) < MAX_OWN {
            return Ok(VertexInputs::new(VertexLayout::new(&self.context, attributes)?, buffers));
        }
        let mut layouts = self.layouts.borrow_mut();
        let layout = match layouts.get(&attributes) {
            Some(known) => Arc::clone(known),
            None => Arc::new(VertexLayout::new(&self.context, attributes)?),
        };
        layouts.insert(attributes, Arc::clone(&layout));
        Ok(VertexInputs::sharing(layout, buffers))
    }
}

/// A vertex array that reads a set of attributes from buffers.
pub(super) struct VertexLayout {
    context: Context,
    id: VertexArray,
}

impl VertexLayout {
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    fn new(context: &Context, attributes: u32) -> Result<Self, RenderError> {
        // SAFETY: nothing is read before pointers are set.
        unsafe {
            let id = context.create_vertex_array().map_err(RenderError::Drawing)?;
            context.bind_vertex_array(Some(id));
            (0..u32::BITS)
                .filter(|location| attributes >> location & 1 == 1)
                .for_each(|location| context.enable_vertex_attrib_array(location));
            context.bind_vertex_array(None);
            Ok(Self { context: context.clone(), id })
        }
    }

    /// Binds the layout, to set its pointers and to draw.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub(super) fn bind(&self) -> &Context {
        // SAFETY: binds what this type owns.
        unsafe { self.context.bind_vertex_array(Some(self.id)) };
        &self.context
    }

    /// Unbinds the layout, so that its pointers are not changed by accident.
    #[expect(unsafe_code, reason = "three-d unbinds only what it has bound")]
    pub(super) fn unbind(&self) {
        // SAFETY: nothing is bound afterwards.
        unsafe { self.context.bind_vertex_array(None) };
    }
}

impl Drop for VertexLayout {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows this vertex array.
        unsafe { self.context.delete_vertex_array(self.id) };
    }
}
