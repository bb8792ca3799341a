//! FBX files built in code: a tree of records, written as text or binary.

use std::fmt::Write as _;

use super::fuzz::Random;

/// A property of a record.
#[derive(Clone)]
pub enum Value {
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
    Floats(Vec<f32>),
}

impl Value {
    fn mutate(&mut self, random: &mut Random) {
        const INTS: [i64; 10] = [0, 1, -1, 2, 255, i64::MAX, i64::MIN, 1 << 31, -3, 46_186_158_000];
        const REALS: [f64; 10] = [0.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY, -1e38, 0.5, 1e9, 100.0];
        let (int, real) = (INTS[random.below(INTS.len())], REALS[random.below(REALS.len())]);
        match self {
            Self::Int(number) => *number = int,
            Self::Real(number) => *number = real,
            Self::Text(text) => ["", "Mesh", "ByVertice", "Model::Tip", "\u{e9}"][random.below(5)].clone_into(text),
            Self::Bytes(bytes) => bytes.truncate(random.below(bytes.len() + 1)),
            Self::Ints(list) => mutate_list(list, int as i32, random),
            Self::Longs(list) => mutate_list(list, int, random),
            Self::Reals(list) => mutate_list(list, real, random),
            Self::Floats(list) => mutate_list(list, real as f32, random),
        }
    }
}

fn mutate_list<T: Copy>(list: &mut Vec<T>, value: T, random: &mut Random) {
    let at = random.below(list.len());
    match random.below(6) {
        0 => list.truncate(at),
        1 => list.push(value),
        2 => list.extend_from_within(at..),
        _ => list.iter_mut().skip(at).take(1).for_each(|old| *old = value),
    }
}

/// A record: a name, properties and nested records.
#[derive(Clone)]
pub struct Record {
    name: String,
    values: Vec<Value>,
    records: Vec<Self>,
}

impl Record {
    pub fn new(name: &str, values: impl IntoIterator<Item = Value>) -> Self {
        Self { name: name.to_owned(), values: values.into_iter().collect(), records: Vec::new() }
    }

    fn mutate(&mut self, random: &mut Random) {
        if !self.records.is_empty() && random.below(4) > 0 {
            let at = random.below(self.records.len());
            match random.below(12) {
                0 => drop(self.records.remove(at)),
                1 => self.records.push(self.records[at].clone()),
                _ => self.records[at].mutate(random),
            }
        } else if !self.values.is_empty() {
            let at = random.below(self.values.len());
            self.values[at].mutate(random);
        }
    }

    pub fn with(mut self, records: impl IntoIterator<Item = Self>) -> Self {
        self.records.extend(records);
        self
    }
}

pub fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

pub fn int(name: &str, value: i64) -> Record {
    Record::new(name, [Value::Int(value)])
}

pub fn word(name: &str, value: &str) -> Record {
    Record::new(name, [text(value)])
}

pub fn ints(name: &str, values: &[i32]) -> Record {
    Record::new(name, [Value::Ints(values.to_vec())])
}

pub fn reals(name: &str, values: &[f64]) -> Record {
    Record::new(name, [Value::Reals(values.to_vec())])
}

/// Creates an object's list of properties.
pub fn properties(list: &[(&str, &str, &[f64])]) -> Record {
    let property = |&(name, kind, values): &(&str, &str, &[f64])| {
        let head = [text(name), text(kind), text(""), text("A")];
        let value = |&v: &f64| match kind {
            "int" | "enum" | "bool" | "KTime" => Value::Int(v as i64),
            _ => Value::Real(v),
        };
        Record::new("P", head.into_iter().chain(values.iter().map(value)))
    };
    Record::new("Properties70", []).with(list.iter().map(property))
}

/// A file of objects and their connections.
#[derive(Clone)]
pub struct Fbx {
    settings: Vec<(&'static str, &'static str, f64)>,
    objects: Vec<Record>,
    connections: Vec<Record>,
}

impl Default for Fbx {
    /// Creates an empty file: centimetres, +Y up, 24 frames per second.
    fn default() -> Self {
        let settings = vec![
            ("UpAxis", "int", 1.0),
            ("UpAxisSign", "int", 1.0),
            ("FrontAxis", "int", 2.0),
            ("FrontAxisSign", "int", 1.0),
            ("CoordAxis", "int", 0.0),
            ("CoordAxisSign", "int", 1.0),
            ("UnitScaleFactor", "double", 1.0),
            ("TimeMode", "enum", 11.0),
        ];
        Self { settings, objects: Vec::new(), connections: Vec::new() }
    }
}

