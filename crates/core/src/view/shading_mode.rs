use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

crate::named_enum! {
    /// Shading mode of the skin without an overlay.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum ShadingMode {
        /// The file's materials, lit by an environment.
        #[default]
        Textured = "Textured", "The file's materials and textures in the light of an environment";
        /// One warm neutral material, best for judging shape.
        Clay = "Clay", "One warm neutral material instead of the file's";
        /// Normals as colours.
        Normals = "Normals", "Directions of the normals: red along X, green along Y, blue along Z";
        /// Checker pattern in texture space.
        UvChecker = "UV checker",
            "Checker by texture coordinates, eight squares per side: red grows along U, green along V";
        /// Grey matcap, which depends only on the view-space normal.
        Matcap = "Matcap", "Shading by the view-space normal only; shows dents and seams";
        /// Unlit base colours.
        Flat = "Flat", "Base colours without light";
    }
}
