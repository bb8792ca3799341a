//! Vertex arrays and buffers with partial uploads, which three-d doesn't support.

use std::sync::Arc;

use three_d::context::{
    ARRAY_BUFFER, Buffer, ELEMENT_ARRAY_BUFFER, MAP_READ_BIT, SHADER_STORAGE_BUFFER, STATIC_DRAW, STREAM_DRAW,
};
use three_d::{Context, HasContext};

use super::convert::int;
use super::vertex_pool::VertexLayout;
use crate::render::RenderError;

pub(super) struct DriverBuffer {
    context: Context,
    id: Buffer,
    bytes: usize,
}

impl DriverBuffer {
    #[expect(unsafe_code, reason = "three-d sizes a buffer only by filling it")]
    pub(super) fn new(context: &Context, what: &'static str, bytes: usize) -> Result<Self, RenderError> {
        let limit = i32::MAX as usize;
        let size = i32::try_from(bytes).map_err(|_large| RenderError::TooLarge { what, wanted: bytes, limit })?;
        // SAFETY: creates a buffer and gives it storage without data.
        unsafe {
            let id = context.create_buffer().map_err(RenderError::Drawing)?;
            context.bind_buffer(ARRAY_BUFFER, Some(id));
            context.buffer_data_size(ARRAY_BUFFER, size, STATIC_DRAW);
            context.bind_buffer(ARRAY_BUFFER, None);
            Ok(Self { context: context.clone(), id, bytes })
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for DriverBuffer {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to this buffer.
        unsafe { self.context.delete_buffer(self.id) };
    }
}

/// Vertices or indices on the graphics card, in a whole buffer object or a range of a shared one.
pub(crate) struct GpuBuffer {
    of: Arc<DriverBuffer>,
    start: usize,
    bytes: usize,
}

impl GpuBuffer {
    pub(crate) fn new(context: &Context, what: &'static str, bytes: usize) -> Result<Self, RenderError> {
        Ok(Self { of: Arc::new(DriverBuffer::new(context, what, bytes)?), start: 0, bytes })
    }

    pub(super) fn part(of: &Arc<DriverBuffer>, start: usize, bytes: usize) -> Self {
        Self { of: Arc::clone(of), start, bytes }
    }

    #[expect(unsafe_code, reason = "three-d counts the vertices wrongly here")]
    pub(crate) fn write(&self, offset: usize, bytes: &[u8]) {
        debug_assert!(offset + bytes.len() <= self.bytes, "what lies behind it belongs to another array");
        let context = &self.of.context;
        // SAFETY: OpenGL checks the range against the storage and reports an error beyond it.
        unsafe {
            context.bind_buffer(ARRAY_BUFFER, Some(self.of.id));
            context.buffer_sub_data_u8_slice(ARRAY_BUFFER, int(self.start + offset), bytes);
            context.bind_buffer(ARRAY_BUFFER, None);
        }
    }

    /// Replaces all bytes. If the buffer object isn't shared, this doesn't wait for draws that still read the old
    /// bytes.
    #[expect(unsafe_code, reason = "three-d reads its own kinds of data only")]
    pub(crate) fn replace(&self, bytes: &[u8]) {
        debug_assert_eq!(bytes.len(), self.bytes, "a buffer keeps its size");
        if self.bytes < self.of.bytes {
            return self.write(0, bytes);
        }
        let context = &self.of.context;
        // SAFETY: gives the buffer new storage with these bytes.
        unsafe {
            context.bind_buffer(ARRAY_BUFFER, Some(self.of.id));
            context.buffer_data_u8_slice(ARRAY_BUFFER, bytes, STREAM_DRAW);
            context.bind_buffer(ARRAY_BUFFER, None);
        }
    }

    /// Reads all bytes; empty if the driver doesn't allow mapping.
    #[expect(unsafe_code, reason = "three-d cannot read buffers")]
    pub(crate) fn read(&self) -> Vec<u8> {
        let context = &self.of.context;
        // SAFETY: the mapped range is exactly what is read, and it is unmapped before any other use.
        unsafe {
            context.bind_buffer(ARRAY_BUFFER, Some(self.of.id));
            let mapped = context.map_buffer_range(ARRAY_BUFFER, int(self.start), int(self.bytes), MAP_READ_BIT);
            let bytes =
                if mapped.is_null() { Vec::new() } else { std::slice::from_raw_parts(mapped, self.bytes).to_vec() };
            context.unmap_buffer(ARRAY_BUFFER);
            context.bind_buffer(ARRAY_BUFFER, None);
            bytes
        }
    }

    #[expect(unsafe_code, reason = "three-d has no transform feedback")]
    pub(crate) fn bind_as_output(&self, index: u32) {
        const OUTPUTS: u32 = three_d::context::TRANSFORM_FEEDBACK_BUFFER;
        // SAFETY: the range lies within the buffer.
        unsafe {
            self.of.context.bind_buffer_range(OUTPUTS, index, Some(self.of.id), int(self.start), int(self.bytes));
        }
    }

    #[expect(unsafe_code, reason = "three-d has no storage buffers")]
    pub(super) fn bind_as_storage(&self, index: u32) {
        // SAFETY: the buffer is live; an out-of-range shader access can only change other arrays of this program.
        unsafe { self.of.context.bind_buffer_base(SHADER_STORAGE_BUFFER, index, Some(self.of.id)) };
    }

    pub(super) fn whole_bytes(&self) -> usize {
        self.of.bytes
    }

    pub(crate) fn start(&self) -> i32 {
        int(self.start)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    /// Location in `skinning.glsl` or `primitive.vert`.
    pub location: u32,
    pub components: i32,
    /// `FLOAT`, or the integer type that the shader reads.
    pub kind: u32,
}

pub(crate) struct VertexInputs {
    layout: Arc<VertexLayout>,
    /// Buffers and offsets to set on each bind; empty unless several inputs share the layout.
    sources: Box<[InputSource]>,
}

struct InputSource {
    attribute: Attribute,
    buffer: Buffer,
    start: i32,
}

impl VertexInputs {
    /// Creates inputs from buffers with tightly packed elements. The buffers must outlive the inputs.
    pub(super) fn new(layout: VertexLayout, buffers: &[(&GpuBuffer, Attribute)]) -> Self {
        let inputs = Self::sharing(Arc::new(layout), buffers);
        inputs.bind(None);
        inputs.layout.unbind();
        Self { sources: Box::default(), ..inputs }
    }

    pub(super) fn sharing(layout: Arc<VertexLayout>, buffers: &[(&GpuBuffer, Attribute)]) -> Self {
        let source = |(buffer, attribute): &(&GpuBuffer, Attribute)| InputSource {
            attribute: *attribute,
            buffer: buffer.of.id,
            start: buffer.start(),
        };
        Self { layout, sources: buffers.iter().map(source).collect() }
    }

    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub(crate) fn bind(&self, indices: Option<&GpuBuffer>) {
        let context = self.layout.bind();
        // SAFETY: the pointers are offsets into live buffers, and OpenGL bounds the reads.
        unsafe {
            for InputSource { attribute, buffer, start } in &self.sources {
                let &Attribute { location, components, kind } = attribute;
                context.bind_buffer(ARRAY_BUFFER, Some(*buffer));
                if kind == three_d::context::FLOAT {
                    context.vertex_attrib_pointer_f32(location, components, kind, false, 0, *start);
                } else {
                    context.vertex_attrib_pointer_i32(location, components, kind, 0, *start);
                }
            }
            if !self.sources.is_empty() {
                context.bind_buffer(ARRAY_BUFFER, None);
            }
            context.bind_buffer(ELEMENT_ARRAY_BUFFER, indices.map(|i| i.of.id));
        }
    }
}