impl Fbx {
    /// Changes a global setting.
    pub fn set(&mut self, name: &str, value: f64) {
        self.settings.iter_mut().find(|s| s.0 == name).expect("a setting").2 = value;
    }

    /// Adds an object and connects it to its owner; owner 0 is the root.
    pub fn object(&mut self, id: i64, class: &str, kind: (&str, &str), owner: i64, records: Vec<Record>) {
        let (name, sub) = kind;
        self.objects.push(Record::new(class, [Value::Int(id), named(name, class), text(sub)]).with(records));
        self.connect(id, owner);
    }

    pub fn connect(&mut self, id: i64, owner: i64) {
        self.connections.push(Record::new("C", [text("OO"), Value::Int(id), Value::Int(owner)]));
    }

    /// Connects an object to a property of another object.
    pub fn connect_to(&mut self, id: i64, owner: i64, property: &str) {
        self.connections.push(Record::new("C", [text("OP"), Value::Int(id), Value::Int(owner), text(property)]));
    }

    /// Removes the connections of an object to its owners.
    pub fn disconnect(&mut self, id: i64) {
        self.connections.retain(|c| !matches!(c.values[1], Value::Int(of) if of == id));
    }

    /// Removes the connection of an object to one owner.
    pub fn disconnect_from(&mut self, id: i64, owner: i64) {
        let is = |value: &Value, wanted: i64| matches!(value, Value::Int(of) if *of == wanted);
        self.connections.retain(|c| !(is(&c.values[1], id) && is(&c.values[2], owner)));
    }

    /// Adds a property to an object that already has properties.
    pub fn property(&mut self, id: i64, property: (&str, &str, &[f64])) {
        let list = self.record(id).records.iter_mut().find(|record| record.name == "Properties70").expect("properties");
        list.records.extend(properties(&[property]).records);
    }

    /// Adds records to an object.
    pub fn extend(&mut self, id: i64, records: impl IntoIterator<Item = Record>) {
        self.record(id).records.extend(records);
    }

    fn record(&mut self, id: i64) -> &mut Record {
        self.objects.iter_mut().find(|o| matches!(o.values[0], Value::Int(of) if of == id)).expect("an object")
    }

    /// Changes one thing at random: a value, a list, the records of an object, or a connection.
    pub fn mutate(&mut self, random: &mut Random) {
        let ids: Vec<i64> = self
            .objects
            .iter()
            .filter_map(|o| if let Value::Int(id) = o.values[0] { Some(id) } else { None })
            .collect();
        let id = ids[random.below(ids.len())];
        if random.below(3) == 0 {
            let other = ids[random.below(ids.len())];
            match random.below(4) {
                0 => self.connect(id, other),
                1 => self.disconnect(id),
                2 => drop(self.connections.remove(random.below(self.connections.len()))),
                _ => {
                    self.disconnect(id);
                    self.connect(id, other);
                }
            }
            return;
        }
        let object = random.below(self.objects.len());
        if random.below(20) == 0 {
            let copy = self.objects[object].clone();
            self.objects.push(copy);
        } else {
            self.objects[object].mutate(random);
        }
    }

    fn records(&self) -> Vec<Record> {
        let settings: Vec<(&str, &str, [f64; 1])> = self.settings.iter().map(|s| (s.0, s.1, [s.2])).collect();
        let settings: Vec<(&str, &str, &[f64])> = settings.iter().map(|s| (s.0, s.1, &s.2[..])).collect();
        vec![
            Record::new("FBXHeaderExtension", []).with([
                int("FBXHeaderVersion", 1003),
                int("FBXVersion", 7400),
                word("Creator", "Rigscope's tests"),
            ]),
            Record::new("GlobalSettings", []).with([int("Version", 1000), properties(&settings)]),
            Record::new("Objects", []).with(self.objects.clone()),
            Record::new("Connections", []).with(self.connections.clone()),
        ]
    }

    pub fn text(&self) -> Vec<u8> {
        let mut out = "; FBX 7.4.0 project file\n".to_owned();
        for record in self.records() {
            write_text(&record, 0, &mut out);
        }
        out.into_bytes()
    }

    pub fn binary(&self) -> Vec<u8> {
        let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
        out.extend(7400_u32.to_le_bytes());
        for record in self.records() {
            write_binary(&record, &mut out);
        }
        out.extend([0; 13]);
        out
    }
}

