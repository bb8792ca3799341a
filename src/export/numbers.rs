//! Measurements as JSON, the same from the window and from the command line.

use serde::Serialize;

/// Version of the JSON.
const VERSION: u32 = 1;

/// JSON `{"version":1,"file":FILE,…}` on one line, with a line end; `numbers` is an object, whose keys follow.
pub fn numbers_json(file: &str, numbers: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Document<'a, T> {
        version: u32,
        file: &'a str,
        #[serde(flatten)]
        numbers: &'a T,
    }
    // Only text, numbers and lists, which always serialize.
    serde_json::to_string(&Document { version: VERSION, file, numbers }).unwrap_or_default() + "\n"
}
