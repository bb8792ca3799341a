use super::{Overlay, ShadingMode, Side, View};

/// Shading mode or overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// Shading mode without an overlay.
    Look(ShadingMode),
    /// Overlay instead of a shading mode.
    Painted(Overlay),
}

impl Shading {
    /// Returns all shadings in menu order.
    pub fn all() -> impl Iterator<Item = Self> {
        ShadingMode::ALL.map(Self::Look).into_iter().chain(Overlay::ALL.map(Self::Painted))
    }

    /// Returns the name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Look(look) => look.name(),
            Self::Painted(overlay) => overlay.title(),
        }
    }

    /// Describes the shading, without a final period.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Look(look) => look.hint(),
            Self::Painted(overlay) => overlay.spec().hint.trim_end_matches('.'),
        }
    }
}

impl View {
    /// Returns the shading of side A, or of B if only B has an overlay.
    pub fn shading(&self) -> Shading {
        let shown = self.overlay(Side::A).or(self.overlay(Side::B).filter(|_| self.is_comparing()));
        match shown {
            Some(overlay) => Shading::Painted(overlay),
            None => Shading::Look(self.look()),
        }
    }

    /// Sets the shading of both sides.
    pub fn shade(&mut self, shading: Shading) {
        let overlay = if let Shading::Painted(overlay) = shading { Some(overlay) } else { None };
        for side in self.sides.iter_mut() {
            side.paint(overlay);
        }
        // An overlay covers any shading mode, so keep the mode.
        let Shading::Look(look) = shading else { return };
        if self.is_comparing() {
            self.compare.is_clay = look == ShadingMode::Clay;
        }
        if self.look() != look {
            self.display.look = look;
        }
    }
}
