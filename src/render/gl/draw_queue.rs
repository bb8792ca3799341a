//! Draws of triangles, lines and points by their numbers, without a long queue where the driver draws on the processor.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use three_d::context::{Fence, SYNC_FLUSH_COMMANDS_BIT, SYNC_GPU_COMMANDS_COMPLETE, UNSIGNED_INT};
use three_d::{Context, HasContext};

use super::convert::int;

/// Most vertex numbers of one draw by a software driver; a multiple of two and three, so that no line and no triangle is cut.
const PIECE: usize = 300_000;

/// Pieces that may wait behind the one that is being drawn.
const AHEAD: usize = 2;

/// Nanoseconds that a piece may take: two seconds, after which more is drawn all the same.
const WAIT_NANOS: i32 = 2_000_000_000;

/// Consecutive draws of elements. A software driver keeps each triangle in memory until it is drawn, some 140 bytes for one, so it is given a hundred thousand
/// at a time.
pub(crate) struct DrawQueue<'a> {
    context: &'a Context,
    is_software: bool,
    /// Vertex numbers drawn since the last fence.
    unfenced: Cell<usize>,
    fences: RefCell<VecDeque<Fence>>,
}

impl<'a> DrawQueue<'a> {
    /// Starts an empty queue; `is_software` tells whether the driver draws on the processor.
    pub(crate) fn new(context: &'a Context, is_software: bool) -> Self {
        Self { context, is_software, unfenced: Cell::new(0), fences: RefCell::default() }
    }

    /// Draws the elements of `count` vertex numbers of the bound index buffer, from its byte `start` on.
    ///
    /// # Safety
    /// The buffer holds as many numbers there, all valid in the bound vertex buffers.
    #[expect(unsafe_code, reason = "three-d draws triangles by its own programs only")]
    pub(crate) unsafe fn draw(&self, mode: u32, start: i32, count: usize) {
        let most = if self.is_software { PIECE } else { usize::MAX };
        for first in (0..count).step_by(most) {
            let piece = most.min(count - first);
            let start = start + int(first * size_of::<u32>());
            // SAFETY: a part of what the caller answers for.
            unsafe { self.context.draw_elements(mode, int(piece), UNSIGNED_INT, start) };
            if self.is_software {
                self.fence(piece);
            }
        }
    }

    /// Counts numbers as drawn, and waits for earlier pieces once they are enough for one.
    #[expect(unsafe_code, reason = "three-d has no fences")]
    fn fence(&self, drawn: usize) {
        self.unfenced.update(|before| before + drawn);
        if self.unfenced.get() < PIECE {
            return;
        }
        self.unfenced.set(0);
        let (context, mut fences) = (self.context, self.fences.borrow_mut());
        // SAFETY: each fence is of this context, and deleted once.
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
        // SAFETY: nothing else knows these.
        self.fences.take().into_iter().for_each(|fence| unsafe { self.context.delete_sync(fence) });
    }
}
