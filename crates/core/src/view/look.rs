use serde::{Deserialize, Deserializer, Serialize};

crate::named_enum! {
    /// Shading mode of the skin without an overlay.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ShadingMode {
        /// The file's materials, lit by an environment.
        #[default]
        Textured = "Textured", "The file's materials and textures in the light of an environment";
        /// One warm neutral material, best for judging shape.
        Clay = "Clay", "One warm neutral material instead of the file's";
        /// Normals as colours.
        Normals = "Normals", "Directions of the normals: red along X, green along Y, blue along Z";
        /// Checker by texture coordinates.
        UvChecker = "UV checker",
            "Checker by texture coordinates, eight squares per side: red grows along U, green along V";
        /// Grey matcap, by the view-space normal only.
        Matcap = "Matcap", "Shading by the view-space normal only; shows dents and seams";
        /// Unlit base colours.
        Flat = "Flat", "Base colours without light";
    }
}

/// Deserializes a shading mode, or the boolean `clay` of older files.
pub(super) fn look_or_clay<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ShadingMode, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Look(ShadingMode),
        IsClay(bool),
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::Look(look) => look,
        Written::IsClay(true) => ShadingMode::Clay,
        Written::IsClay(false) => ShadingMode::Textured,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Display;
    use super::*;

    #[test]
    fn what_earlier_versions_wrote_is_read() {
        let look = |json: &str| serde_json::from_str::<Display>(json).unwrap().look;
        assert_eq!(
            [r#"{"clay":true}"#, r#"{"clay":false}"#, "{}"].map(look),
            [ShadingMode::Clay, ShadingMode::Textured, ShadingMode::Textured]
        );
        for look_of in ShadingMode::ALL {
            let written = serde_json::to_string(&Display { look: look_of, ..Display::default() }).unwrap();
            assert_eq!(look(&written), look_of);
        }
    }
}
