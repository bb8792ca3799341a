//! A value below a key.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// An object with one key.
pub struct Under<T>(pub &'static str, pub T);

impl<T: Serialize> Serialize for Under<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &self.1)?;
        map.end()
    }
}
