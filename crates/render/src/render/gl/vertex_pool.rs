use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use three_d::context::VertexArray;
use three_d::{Context, HasContext};

use super::gpu_buffer::{Attribute, DriverBuffer, GpuBuffer, VertexInputs};
use crate::render::RenderError;

const SMALL: usize = 1 << 12;
const SHARED: usize = 1 << 20;
/// Alignment in a shared buffer, in bytes. It suits every element type.
const ALIGNMENT: usize = 16;

/// Maximum number of inputs with their own vertex array. A vertex array saves calls per draw but costs kilobytes in the
/// driver.
const MAX_OWN: usize = 4096;

/// Allocates buffers and vertex inputs with similar lifetimes. Drivers use a kilobyte or more for even the smallest
/// buffer or vertex array, so small arrays share a buffer. If there are more than [`MAX_OWN`] inputs, inputs with equal
/// attributes share a vertex array. A program's inputs and outputs need different pools, because OpenGL doesn't let
/// them share a buffer.
pub(crate) struct VertexPool {
    context: Context,
    shared: RefCell<Option<SharedBuffer>>,
    inputs: Cell<usize>,
    /// Shared layouts by the bit set of their attribute locations.
    layouts: RefCell<BTreeMap<u32, Arc<VertexLayout>>>,
}

struct SharedBuffer {
    buffer: Arc<DriverBuffer>,
    used: usize,
}

impl VertexPool {
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

    pub(crate) fn buffer(&self, what: &'static str, bytes: usize) -> Result<GpuBuffer, RenderError> {
        if bytes > SMALL {
            return GpuBuffer::new(&self.context, what, bytes);
        }
        let mut shared = self.shared.borrow_mut();
        let known = shared.take().filter(|known| known.used + bytes <= known.buffer.bytes());
        let SharedBuffer { buffer, used } = match known {
            Some(known) => known,
            None => SharedBuffer { buffer: Arc::new(DriverBuffer::new(&self.context, what, SHARED)?), used: 0 },
        };
        let part = GpuBuffer::part(&buffer, used, bytes);
        *shared = Some(SharedBuffer { buffer, used: (used + bytes).next_multiple_of(ALIGNMENT) });
        Ok(part)
    }

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

pub(super) struct VertexLayout {
    context: Context,
    id: VertexArray,
}

impl VertexLayout {
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    fn new(context: &Context, attributes: u32) -> Result<Self, RenderError> {
        // SAFETY: nothing is read before the pointers are set.
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

    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub(super) fn bind(&self) -> &Context {
        // SAFETY: binds an object that this type owns.
        unsafe { self.context.bind_vertex_array(Some(self.id)) };
        &self.context
    }

    #[expect(unsafe_code, reason = "three-d unbinds only what it has bound")]
    pub(super) fn unbind(&self) {
        // SAFETY: nothing stays bound.
        unsafe { self.context.bind_vertex_array(None) };
    }
}

impl Drop for VertexLayout {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to this vertex array.
        unsafe { self.context.delete_vertex_array(self.id) };
    }
}
