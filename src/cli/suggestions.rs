//! Completions and suggestions for option values. Options may also accept other values.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};

use crate::project::{near, nearest};

/// A value parser that also offers values for shell completion. If the inner parser fails, suggests similar values.
#[derive(Clone)]
pub(super) struct SuggestingParser<P> {
    values: Vec<String>,
    parser: P,
}

/// Returns a parser that accepts what `parser` accepts, and offers `values` for completion.
pub(super) fn with_suggestions<P: TypedValueParser>(
    values: impl IntoIterator<Item = impl ToString>,
    parser: P,
) -> SuggestingParser<P> {
    SuggestingParser { values: values.into_iter().map(|value| value.to_string()).collect(), parser }
}

impl<P> SuggestingParser<P> {
    /// Returns the value that was probably meant or, if there is no clear match, up to three values that resemble or
    /// contain `typed`.
    fn suggestions(&self, typed: &str) -> Vec<String> {
        const MAX_SUGGESTIONS: usize = 3;
        let values = || self.values.iter().map(String::as_str);
        let meant = nearest(typed, values()).map_or_else(|| near(typed, values()), |one| vec![one]);
        meant.into_iter().take(MAX_SUGGESTIONS).map(str::to_owned).collect()
    }
}

impl<P: TypedValueParser> TypedValueParser for SuggestingParser<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &std::ffi::OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value).map_err(|mut error| {
            let meant = value.to_str().map(|typed| self.suggestions(typed)).unwrap_or_default();
            // Adds no suggestions if the inner parser already did.
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
