//! Shading of the skin: a look, or values painted on it.

use super::{Look, Overlay, View};

/// Surface of the skin: a look, or values painted on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// The file's materials, or one for all.
    Look(Look),
    /// Values painted on the vertices.
    Painted(Overlay),
}

impl Shading {
    /// All shadings, in the order of the menu.
    pub fn all() -> impl Iterator<Item = Self> {
        Look::ALL.map(Self::Look).into_iter().chain(Overlay::ALL.map(Self::Painted))
    }

    /// Name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Look(look) => look.name(),
            Self::Painted(overlay) => overlay.title(),
        }
    }

    /// What the shading shows, in a sentence without its end.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Look(look) => look.hint(),
            Self::Painted(overlay) => overlay.spec().hint.trim_end_matches('.'),
        }
    }
}

impl View {
    /// Shading of side A, or of B where only that is painted.
    pub fn shading(&self) -> Shading {
        let shown = self.sides.a.overlay.or(self.sides.b.overlay.filter(|_| self.is_comparing()));
        match shown {
            Some(overlay) => Shading::Painted(overlay),
            None => Shading::Look(self.look()),
        }
    }

    /// Sets the shading of all sides.
    pub fn shade(&mut self, shading: Shading) {
        let overlay = if let Shading::Painted(overlay) = shading { Some(overlay) } else { None };
        for side in self.sides.iter_mut() {
            side.paint(overlay);
        }
        // What is painted is painted over any look.
        let Shading::Look(look) = shading else { return };
        if self.is_comparing() {
            self.compare.is_clay = look == Look::Clay;
        }
        if self.look() != look {
            self.display.look = look;
        }
    }
}
