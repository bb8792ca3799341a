//! Skinning methods: linear, by dual quaternions, a mix of the two, and remedies from research.

use std::fmt;
use std::str::FromStr;

use super::spec::{MethodSpec, Needs};
use super::{bulge, cor, dqs, lbs, mixed, painted, sclerp};

macro_rules! methods {
    ($($(#[$about:meta])* $method:ident $(($share:ty = $choice:literal))?, $spec:path;)*) => {
        /// How the transforms of a vertex's joints are blended.
        ///
        /// As text, on the command line and in files: `lbs`, `dqs`, `blend:SHARE` with the DQS share, `painted`, `cor`, `dqs-bulge` or `sclerp`, in any case.
        /// ```
        /// use rigscope::skinning::Method;
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
            /// Every method in the order of menus, simplest first; the mix is half and half.
            pub const CHOICES: [Self; [$(stringify!($method)),*].len()] = [$(Self::$method $(($choice))?),*];

            /// Name, colour, requirements and kernel of the method.
            pub fn spec(self) -> &'static MethodSpec {
                match self {
                    $(Self::$method { .. } => &$spec,)*
                }
            }
        }
    };
}

// All methods, each with its specification.
methods! {
    /// Linear blend skinning: the weighted mean of matrices.
    #[default]
    Lbs, lbs::SPEC;
    /// Dual quaternion skinning: the weighted mean of dual quaternions, normalised.
    Dqs, dqs::SPEC;
    /// A mix of both: each vertex lies at this share of the way from its LBS position, 0, to its DQS position, 1, as with one value for all of Maya's
    /// blend weights. Normals are mixed likewise and normalised.
    ///
    /// It takes some of the bulge of DQS for some of the collapse of LBS; unlike either it has no closed form of its own.
    Blend(f32 = 0.5), mixed::SPEC;
    /// LBS and DQS mixed by the file's DQS share of each vertex, [`crate::rig::Primitive::dq_weights`]; see [`super::unpainted_share`].
    Painted, painted::SPEC;
    /// DQS with the bulge removed: [`super::bulge_free`].
    DqsBulge, bulge::SPEC;
    /// The rotation of DQS about a centre of each vertex's own, found once for the mesh: [`super::Centers`].
    Cor, cor::SPEC;
    /// The mean of rigid motions that DQS approximates, by iteration; for two joints the screw between them, [`super::DualQuat::mean`].
    Sclerp, sclerp::SPEC;
}

impl Method {
    /// The two methods that [`Self::Blend`] mixes, in the order in which the interface cycles through them.
    pub const ALL: [Self; 2] = [Self::Lbs, Self::Dqs];

    /// Short name.
    pub fn label(self) -> &'static str {
        self.spec().label
    }

    /// Name in full.
    pub fn full_name(self) -> &'static str {
        self.spec().full_name
    }

    /// What the method keeps and what it loses, in one line.
    pub fn tradeoff(self) -> &'static str {
        self.spec().tradeoff
    }

    /// The names of all methods for the help, each except the mix with what it stands for.
    pub fn names_with_glosses() -> String {
        let name = |spec: &MethodSpec| match spec.gloss {
            "" => spec.text.to_owned(),
            gloss => format!("{} ({gloss})", spec.text),
        };
        names(name)
    }

    /// DQS share of the method: 0 for LBS, 1 for DQS and its relatives. A share outside 0 to 1 is clamped, and one that is not a number is 0. For
    /// [`Self::Painted`], the share of vertices without a weight.
    pub fn dqs_share(self) -> f32 {
        match self {
            Self::Lbs | Self::Painted => 0.0,
            Self::Blend(share) if share.is_nan() => 0.0,
            Self::Blend(share) => share.clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    /// True where the method rotates vertices about [`super::Centers`], which take time to find.
    pub fn needs_centers(self) -> bool {
        self.spec().needs == Needs::Centers
    }

    /// The other of [`Self::ALL`]; LBS for any further method.
    #[must_use]
    pub fn next(self) -> Self {
        if self == Self::Lbs { Self::Dqs } else { Self::Lbs }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec().text)?;
        if let Self::Blend(_) = self { write!(f, ":{}", self.dqs_share()) } else { Ok(()) }
    }
}

