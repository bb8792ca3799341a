//! Measurements as JSON, for both the window and the command line.

use std::collections::BTreeMap;

use serde::Serialize;

const VERSION: u32 = 1;

/// Returns `{"version":1,"file":FILE,KEY:VALUE,…}` as one line with a line break.
pub fn numbers_json<T: Serialize, const N: usize>(file: &str, found: [(&'static str, T); N]) -> String {
    #[derive(Serialize)]
    struct Document<'a, T> {
        version: u32,
        file: &'a str,
        #[serde(flatten)]
        found: BTreeMap<&'static str, T>,
    }
    let document = Document { version: VERSION, file, found: BTreeMap::from(found) };
    // Text, numbers and lists always serialize.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}
