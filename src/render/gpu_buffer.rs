//! Vertex arrays whose buffers are filled slice by slice, which three-d's own cannot.

use three_d::context::{ARRAY_BUFFER, Buffer, ELEMENT_ARRAY_BUFFER, STATIC_DRAW, VertexArray};
use three_d::{Context, CoreError, HasContext};

use super::RenderError;
use super::convert::int;

/// Memory on the graphics card for vertices or their numbers.
pub(super) struct GpuBuffer {
    context: Context,
    id: Buffer,
}

impl GpuBuffer {
    /// Room for so many bytes, not yet filled.
    ///
    /// *Errors*: more than the driver can count.
    #[expect(unsafe_code, reason = "three-d sizes a buffer only by filling it")]
    pub fn new(context: &Context, what: &'static str, bytes: usize) -> Result<Self, RenderError> {
        let limit = i32::MAX as usize;
        let size = i32::try_from(bytes).map_err(|_large| RenderError::TooLarge { what, wanted: bytes, limit })?;
        // SAFETY: creates a buffer and gives it storage without data.
        unsafe {
            let id = context.create_buffer().map_err(|e| RenderError::Drawing(CoreError::ContextError(e)))?;
            context.bind_buffer(ARRAY_BUFFER, Some(id));
            context.buffer_data_size(ARRAY_BUFFER, size, STATIC_DRAW);
            context.bind_buffer(ARRAY_BUFFER, None);
            Ok(Self { context: context.clone(), id })
        }
    }

    /// Fills a part of it.
    #[expect(unsafe_code, reason = "three-d counts the vertices wrongly here")]
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        // SAFETY: OpenGL checks the range against the storage and reports an error beyond it.
        unsafe {
            self.context.bind_buffer(ARRAY_BUFFER, Some(self.id));
            self.context.buffer_sub_data_u8_slice(ARRAY_BUFFER, int(offset), bytes);
            self.context.bind_buffer(ARRAY_BUFFER, None);
        }
    }
}

impl Drop for GpuBuffer {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows this buffer.
        unsafe { self.context.delete_buffer(self.id) };
    }
}

/// How a shader reads an element of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    /// As in `skinning.glsl` and `primitive.vert`.
    pub location: u32,
    pub components: i32,
    /// `FLOAT`, or an integer that stays one.
    pub kind: u32,
}

/// Which buffers the attributes of a shader come from.
pub(super) struct VertexInputs {
    context: Context,
    id: VertexArray,
    locations: Vec<u32>,
}

impl VertexInputs {
    /// Elements are packed. The buffers must live as long.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub fn new(context: &Context, buffers: &[(&GpuBuffer, Attribute)]) -> Result<Self, RenderError> {
        // SAFETY: the pointers are offsets into buffers that exist; OpenGL keeps reads within them.
        unsafe {
            let id = context.create_vertex_array().map_err(|e| RenderError::Drawing(CoreError::ContextError(e)))?;
            context.bind_vertex_array(Some(id));
            for (buffer, attribute) in buffers {
                let &Attribute { location, components, kind } = attribute;
                context.bind_buffer(ARRAY_BUFFER, Some(buffer.id));
                if kind == three_d::context::FLOAT {
                    context.vertex_attrib_pointer_f32(location, components, kind, false, 0, 0);
                } else {
                    context.vertex_attrib_pointer_i32(location, components, kind, 0, 0);
                }
            }
            context.bind_vertex_array(None);
            context.bind_buffer(ARRAY_BUFFER, None);
            let locations = buffers.iter().map(|(_, a)| a.location).collect();
            Ok(Self { context: context.clone(), id, locations })
        }
    }

    /// Makes the next draw read these, by the numbers in `indices` if given. three-d's end of a draw switches the attributes off again.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub fn bind(&self, indices: Option<&GpuBuffer>) {
        // SAFETY: binds what this type and the buffer own.
        unsafe {
            self.context.bind_vertex_array(Some(self.id));
            for &location in &self.locations {
                self.context.enable_vertex_attrib_array(location);
            }
            self.context.bind_buffer(ELEMENT_ARRAY_BUFFER, indices.map(|i| i.id));
        }
    }
}

impl Drop for VertexInputs {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows this vertex array.
        unsafe { self.context.delete_vertex_array(self.id) };
    }
}