/// The names of all methods that take no share, as a list.
fn names(name: impl Fn(&MethodSpec) -> String) -> String {
    let plain = Method::CHOICES.into_iter().filter(|method| !matches!(method, Method::Blend(_)));
    plain.map(|method| name(method.spec())).collect::<Vec<_>>().join(", ")
}

/// Why a text is not a skinning method.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseMethodError {
    /// The text is not the name of a method.
    #[error(
        "no skinning method is called \"{0}\"; there are {names} and blend:SHARE with the share of DQS, such as blend:0.5",
        names = names(|spec| spec.text.to_owned())
    )]
    Unknown(String),
    /// `blend` has no share.
    #[error("blend needs the share of DQS, from 0 to 1, such as blend:0.5")]
    MissingShare,
    /// The text after `blend:` is not a number.
    #[error("the share of DQS in \"blend:{0}\" is not a number; give one from 0 to 1, such as blend:0.5")]
    NotANumber(String),
    /// The share is outside 0 to 1.
    #[error("the share of DQS in \"blend:{0}\" is not from 0 (LBS) to 1 (DQS)")]
    OutOfRange(String),
}

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Self, ParseMethodError> {
        let (name, share) = match text.split_once(':') {
            Some((name, share)) => (name, Some(share)),
            None => (text, None),
        };
        let known = Self::CHOICES.into_iter().find(|method| name.eq_ignore_ascii_case(method.spec().text));
        match (known, share) {
            (Some(Self::Blend(_)), Some(share)) if !share.is_empty() => parse_share(share).map(Self::Blend),
            (Some(Self::Blend(_)), _) => Err(ParseMethodError::MissingShare),
            (Some(method), None) => Ok(method),
            _ => Err(ParseMethodError::Unknown(text.to_owned())),
        }
    }
}

fn parse_share(text: &str) -> Result<f32, ParseMethodError> {
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
    }

    #[test]
    fn each_method_has_names_of_its_own_and_the_help_has_them_all() {
        let help = Method::names_with_glosses();
        assert_eq!(
            help,
            "lbs, dqs, painted (lbs and dqs mixed by the file's weight of each vertex), dqs-bulge (without its bulge), cor (centres of rotation), sclerp (screw interpolation)"
        );
        for (i, a) in Method::CHOICES.iter().map(|m| m.spec()).enumerate() {
            for b in Method::CHOICES[..i].iter().map(|m| m.spec()) {
                assert!(a.text != b.text && a.label != b.label && a.full_name != b.full_name, "{}", a.text);
            }
        }
    }

    #[test]
    fn what_is_no_method_is_refused_and_why() {
        let refused = |text: &str| text.parse::<Method>().unwrap_err();
        let owned = str::to_owned;
        assert_eq!(refused("slerp"), ParseMethodError::Unknown(owned("slerp")));
        assert_eq!(refused(""), ParseMethodError::Unknown(owned("")));
        assert_eq!(refused("lbs:0.5"), ParseMethodError::Unknown(owned("lbs:0.5")));
        assert_eq!(refused("blend"), ParseMethodError::MissingShare);
        assert_eq!(refused("blend:"), ParseMethodError::MissingShare);
        assert_eq!(refused("blend:half"), ParseMethodError::NotANumber(owned("half")));
        for text in ["1.01", "-0.1", "nan", "inf"] {
            assert_eq!(refused(&format!("blend:{text}")), ParseMethodError::OutOfRange(owned(text)));
        }
        assert!(serde_json::from_str::<Method>("\"blend:2\"").is_err());
        let names = "there are lbs, dqs, painted, dqs-bulge, cor, sclerp and blend:SHARE with the share of DQS, such as blend:0.5";
        assert_eq!(refused("slerp").to_string(), format!("no skinning method is called \"slerp\"; {names}"));
    }

    #[test]
    fn a_share_is_one_whatever_it_was_made_of() {
        for (share, is) in [(-1.0, 0.0), (0.3, 0.3), (7.0, 1.0), (f32::NAN, 0.0)] {
            assert_eq!(Method::Blend(share).dqs_share(), is);
        }
        assert_eq!(
            (Method::Lbs.next(), Method::Dqs.next(), Method::Blend(0.5).next()),
            (Method::Dqs, Method::Lbs, Method::Lbs)
        );
    }
}
