use std::cell::RefCell;
use std::fmt;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::import::warning::short;
use rigscope_core::rig::{VrmComponent, VrmViolations};

pub(super) struct Faults(RefCell<VrmViolations>);

impl Faults {
    pub(super) fn new(part: VrmComponent) -> Self {
        Self(RefCell::new(VrmViolations::none(part)))
    }

    pub(super) fn into_inner(self) -> VrmViolations {
        self.0.into_inner()
    }
}

/// Cursor into an extension's JSON: an optional value and its path. Accessors record a fault for an invalid value.
#[derive(Clone)]
pub(super) struct JsonCursor<'a> {
    value: Option<&'a Value>,
    place: String,
    faults: &'a Faults,
}

impl<'a> JsonCursor<'a> {
    pub(super) fn new(value: Option<&'a Value>, place: &str, faults: &'a Faults) -> Self {
        Self { value: value.filter(|value| !value.is_null()), place: place.to_owned(), faults }
    }

    pub(super) fn report(&self, problem: impl fmt::Display) {
        self.faults.0.borrow_mut().push(&format_args!("{} {problem}", self.place));
    }

    pub(super) fn is_there(&self) -> bool {
        self.value.is_some()
    }

    pub(super) fn get(&self, key: &str) -> Self {
        let place = joined(&self.place, key);
        Self::new(self.value.and_then(|value| value.get(key)), &place, self.faults)
    }

    pub(super) fn needed(&self, key: &str) -> Self {
        let found = self.get(key);
        if self.is_there() && !found.is_there() {
            found.report("is missing");
        }
        found
    }

    pub(super) fn in_node(&self, node: usize, value: Option<&'a Value>) -> Self {
        Self::new(value, &format!("node {node}:"), self.faults)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Self)> {
        let entries = self.found(Value::as_object, "an object").into_iter().flatten();
        entries.map(|(key, _)| (key.as_str(), self.get(&short(key)).with(self.value.and_then(|value| value.get(key)))))
    }

    pub(super) fn items(&self) -> impl Iterator<Item = Self> {
        let items = self.found(Value::as_array, "a list").into_iter().flatten().enumerate();
        items.map(|(number, item)| Self::new(Some(item), &format!("{}[{number}]", self.place), self.faults))
    }

    pub(super) fn text(&self) -> Option<&'a str> {
        self.found(Value::as_str, "text")
    }

    pub(super) fn filled_text(&self) {
        if self.text().is_some_and(|text| text.trim().is_empty()) {
            self.report("is empty");
        }
    }

    pub(super) fn truth(&self) {
        self.found(Value::as_bool, "true or false");
    }

    pub(super) fn one_of(&self, known: &[&str]) -> Option<&'a str> {
        let text = self.text()?;
        if !known.contains(&text) {
            self.report(format_args!("is \"{}\" (allowed: {})", short(text), known.join(", ")));
        }
        Some(text)
    }

    pub(super) fn number(&self) {
        self.found(Value::as_f64, "a number");
    }

    pub(super) fn within(&self, range: &RangeInclusive<f64>) {
        let Some(number) = self.found(Value::as_f64, "a number").filter(|number| !range.contains(number)) else {
            return;
        };
        let (min, max) = (range.start(), range.end());
        if max.is_infinite() {
            self.report(format_args!("is {number} (allowed: {min} or more)"));
        } else {
            self.report(format_args!("is {number} (allowed: {min} to {max})"));
        }
    }

    pub(super) fn numbers(&self, count: usize) {
        let is_it = |value: &Value| {
            value.as_array().filter(|list| list.len() == count && list.iter().all(Value::is_number)).map(|_| ())
        };
        self.found(is_it, &format!("{count} numbers"));
    }

    pub(super) fn axes(&self) {
        let is_it = |value: &Value| {
            let is_number = |axis: &str| value.get(axis).is_none_or(Value::is_number);
            (value.is_object() && ["x", "y", "z"].into_iter().all(is_number)).then_some(())
        };
        self.found(is_it, "numbers x, y and z");
    }

    /// Returns an index less than `count`. `things`: plural noun for the fault message.
    pub(super) fn index(&self, count: usize, things: &str) -> Option<usize> {
        let index = self.found(Value::as_u64, "an index")?;
        let index = usize::try_from(index).ok().filter(|index| *index < count);
        if index.is_none() {
            self.report(format_args!("is {} ({things}: {count})", self.value.unwrap_or(&Value::Null)));
        }
        index
    }

    /// Like [`Self::index`], but -1, which VRM 0 exporters write, means no index.
    pub(super) fn index_or_none(&self, count: usize, things: &str) -> Option<usize> {
        if self.value.and_then(Value::as_i64) == Some(-1) { None } else { self.index(count, things) }
    }

    fn with(self, value: Option<&'a Value>) -> Self {
        Self { value, ..self }
    }

    fn found<T>(&self, read: impl FnOnce(&'a Value) -> Option<T>, what: &str) -> Option<T> {
        let found = read(self.value?);
        if found.is_none() {
            self.report(format_args!("is not {what}"));
        }
        found
    }
}

fn joined(place: &str, key: &str) -> String {
    match place {
        "" => key.to_owned(),
        node if node.ends_with(':') => format!("{node} {key}"),
        _ => format!("{place}.{key}"),
    }
}
