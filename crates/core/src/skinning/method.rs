use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::spec::{MethodRequirement, MethodSpec};
use super::{bulge, cor, dqs, lbs, mixed, sclerp};
use crate::rig::{AuthoredMethod, Primitive, Rig, Skin};

macro_rules! methods {
    ($($(#[$about:meta])* $method:ident $(($share:ty = $choice:literal))?, $spec:path;)*) => {
        /// Skinning method: how a vertex's joint transforms are blended.
        ///
        /// As text: `lbs`, `dqs`, `blend:WEIGHT` with the DQ blend weight, `weighted-blend`, `cor`, `dqs-compensated`
        /// or `sclerp`, case-insensitive.
        /// ```
        /// use rigscope_core::skinning::Method;
        ///
        /// assert_eq!("dqs".parse(), Ok(Method::Dqs));
        /// assert_eq!("blend:0.25".parse(), Ok(Method::Blend(0.25)));
        /// assert_eq!(Method::Blend(0.25).to_string(), "blend:0.25");
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum Method {
            $($(#[$about])* $method $(($share))?,)*
        }

        impl Method {
            /// All methods in menu order, simplest first.
            pub const CHOICES: [Self; [$(stringify!($method)),*].len()] = [$(Self::$method $(($choice))?),*];

            /// Returns name, colour, requirements and kernel.
            pub fn spec(self) -> &'static MethodSpec {
                match self {
                    $(Self::$method { .. } => &$spec,)*
                }
            }
        }
    };
}

methods! {
    /// Linear blend skinning: weighted mean of matrices.
    #[default]
    Lbs, lbs::SPEC;
    /// Dual quaternion skinning: normalized weighted mean of dual quaternions.
    Dqs, dqs::SPEC;
    /// Interpolates from LBS (0) to DQS (1) with one weight for all vertices: a compromise between collapse and bulge.
    Blend(f32 = 0.5), mixed::SPEC;
    /// LBS and DQS blended by the file's [`crate::rig::Primitive::dq_weights`]; see [`super::default_blend_weight`].
    WeightedBlend, mixed::WEIGHTED_SPEC;
    /// Bulge-compensated DQS: [`super::bulge_free`].
    DqsCompensated, bulge::SPEC;
    /// Rotation of DQS about optimized centres of rotation: [`super::Centers`].
    Cor, cor::SPEC;
    /// Exact mean of the rigid motions, [`super::DualQuat::mean`], which DQS approximates; `ScLERP` for two joints.
    Sclerp, sclerp::SPEC;
}

impl Method {
    /// The two methods that [`Self::Blend`] interpolates between, in the order in which the window cycles through them.
    pub const ALL: [Self; 2] = [Self::Lbs, Self::Dqs];

    /// Returns the method with which this one is compared by default: DQS, or LBS for DQS.
    #[must_use]
    pub fn counterpart(self) -> Self {
        if self == Self::Dqs { Self::Lbs } else { Self::Dqs }
    }

    /// Returns the short name.
    pub fn label(self) -> &'static str {
        self.spec().label
    }

    /// Returns the full name.
    pub fn full_name(self) -> &'static str {
        self.spec().full_name
    }

    /// Describes benefits and drawbacks in one line.
    pub fn tradeoff(self) -> &'static str {
        self.spec().tradeoff
    }

    /// Lists all method names except `blend`, with short explanations, for the command-line help.
    pub fn names_with_glosses() -> String {
        let name = |spec: &MethodSpec| match spec.gloss {
            "" => spec.text.to_owned(),
            gloss => format!("{} ({gloss})", spec.text),
        };
        names(name)
    }

    /// Returns the DQ blend weight, 0 to 1: 0 for LBS, 1 for DQS and its variants; NaN counts as 0. For
    /// [`Self::WeightedBlend`], returns the fallback weight for vertices that have none in the file.
    pub fn dq_blend_weight(self) -> f32 {
        match self {
            Self::Lbs | Self::WeightedBlend => 0.0,
            Self::Blend(share) if share.is_nan() => 0.0,
            Self::Blend(share) => share.clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    /// Returns whether the method uses [`super::Centers`], which take time to compute.
    pub fn needs_centers(self) -> bool {
        self.spec().needs == MethodRequirement::Centers
    }

    /// Returns the other method in [`Self::ALL`]; LBS for methods that are not in this list.
    #[must_use]
    pub fn next(self) -> Self {
        if self == Self::Lbs { Self::Dqs } else { Self::Lbs }
    }
}

impl JsonSchema for Method {
    fn schema_name() -> Cow<'static, str> {
        "Method".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = names(|spec| spec.text.to_owned());
        json_schema!({
            "description": format!("{names}, or blend:WEIGHT from 0 for LBS to 1 for DQS."),
            "type": "string",
            "pattern": format!("^({}|blend:[0-9.]+)$", names.replace(", ", "|")),
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec().text)?;
        if let Self::Blend(_) = self { write!(f, ":{}", self.dq_blend_weight()) } else { Ok(()) }
    }
}

fn names(name: impl Fn(&MethodSpec) -> String) -> String {
    let plain = Method::CHOICES.into_iter().filter(|method| !matches!(method, Method::Blend(_)));
    plain.map(|method| name(method.spec())).collect::<Vec<_>>().join(", ")
}

/// Why a skinning method could not be parsed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseMethodError {
    /// No method has this name.
    #[error(
        "no skinning method is called \"{0}\"; there are {names} and blend:WEIGHT, such as blend:0.5",
        names = names(|spec| spec.text.to_owned())
    )]
    Unknown(String),
    /// `blend` without a weight.
    #[error("blend needs a DQ blend weight from 0 to 1, such as blend:0.5")]
    MissingWeight,
    /// The text after `blend:` is not a number.
    #[error("the DQS fraction in \"blend:{0}\" is not a number. Use a number from 0 to 1, such as blend:0.5")]
    NotANumber(String),
    /// The weight is outside 0 to 1.
    #[error("the DQS fraction in \"blend:{0}\" is not between 0 (LBS) and 1 (DQS)")]
    OutOfRange(String),
}

