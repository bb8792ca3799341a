//! Room for the vertices of many small meshes: the driver takes a kilobyte for each buffer and more for each vertex array, whatever is in them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use three_d::context::VertexArray;
use three_d::{Context, HasContext};

use super::gpu_buffer::{Attribute, DriverBuffer, GpuBuffer, VertexInputs};
use crate::render::RenderError;

/// Arrays of up to so many bytes share buffers.
const SMALL: usize = 1 << 12;
/// Bytes of a shared buffer.
const SHARED: usize = 1 << 20;
/// Bytes from one array in a shared buffer to the next are a multiple of this, as every kind of element takes.
const ALIGNMENT: usize = 16;

/// Vertex inputs that have a vertex array of their own: it takes fewer calls to draw from, and the driver keeps some kilobytes for each.
const MOST_OWN: usize = 4096;

/// Makes buffers and vertex inputs that live about as long as each other. Small buffers are parts of larger ones, and of very many inputs those with the same
/// attributes have one vertex array.
///
/// What a program reads and what it writes must not come from the same one: OpenGL does not let them share a buffer.
pub(crate) struct VertexRoom {
    context: Context,
    shared: RefCell<Option<Shared>>,
    /// Number of inputs that were made.
    inputs: Cell<usize>,
    /// Layouts that inputs share, by the attributes that they have, a bit each.
    layouts: RefCell<BTreeMap<u32, Arc<VertexLayout>>>,
}

/// A buffer that is filled with small arrays.
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

    /// Room for so many bytes, not yet filled.
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

    /// Inputs of packed elements from buffers that live as long.
    ///
    /// *Errors*: a driver that makes no more vertex arrays.
    pub(crate) fn inputs(&self, buffers: &[(&GpuBuffer, Attribute)]) -> Result<VertexInputs, RenderError> {
        let locations = buffers.iter().map(|(_, attribute)| attribute.location);
        let attributes = locations.fold(0, |bits, location| bits | 1 << location);
        if self.inputs.replace(self.inputs.get() + 1) < MOST_OWN {
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

/// A vertex array in which some attributes are read from buffers.
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

    /// Binds the layout: pointers are set in it, and draws read by it.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub(super) fn bind(&self) -> &Context {
        // SAFETY: binds what this type owns.
        unsafe { self.context.bind_vertex_array(Some(self.id)) };
        &self.context
    }

    /// Keeps its pointers from being changed by accident.
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
