use super::{Overlay, ShadingMode, Side, View};

/// Shading mode or overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// Shading mode without an overlay.
    Mode(ShadingMode),
    /// Overlay instead of a shading mode.
    Overlay(Overlay),
}

impl Shading {
    /// Returns all shadings in menu order.
    pub fn all() -> impl Iterator<Item = Self> {
        ShadingMode::ALL.map(Self::Mode).into_iter().chain(Overlay::ALL.map(Self::Overlay))
    }

    /// Returns the name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mode(mode) => mode.name(),
            Self::Overlay(overlay) => overlay.title(),
        }
    }

    /// Describes the shading, without a final period.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Mode(mode) => mode.hint(),
            Self::Overlay(overlay) => overlay.spec().hint.trim_end_matches('.'),
        }
    }
}

impl View {
    /// Returns the shading of side A, or of B if only B has an overlay.
    pub fn shading(&self) -> Shading {
        let shown = self.overlay(Side::A).or(self.overlay(Side::B).filter(|_| self.is_comparing()));
        match shown {
            Some(overlay) => Shading::Overlay(overlay),
            None => Shading::Mode(self.shading_mode()),
        }
    }

    /// Switches clay shading on or off: that of the comparison, if there is one.
    pub fn toggle_clay(&mut self) {
        if self.is_comparing() {
            self.compare.is_clay ^= true;
        } else {
            let is_clay = self.display.shading == ShadingMode::Clay;
            self.display.shading = if is_clay { ShadingMode::Textured } else { ShadingMode::Clay };
        }
    }

    /// Sets the shading of both sides.
    pub fn shade(&mut self, shading: Shading) {
        let overlay = if let Shading::Overlay(overlay) = shading { Some(overlay) } else { None };
        for side in self.sides.iter_mut() {
            side.paint(overlay);
        }
        // An overlay covers any shading mode, so keep the mode.
        let Shading::Mode(mode) = shading else { return };
        if self.is_comparing() {
            self.compare.is_clay = mode == ShadingMode::Clay;
        }
        if self.shading_mode() != mode {
            self.display.shading = mode;
        }
    }
}