/// Combines a name and its class: `Model::Hip` in text, in reverse order in binary.
fn named(name: &str, class: &str) -> Value {
    let class = match class {
        "Deformer" | "AnimationStack" | "AnimationLayer" | "AnimationCurve" | "AnimationCurveNode" => [
            "Deformer",
            "AnimStack",
            "AnimLayer",
            "AnimCurve",
            "AnimCurveNode",
        ][["Deformer", "AnimationStack", "AnimationLayer", "AnimationCurve", "AnimationCurveNode"]
            .iter()
            .position(|c| *c == class)
            .unwrap()],
        class => class,
    };
    text(&format!("{class}::{name}"))
}

fn write_text(record: &Record, depth: usize, out: &mut String) {
    let indent = "\t".repeat(depth);
    _ = write!(out, "{indent}{}: ", record.name);
    if let [array] = record.values.as_slice()
        && let Some(numbers) = numbers(array)
    {
        _ = writeln!(out, "*{} {{\n{indent}\ta: {}\n{indent}}}", numbers.len(), numbers.join(","));
        return;
    }
    let values: Vec<String> = record.values.iter().map(scalar).collect();
    out.push_str(&values.join(","));
    if record.records.is_empty() && !record.values.is_empty() {
        out.push('\n');
        return;
    }
    out.push_str(" {\n");
    for inner in &record.records {
        write_text(inner, depth + 1, out);
    }
    _ = writeln!(out, "{indent}}}");
}

fn numbers(value: &Value) -> Option<Vec<String>> {
    Some(match value {
        Value::Ints(list) => list.iter().map(ToString::to_string).collect(),
        Value::Longs(list) => list.iter().map(ToString::to_string).collect(),
        Value::Reals(list) => list.iter().map(ToString::to_string).collect(),
        Value::Floats(list) => list.iter().map(ToString::to_string).collect(),
        _ => return None,
    })
}

fn scalar(value: &Value) -> String {
    use base64::Engine as _;
    match value {
        Value::Int(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("\"{text}\""),
        Value::Bytes(bytes) => format!("\"{}\"", base64::engine::general_purpose::STANDARD.encode(bytes)),
        _ => unreachable!("a list stands alone"),
    }
}

fn write_binary(record: &Record, out: &mut Vec<u8>) {
    let head = out.len();
    out.extend([0; 12]);
    out.push(record.name.len() as u8);
    out.extend(record.name.as_bytes());
    let start = out.len();
    record.values.iter().for_each(|value| write_value(value, out));
    let length = (out.len() - start) as u32;
    for inner in &record.records {
        write_binary(inner, out);
    }
    if !record.records.is_empty() || record.values.is_empty() {
        out.extend([0; 13]);
    }
    let end = out.len() as u32;
    for (at, number) in [end, record.values.len() as u32, length].into_iter().enumerate() {
        out[head + 4 * at..][..4].copy_from_slice(&number.to_le_bytes());
    }
}

fn write_value(value: &Value, out: &mut Vec<u8>) {
    fn list<const N: usize>(out: &mut Vec<u8>, kind: u8, items: impl ExactSizeIterator<Item = [u8; N]>) {
        out.push(kind);
        let count = items.len() as u32;
        out.extend([count, 0, count * N as u32].into_iter().flat_map(u32::to_le_bytes));
        out.extend(items.flatten());
    }
    match value {
        Value::Int(number) => {
            out.push(b'L');
            out.extend(number.to_le_bytes());
        }
        Value::Real(number) => {
            out.push(b'D');
            out.extend(number.to_le_bytes());
        }
        Value::Text(text) => {
            let bytes = text.split_once("::").map_or_else(
                || text.clone().into_bytes(),
                |(class, name)| [name.as_bytes(), b"\0\x01", class.as_bytes()].concat(),
            );
            out.push(b'S');
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
        Value::Bytes(bytes) => {
            out.push(b'R');
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
        Value::Ints(list_of) => list(out, b'i', list_of.iter().map(|n| n.to_le_bytes())),
        Value::Longs(list_of) => list(out, b'l', list_of.iter().map(|n| n.to_le_bytes())),
        Value::Reals(list_of) => list(out, b'd', list_of.iter().map(|n| n.to_le_bytes())),
        Value::Floats(list_of) => list(out, b'f', list_of.iter().map(|n| n.to_le_bytes())),
    }
}
