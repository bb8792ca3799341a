use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use three_d::context::{Fence, SYNC_FLUSH_COMMANDS_BIT, SYNC_GPU_COMMANDS_COMPLETE, UNSIGNED_INT};
use three_d::{Context, HasContext};

use super::convert::int;

/// Maximum indices per draw on a software driver; a multiple of 6, so that no line or triangle is split.
const PIECE: usize = 300_000;

const AHEAD: usize = 2;

/// Maximum time to wait for a batch, in nanoseconds. Drawing continues after this time.
const WAIT_NANOS: i32 = 2_000_000_000;

/// Queue of indexed draws, throttled because a software driver buffers 140 bytes per triangle.
pub(crate) struct DrawQueue<'a> {
    context: &'a Context,
    is_software: bool,
    unfenced: Cell<usize>,
    fences: RefCell<VecDeque<Fence>>,
}

impl<'a> DrawQueue<'a> {
    pub(crate) fn new(context: &'a Context, is_software: bool) -> Self {
        Self { context, is_software, unfenced: Cell::new(0), fences: RefCell::default() }
    }

    /// Draws `count` indices of the bound index buffer, starting at byte `start`.
    ///
    /// # Safety
    /// The buffer must hold that many indices, all valid for the bound vertex buffers.
    #[expect(unsafe_code, reason = "three-d draws triangles by its own programs only")]
    pub(crate) unsafe fn draw(&self, mode: u32, start: i32, count: usize) {
        let max_count = if self.is_software { PIECE } else { usize::MAX };
        for first in (0..count).step_by(max_count) {
            let piece = max_count.min(count - first);
            let start = start + int(first * size_of::<u32>());
            // SAFETY: the range is part of the index range that the caller guarantees.
            unsafe { self.context.draw_elements(mode, int(piece), UNSIGNED_INT, start) };
            if self.is_software {
                self.fence(piece);
            }
        }
    }

    /// Counts drawn indices. After each full batch, waits until the driver has finished earlier batches.
    #[expect(unsafe_code, reason = "three-d has no fences")]
    fn fence(&self, drawn: usize) {
        self.unfenced.update(|before| before + drawn);
        if self.unfenced.get() < PIECE {
            return;
        }
        self.unfenced.set(0);
        let (context, mut fences) = (self.context, self.fences.borrow_mut());
        // SAFETY: each fence belongs to this context and is deleted once.
        unsafe {
            fences.extend(context.fence_sync(SYNC_GPU_COMMANDS_COMPLETE, 0));
            context.flush();
            while fences.len() > AHEAD {
                if let Some(earliest) = fences.pop_front() {
                    context.client_wait_sync(earliest, SYNC_FLUSH_COMMANDS_BIT, WAIT_NANOS);
                    context.delete_sync(earliest);
                }
            }
        }
    }
}

impl Drop for DrawQueue<'_> {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to these fences.
        self.fences.take().into_iter().for_each(|fence| unsafe { self.context.delete_sync(fence) });
    }
}
