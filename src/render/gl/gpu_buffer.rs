//! Vertex arrays whose buffers are filled slice by slice, which three-d's own cannot.

use three_d::context::{
    ARRAY_BUFFER, Buffer, ELEMENT_ARRAY_BUFFER, MAP_READ_BIT, STATIC_DRAW, STREAM_DRAW, VertexArray,
};
use three_d::{Context, HasContext};

use super::convert::int;
use crate::render::RenderError;

/// Memory on the graphics card for vertices or their numbers.
pub struct GpuBuffer {
    context: Context,
    id: Buffer,
    bytes: usize,
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
            let id = context.create_buffer().map_err(RenderError::Drawing)?;
            context.bind_buffer(ARRAY_BUFFER, Some(id));
            context.buffer_data_size(ARRAY_BUFFER, size, STATIC_DRAW);
            context.bind_buffer(ARRAY_BUFFER, None);
            Ok(Self { context: context.clone(), id, bytes })
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

impl GpuBuffer {
    /// Replaces all of it, without waiting for draws that still read what was there.
    ///
    /// *Shapes*: as many bytes as it has room for.
    #[expect(unsafe_code, reason = "three-d reads its own kinds of data only")]
    pub fn replace(&self, bytes: &[u8]) {
        debug_assert_eq!(bytes.len(), self.bytes, "a buffer keeps its size");
        // SAFETY: gives the buffer new storage with these bytes.
        unsafe {
            self.context.bind_buffer(ARRAY_BUFFER, Some(self.id));
            self.context.buffer_data_u8_slice(ARRAY_BUFFER, bytes, STREAM_DRAW);
            self.context.bind_buffer(ARRAY_BUFFER, None);
        }
    }

    /// All that is in it; nothing where the driver does not let it be read.
    #[expect(unsafe_code, reason = "three-d cannot read buffers")]
    pub fn read(&self) -> Vec<u8> {
        // SAFETY: the mapped range is as long as the buffer, and is unmapped before anything else is done with it.
        unsafe {
            self.context.bind_buffer(ARRAY_BUFFER, Some(self.id));
            let mapped = self.context.map_buffer_range(ARRAY_BUFFER, 0, int(self.bytes), MAP_READ_BIT);
            let bytes =
                if mapped.is_null() { Vec::new() } else { std::slice::from_raw_parts(mapped, self.bytes).to_vec() };
            self.context.unmap_buffer(ARRAY_BUFFER);
            self.context.bind_buffer(ARRAY_BUFFER, None);
            bytes
        }
    }

    pub fn id(&self) -> Buffer {
        self.id
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
pub struct Attribute {
    /// As in `skinning.glsl` and `primitive.vert`.
    pub location: u32,
    pub components: i32,
    /// `FLOAT`, or an integer that stays one.
    pub kind: u32,
}

/// Which buffers the attributes of a shader come from.
pub struct VertexInputs {
    context: Context,
    id: VertexArray,
}

impl VertexInputs {
    /// Elements are packed. The buffers must live as long.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub fn new(context: &Context, buffers: &[(&GpuBuffer, Attribute)]) -> Result<Self, RenderError> {
        // SAFETY: the pointers are offsets into buffers that exist; OpenGL keeps reads within them.
        unsafe {
            let id = context.create_vertex_array().map_err(RenderError::Drawing)?;
            context.bind_vertex_array(Some(id));
            for (buffer, attribute) in buffers {
                let &Attribute { location, components, kind } = attribute;
                context.bind_buffer(ARRAY_BUFFER, Some(buffer.id));
                context.enable_vertex_attrib_array(location);
                if kind == three_d::context::FLOAT {
                    context.vertex_attrib_pointer_f32(location, components, kind, false, 0, 0);
                } else {
                    context.vertex_attrib_pointer_i32(location, components, kind, 0, 0);
                }
            }
            context.bind_vertex_array(None);
            context.bind_buffer(ARRAY_BUFFER, None);
            Ok(Self { context: context.clone(), id })
        }
    }

    /// Makes the next draw read these, by the numbers in `indices` if given.
    #[expect(unsafe_code, reason = "three-d binds attributes by its own buffers only")]
    pub fn bind(&self, indices: Option<&GpuBuffer>) {
        // SAFETY: binds what this type and the buffer own.
        unsafe {
            self.context.bind_vertex_array(Some(self.id));
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
