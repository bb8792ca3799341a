//! Measurements as JSON, the same from the window and from the command line.

use std::collections::BTreeMap;

use serde::Serialize;

/// Version of the JSON.
const VERSION: u32 = 1;

/// JSON `{"version":1,"file":FILE,KEY:VALUE,…}` on one line, with a line end.
pub fn numbers_json<T: Serialize, const N: usize>(file: &str, found: [(&'static str, T); N]) -> String {
    #[derive(Serialize)]
    struct Document<'a, T> {
        version: u32,
        file: &'a str,
        #[serde(flatten)]
        found: BTreeMap<&'static str, T>,
    }
    let document = Document { version: VERSION, file, found: BTreeMap::from(found) };
    // Only text, numbers and lists, which always serialize.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}
