use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use three_d::context::{self as names, Query};
use three_d::{Context, HasContext};

use super::driver::is_software_name;

/// Graphics driver and device, with their limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Driver vendor.
    pub vendor: String,
    /// Device name.
    pub renderer: String,
    /// OpenGL and driver version.
    pub version: String,
    /// Shading language version.
    pub shaders: String,
    /// True for a software rasteriser.
    pub is_software: bool,
    /// Limits by OpenGL name, in lower case and without `GL_`.
    pub limits: BTreeMap<&'static str, i64>,
    /// Total and free device memory, bytes, as NVIDIA and AMD drivers report it; `None` if unknown.
    pub memory_bytes: [Option<u64>; 2],
    /// Supported OpenGL extensions.
    pub extensions: BTreeSet<String>,
}

const LIMITS: [(&str, u32); 12] = [
    ("max_texture_size", names::MAX_TEXTURE_SIZE),
    ("max_array_texture_layers", names::MAX_ARRAY_TEXTURE_LAYERS),
    ("max_texture_buffer_size", names::MAX_TEXTURE_BUFFER_SIZE),
    ("max_renderbuffer_size", names::MAX_RENDERBUFFER_SIZE),
    ("max_samples", names::MAX_SAMPLES),
    ("max_color_attachments", names::MAX_COLOR_ATTACHMENTS),
    ("max_vertex_attribs", names::MAX_VERTEX_ATTRIBS),
    ("max_vertex_texture_image_units", names::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
    ("max_texture_image_units", names::MAX_TEXTURE_IMAGE_UNITS),
    ("max_uniform_block_size", names::MAX_UNIFORM_BLOCK_SIZE),
    ("max_vertex_uniform_components", names::MAX_VERTEX_UNIFORM_COMPONENTS),
    ("max_transform_feedback_interleaved_components", names::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS),
];

/// NVIDIA's extension, and its queries for total and free memory in KiB.
const NVIDIA_MEMORY: (&str, [u32; 2]) = ("GL_NVX_gpu_memory_info", [0x9048, 0x9049]);
const AMD_MEMORY: (&str, u32) = ("GL_ATI_meminfo", 0x87FC);

impl Card {
    #[expect(unsafe_code, reason = "three-d exposes none of this")]
    pub(crate) fn new(context: &Context) -> Self {
        // SAFETY: reads strings and numbers that every context has.
        let text = |name| unsafe { context.get_parameter_string(name) };
        // SAFETY: as above; an unknown name returns 0 and sets an error, which is cleared below.
        let number = |name| i64::from(unsafe { context.get_parameter_i32(name) });
        let extensions = context.supported_extensions();
        let kib = |name| u64::try_from(number(name)).ok().map(|kib| kib * 1024);
        let memory_bytes = if extensions.contains(NVIDIA_MEMORY.0) {
            NVIDIA_MEMORY.1.map(kib)
        } else if extensions.contains(AMD_MEMORY.0) {
            [None, kib(AMD_MEMORY.1)]
        } else {
            [None; 2]
        };
        let renderer = text(names::RENDERER);
        let card = Self {
            vendor: text(names::VENDOR),
            is_software: is_software_name(&renderer),
            renderer,
            version: text(names::VERSION),
            shaders: text(names::SHADING_LANGUAGE_VERSION),
            limits: LIMITS.into_iter().map(|(name, limit)| (name, number(limit))).collect(),
            memory_bytes,
            extensions: extensions.iter().cloned().collect(),
        };
        // SAFETY: clears the error flag.
        while unsafe { context.get_error() } != names::NO_ERROR {}
        card
    }
}

pub(crate) struct CardTimer<'a> {
    context: &'a Context,
    query: Query,
}

impl<'a> CardTimer<'a> {
    /// Starts measuring; `None` if the driver has no timer queries (OpenGL ES, OpenGL before 4.5).
    #[expect(unsafe_code, reason = "three-d has no queries")]
    pub(crate) fn start(context: &'a Context) -> Option<Self> {
        let version = context.version();
        if version.is_embedded || (version.major, version.minor) < (4, 5) {
            return None;
        }
        // SAFETY: the query belongs to this context, and no other timer query is open, because none outlives a frame.
        unsafe {
            let query = context.create_query().ok()?;
            context.begin_query(names::TIME_ELAPSED, query);
            Some(Self { context, query })
        }
    }

    #[expect(unsafe_code, reason = "three-d has no queries")]
    pub(crate) fn stop(self) -> Duration {
        // SAFETY: ends and reads the open query.
        unsafe {
            self.context.end_query(names::TIME_ELAPSED);
            let nanos = self.context.get_query_parameter_u64(self.query, names::QUERY_RESULT);
            self.context.delete_query(self.query);
            Duration::from_nanos(nanos)
        }
    }
}