/// Former method names, still accepted.
const OLD_NAMES: [(&str, &str); 2] = [("dqs-bulge", "dqs-compensated"), ("painted", "weighted-blend")];

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Self, ParseMethodError> {
        let (name, share) = match text.split_once(':') {
            Some((name, share)) => (name, Some(share)),
            None => (text, None),
        };
        let name = OLD_NAMES.into_iter().find(|(old, _)| name.eq_ignore_ascii_case(old)).map_or(name, |(_, new)| new);
        let known = Self::CHOICES.into_iter().find(|method| name.eq_ignore_ascii_case(method.spec().text));
        match (known, share) {
            (Some(Self::Blend(_)), Some(share)) if !share.is_empty() => parse_fraction(share).map(Self::Blend),
            (Some(Self::Blend(_)), _) => Err(ParseMethodError::MissingWeight),
            (Some(method), None) => Ok(method),
            _ => Err(ParseMethodError::Unknown(text.to_owned())),
        }
    }
}

fn parse_fraction(text: &str) -> Result<f32, ParseMethodError> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(_) => Err(ParseMethodError::OutOfRange(text.to_owned())),
        Err(_) => Err(ParseMethodError::NotANumber(text.to_owned())),
    }
}

impl From<Method> for String {
    fn from(method: Method) -> Self {
        method.to_string()
    }
}

impl TryFrom<String> for Method {
    type Error = ParseMethodError;

    fn try_from(text: String) -> Result<Self, ParseMethodError> {
        text.parse()
    }
}

impl Method {
    /// Returns the method that the file declares for its skins; `None` if it declares no method or only linear
    /// skinning. If the skins' methods differ, returns [`Self::WeightedBlend`], which applies each skin's own method.
    /// Rigid skins and blended skins without weights use LBS.
    pub fn authored(rig: &Rig) -> Option<Self> {
        let skinned = || rig.primitives().filter_map(|(instance, part)| Some((part, &rig.skins[instance.skin?])));
        if skinned().all(|(_, skin)| skin.authored == AuthoredMethod::Linear) {
            return None;
        }
        let mut methods = skinned().map(|(primitive, skin)| authored_method(primitive, skin));
        let first = methods.next()?;
        Some(if methods.all(|method| method == first) { first } else { Self::WeightedBlend })
    }
}

