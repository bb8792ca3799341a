//! Tiling of images that are too large to render in one pass.

use image::RgbaImage;

use crate::render::Tile;

/// Maximum side length of one render pass, in pixels. All current drivers support it. With four samples per pixel, such
/// a pass takes 0.3 GiB.
const MAX_SIDE: u32 = 4096;
/// Margin around tiles for outlines and wide lines, in pixels. It is a multiple of the outline mask's coarsest texel.
const MARGIN: u32 = 64;
/// Tile size without margins, in pixels. The height is small because a full-width band of tiles is in memory at once.
const TILE: [u32; 2] = [MAX_SIDE - 2 * MARGIN, 960];

pub(super) struct Tiling {
    size: [u32; 2],
    /// Tile size in pixels, even. Tiles in the last row and column may be smaller.
    tile: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    bottom: u32,
    height: u32,
}

impl Tiling {
    /// Creates a tiling. `forced` overrides the tile size, which must be even.
    pub(super) fn new(size: [u32; 2], forced: Option<[u32; 2]>) -> Self {
        let is_small = size[0].max(size[1]) <= MAX_SIDE;
        Self { size, tile: forced.unwrap_or(if is_small { size } else { TILE }) }
    }

    pub(super) fn count(&self) -> usize {
        (0..2).map(|axis| self.size[axis].div_ceil(self.tile[axis]) as usize).product()
    }

    pub(super) fn bands(&self) -> impl Iterator<Item = Band> {
        let [_, height] = self.size;
        let step = self.tile[1];
        (0..height.div_ceil(step))
            .rev()
            .map(move |band| band * step)
            .map(move |bottom| Band { bottom, height: step.min(height - bottom) })
    }

    pub(super) fn tiles(&self, band: Band) -> impl Iterator<Item = ImageTile> {
        let (size, step) = (self.size, self.tile[0]);
        (0..size[0].div_ceil(step)).map(move |tile| tile * step).map(move |left| ImageTile {
            left,
            width: step.min(size[0] - left),
            band,
            of: size,
        })
    }

    pub(super) fn canvas(&self, band: Band) -> RgbaImage {
        RgbaImage::new(self.size[0], band.height)
    }
}

pub(super) struct ImageTile {
    left: u32,
    width: u32,
    band: Band,
    of: [u32; 2],
}

impl ImageTile {
    pub(super) fn with_margin(&self) -> Tile {
        let origin = [self.left, self.band.bottom].map(|low| low.saturating_sub(MARGIN));
        let end = [self.left + self.width, self.band.bottom + self.band.height];
        let size = [0, 1].map(|axis| (end[axis] + MARGIN).min(self.of[axis]) - origin[axis]);
        Tile { origin, size }
    }

    pub(super) fn copy_into(&self, drawn: &RgbaImage, rows: &mut RgbaImage) {
        let Tile { origin: [left, bottom], size: [_, height] } = self.with_margin();
        let top = bottom + height - self.band.bottom - self.band.height;
        let row_of =
            |picture: &RgbaImage, left: u32, y: u32| 4 * (y as usize * picture.width() as usize + left as usize);
        for y in 0..self.band.height {
            let (from, to) = (row_of(drawn, self.left - left, top + y), row_of(rows, self.left, y));
            let bytes = 4 * self.width as usize;
            rows.as_mut()[to..to + bytes].copy_from_slice(&drawn.as_raw()[from..from + bytes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_in_one_tile_and_drawn_with_what_is_around_it() {
        for (size, forced) in
            [([300, 200], Some([64, 48])), ([1, 1], None), ([130, 96], Some([130, 32])), ([9000, 5000], None)]
        {
            let tiling = Tiling::new(size, forced);
            let (mut rows, mut count) = (0, 0);
            for band in tiling.bands() {
                rows += band.height;
                let mut left = 0;
                for tile in tiling.tiles(band) {
                    assert_eq!(tile.left, left);
                    left += tile.width;
                    count += 1;
                    let drawn = tile.with_margin();
                    assert!(drawn.origin.iter().all(|pixels| pixels % 2 == 0), "{drawn:?}");
                    assert!(drawn.size.iter().all(|&pixels| pixels <= MAX_SIDE), "{drawn:?}");
                    let is_at_border = drawn.origin[0] == 0 || drawn.origin[0] + MARGIN == tile.left;
                    assert!(is_at_border && drawn.origin[0] + drawn.size[0] <= size[0]);
                }
                assert_eq!(left, size[0]);
            }
            assert_eq!((rows, count), (size[1], tiling.count()));
        }
    }
}
