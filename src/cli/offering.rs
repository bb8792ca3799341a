//! Values of options that a shell offers, whether or not these are all that an option takes.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads a value by a parser, whose errors are told as they are, and names values to shells.
#[derive(Clone)]
pub(super) struct Offering<P> {
    values: Vec<String>,
    parser: P,
}

/// Offers values, and reads any that `parser` does.
pub(super) fn offering<P: TypedValueParser>(values: impl IntoIterator<Item = impl ToString>, parser: P) -> Offering<P> {
    Offering { values: values.into_iter().map(|value| value.to_string()).collect(), parser }
}

impl<P: TypedValueParser> TypedValueParser for Offering<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &std::ffi::OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().cloned().map(PossibleValue::new)))
    }
}