fn authored_method(primitive: &Primitive, skin: &Skin) -> Method {
    match skin.authored {
        AuthoredMethod::DualQuaternion => Method::Dqs,
        AuthoredMethod::Blended if !primitive.dq_weights.is_empty() => Method::WeightedBlend,
        AuthoredMethod::Linear | AuthoredMethod::Rigid | AuthoredMethod::Blended => Method::Lbs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_read_as_it_is_written() {
        let mixes = [0.0, 0.1, 1.0].map(Method::Blend);
        for method in Method::CHOICES.into_iter().chain(mixes) {
            assert_eq!(method.to_string().parse(), Ok(method));
            let json = serde_json::to_string(&method).unwrap();
            assert_eq!(json, format!("\"{method}\""));
            assert_eq!(serde_json::from_str::<Method>(&json).unwrap(), method);
        }
        assert_eq!("BLEND:.5".parse(), Ok(Method::Blend(0.5)));
        assert_eq!("Lbs".parse(), Ok(Method::Lbs));
        assert_eq!(["painted", "DQS-bulge"].map(str::parse), [Ok(Method::WeightedBlend), Ok(Method::DqsCompensated)]);
    }

    #[test]
    fn each_method_has_names_of_its_own_and_the_help_has_them_all() {
        let help = Method::names_with_glosses();
        assert_eq!(
            help,
            "lbs, dqs, weighted-blend (lbs and dqs blended by the file's per-vertex weights), dqs-compensated (dqs without its bulge), cor (centres of rotation), sclerp (screw interpolation)"
        );
        for (i, a) in Method::CHOICES.iter().map(|m| m.spec()).enumerate() {
            for b in Method::CHOICES[..i].iter().map(|m| m.spec()) {
                assert!(a.text != b.text && a.label != b.label && a.full_name != b.full_name, "{}", a.text);
            }
        }
    }

    #[test]
    fn unknown_method_is_rejected_with_a_reason() {
        let refused = |text: &str| text.parse::<Method>().unwrap_err();
        let owned = str::to_owned;
        assert_eq!(refused("slerp"), ParseMethodError::Unknown(owned("slerp")));
        assert_eq!(refused(""), ParseMethodError::Unknown(owned("")));
        assert_eq!(refused("lbs:0.5"), ParseMethodError::Unknown(owned("lbs:0.5")));
        assert_eq!(refused("blend"), ParseMethodError::MissingWeight);
        assert_eq!(refused("blend:"), ParseMethodError::MissingWeight);
        assert_eq!(refused("blend:half"), ParseMethodError::NotANumber(owned("half")));
        for text in ["1.01", "-0.1", "nan", "inf"] {
            assert_eq!(refused(&format!("blend:{text}")), ParseMethodError::OutOfRange(owned(text)));
        }
        assert!(serde_json::from_str::<Method>("\"blend:2\"").is_err());
        let names =
            "there are lbs, dqs, weighted-blend, dqs-compensated, cor, sclerp and blend:WEIGHT, such as blend:0.5";
        assert_eq!(refused("slerp").to_string(), format!("no skinning method is called \"slerp\"; {names}"));
    }

    #[test]
    fn blend_weight_is_clamped_to_0_and_1() {
        for (share, is) in [(-1.0, 0.0), (0.3, 0.3), (7.0, 1.0), (f32::NAN, 0.0)] {
            assert_eq!(Method::Blend(share).dq_blend_weight(), is);
        }
        assert_eq!(
            (Method::Lbs.next(), Method::Dqs.next(), Method::Blend(0.5).next()),
            (Method::Dqs, Method::Lbs, Method::Lbs)
        );
    }
}
