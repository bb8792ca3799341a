//! Values of options that a shell offers, whether or not these are all that an option takes.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};

use crate::project::{near, nearest};

/// Reads a value by a parser, whose errors are told with the values that may have been meant, and names values to shells.
#[derive(Clone)]
pub(super) struct Offering<P> {
    values: Vec<String>,
    parser: P,
}

/// Offers values, and reads any that `parser` does.
pub(super) fn offering<P: TypedValueParser>(values: impl IntoIterator<Item = impl ToString>, parser: P) -> Offering<P> {
    Offering { values: values.into_iter().map(|value| value.to_string()).collect(), parser }
}

impl<P> Offering<P> {
    /// The value that was mistyped, else up to three that are near `typed` or contain it.
    fn meant(&self, typed: &str) -> Vec<String> {
        const MOST: usize = 3;
        let values = || self.values.iter().map(String::as_str);
        let meant = nearest(typed, values()).map_or_else(|| near(typed, values()), |one| vec![one]);
        meant.into_iter().take(MOST).map(str::to_owned).collect()
    }
}

impl<P: TypedValueParser> TypedValueParser for Offering<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &std::ffi::OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value).map_err(|mut error| {
            let meant = value.to_str().map(|typed| self.meant(typed)).unwrap_or_default();
            // Some parsers say themselves what may have been meant.
            if !meant.is_empty() && !error.to_string().contains("did you mean") {
                error.insert(ContextKind::SuggestedValue, ContextValue::Strings(meant));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().cloned().map(PossibleValue::new)))
    }
}
