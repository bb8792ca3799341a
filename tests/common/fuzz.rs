//! Random changes of JSON that keep its structure. Deterministic: a seed reproduces each change.

use serde_json::{Value, json};

/// A small random number generator (xorshift).
pub struct Random(u64);

impl Random {
    /// Creates a generator. Each seed gives a different sequence.
    pub fn new(seed: u64) -> Self {
        // Spreads small seeds over all bits. The state must not be 0.
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }
}

/// Tries the seeds 0 to `rounds`, or only the one in `RIGSCOPE_FUZZ_SEED`.
pub fn each_seed(rounds: usize, mut attempt: impl FnMut(u64, &mut Random)) {
    let only = std::env::var("RIGSCOPE_FUZZ_SEED").ok().map(|s| s.parse().expect("RIGSCOPE_FUZZ_SEED is a number"));
    let seeds = only.map_or(0..rounds as u64, |seed: u64| seed..seed + 1);
    seeds.for_each(|seed| attempt(seed, &mut Random::new(seed)));
}

/// Returns the command that runs one case of a test again.
pub fn again(seed: u64) -> String {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    format!("again by RIGSCOPE_FUZZ_SEED={seed} cargo test {test}")
}

/// Returns JSON pointers to all values of a document.
pub fn addresses(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(document, String::new(), &mut found);
    found
}

fn collect(value: &Value, address: String, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| collect(v, format!("{address}/{i}"), found));
        }
        Value::Object(map) => {
            map.iter().for_each(|(k, v)| {
                let key = k.replace('~', "~0").replace('/', "~1");
                collect(v, format!("{address}/{key}"), found);
            });
        }
        _ => {}
    }
    found.push(address);
}

/// Makes one to three changes. Returns their descriptions.
pub fn mutate(json: &mut Value, addresses: &[String], random: &mut Random) -> Vec<String> {
    (0..=random.below(3)).map(|_| mutate_once(json, addresses, random)).collect()
}

/// Deletes a value, duplicates a neighbour, or replaces it with another part of the document or an odd value.
fn mutate_once(json: &mut Value, addresses: &[String], random: &mut Random) -> String {
    let address = &addresses[random.below(addresses.len())];
    match random.below(10) {
        0..3 => remove_or_repeat(json, address, random),
        3 => {
            let from = &addresses[random.below(addresses.len())];
            let new = json.pointer(from).cloned().unwrap_or_default();
            replace(json, address, new);
            format!("{address} becomes {from}")
        }
        _ => {
            let new = strange_value(random);
            let told = format!("{address} becomes {new}");
            replace(json, address, new);
            told
        }
    }
}

fn replace(json: &mut Value, address: &str, new: Value) {
    if let Some(value) = json.pointer_mut(address) {
        *value = new;
    }
}

fn remove_or_repeat(json: &mut Value, address: &str, random: &mut Random) -> String {
    let (parent, key) = address.rsplit_once('/').unwrap_or_default();
    match json.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.remove(&key.replace("~1", "/").replace("~0", "~"));
            format!("{address} removed")
        }
        Some(Value::Array(list)) if !list.is_empty() => {
            let copy = list[random.below(list.len())].clone();
            list.push(copy);
            format!("{parent} longer by one")
        }
        _ => String::new(),
    }
}

fn strange_value(random: &mut Random) -> Value {
    let values = [
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(255),
        json!(65_536),
        json!(5121),
        json!(5126),
        json!(1_u64 << 31),
        json!(u32::MAX),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(-1e39),
        json!(1e-45),
        json!(0.5),
        json!(null),
        json!(true),
        json!(""),
        json!("NaN"),
        json!("../../x"),
        json!([]),
        json!([0, 0, 0]),
        json!([1e39, -1e39, 0, 0]),
        json!({}),
        json!({"extensions": {"KHR_draco_mesh_compression": 3}}),
    ];
    values[random.below(values.len())].clone()
}
