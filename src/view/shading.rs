//! What the skin is drawn in: the file's materials, clay, or values painted on it.

use super::{Overlay, View};

/// What the skin is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// The file's materials.
    Material,
    /// One warm neutral material, in which shapes are read best.
    Clay,
    /// Values on the vertices.
    Painted(Overlay),
}

impl Shading {
    /// Every shading, in the order of the menu.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Material, Self::Clay].into_iter().chain(Overlay::ALL.map(Self::Painted))
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Clay => "Clay",
            Self::Painted(overlay) => overlay.title(),
        }
    }

    /// What it shows, in a sentence without its end.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Material => "The file's materials and textures",
            Self::Clay => "One warm neutral material instead of the file's",
            Self::Painted(overlay) => overlay.spec().hint.trim_end_matches('.'),
        }
    }
}

impl View {
    /// What the skin is drawn in: on side A, or on B where only that is painted.
    pub fn shading(&self) -> Shading {
        let shown = self.sides.a.overlay.or(self.sides.b.overlay.filter(|_| self.is_comparing()));
        match shown {
            Some(overlay) => Shading::Painted(overlay),
            None if self.is_clay() => Shading::Clay,
            None => Shading::Material,
        }
    }

    /// Draws the skin of all sides in something else.
    pub fn shade(&mut self, shading: Shading) {
        let overlay = if let Shading::Painted(overlay) = shading { Some(overlay) } else { None };
        for side in self.sides.iter_mut() {
            side.paint(overlay);
        }
        // What is painted is painted over either.
        let is_clay = match shading {
            Shading::Painted(_) => return,
            Shading::Clay => true,
            Shading::Material => false,
        };
        if self.is_comparing() {
            self.compare.is_clay = is_clay;
        } else {
            self.display.clay = is_clay;
        }
    }
}
