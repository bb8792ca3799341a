//! Measurements as JSON, for both the window and the command line.

use serde::Serialize;

const VERSION: u32 = 1;

/// Returns `{"version":1,"file":FILE,…}` with the keys of `numbers`, an object, as one line with a line break.
pub fn numbers_json(file: &str, numbers: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Document<'a, T> {
        version: u32,
        file: &'a str,
        #[serde(flatten)]
        numbers: &'a T,
    }
    // Contains only text, numbers and lists, which always serialize.
    serde_json::to_string(&Document { version: VERSION, file, numbers }).unwrap_or_default() + "\n"
}
