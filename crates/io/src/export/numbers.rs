use serde::Serialize;

const VERSION: u32 = 1;

/// Serializes `{"version":1,"file":FILE,…}` with the members of `numbers` to one line of JSON that ends in a line
/// break.
pub fn numbers_json(file: &str, numbers: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Document<'a, T> {
        version: u32,
        file: &'a str,
        #[serde(flatten)]
        numbers: &'a T,
    }
    // Text, numbers and lists always serialize.
    serde_json::to_string(&Document { version: VERSION, file, numbers }).unwrap_or_default() + "\n"
}
