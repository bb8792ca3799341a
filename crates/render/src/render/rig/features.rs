use std::fmt::Write as _;

use rigscope_core::rig::{Influences, Primitive};

/// Set of compile-time shader features of a primitive. Each set has its own program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Features(u16);

macro_rules! features {
    ($($(#[$about:meta])* $name:ident;)*) => {
        impl Features {
            $($(#[$about])* pub(crate) const $name: Self = Self(1 << Bit::$name as u16);)*
            const NAMES: &[(Self, &str)] = &[$((Self::$name, stringify!($name))),*];
        }

        #[expect(clippy::upper_case_acronyms, non_camel_case_types, reason = "as in the shaders")]
        enum Bit { $($name),* }
    };
}

features! {
    NORMALS;
    TANGENTS;
    TEX_COORDS;
    SECOND_TEX_COORDS;
    COLORS;
    SKINNED;
    MORE_INFLUENCES;
    MORPHED;
    DQ_WEIGHTS;
    /// Each vertex has an inside-out flag.
    SIDES;
    /// Normals recomputed from the posed triangles replace the skinned normals.
    RECOMPUTED;
    /// The shader transforms all vertices by one matrix. Without this feature, vertices are in world space.
    PLACED;
    OVERLAID;
    HOVERED;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawOptions {
    /// True if influences apply; see `skinning::deform`.
    pub is_skinned: bool,
    pub has_normal_texture: bool,
}

impl Features {
    const OF_SKINNING: Self = Self(Self::NORMALS.0 | Self::TANGENTS.0 | Self::INFLUENCES.0 | Self::MORPHED.0);
    const INFLUENCES: Self = Self(Self::SKINNED.0 | Self::MORE_INFLUENCES.0);
    const OF_DRAWING: Self =
        Self(Self::NORMALS.0 | Self::TANGENTS.0 | Self::TEX_COORDS.0 | Self::SECOND_TEX_COORDS.0 | Self::COLORS.0);

    /// Returns the features of a primitive. Includes tangents only where a normal texture needs them.
    pub(crate) fn for_primitive(
        primitive: &Primitive,
        DrawOptions { is_skinned, has_normal_texture }: DrawOptions,
    ) -> Self {
        let per_vertex = if is_skinned { primitive.influences.as_ref().map_or(0, Influences::per_vertex) } else { 0 };
        Self(0)
            .with(Self::NORMALS, primitive.normals.is_some())
            .with(Self::TANGENTS, has_normal_texture && primitive.drawn_tangents().is_some())
            .with(Self::TEX_COORDS, primitive.tex_coords.is_some())
            .with(Self::SECOND_TEX_COORDS, primitive.second_tex_coords.is_some())
            .with(Self::COLORS, primitive.colors.is_some())
            .with(Self::SKINNED, per_vertex > 0)
            .with(Self::MORE_INFLUENCES, per_vertex > 4)
            .with(Self::MORPHED, !primitive.morph_targets.is_empty())
            .with(Self::DQ_WEIGHTS, per_vertex > 0 && !primitive.dq_weights.is_empty())
    }

    #[must_use]
    pub(crate) fn with(self, feature: Self, is_on: bool) -> Self {
        if is_on { Self(self.0 | feature.0) } else { self }
    }

    pub(crate) fn has(self, feature: Self) -> bool {
        self.0 & feature.0 != 0
    }

    #[must_use]
    pub(crate) fn for_skinning(self) -> Self {
        Self(self.0 & Self::OF_SKINNING.0)
    }

    #[must_use]
    pub(crate) fn for_drawing(self, reads_influences: bool) -> Self {
        let influences = if reads_influences { Self::INFLUENCES.0 } else { 0 };
        Self(self.0 & (Self::OF_DRAWING.0 | influences))
    }

    pub(crate) fn defines(self) -> String {
        defines(Self::NAMES.iter().map(|&(feature, name)| (name, self.has(feature))))
    }
}

pub(crate) fn defines(switches: impl IntoIterator<Item = (&'static str, bool)>) -> String {
    let names = switches.into_iter().filter_map(|(name, is_on)| is_on.then_some(name));
    names.fold(String::new(), |mut defines, name| {
        _ = writeln!(defines, "#define {name}");
        defines
    })
}
