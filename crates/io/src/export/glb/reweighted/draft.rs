use std::borrow::Cow;

use super::json_text::{Members, elements, list_text};
use crate::export::ExportError;

const ARRAY_BUFFER: u32 = 34962;

pub(super) struct Draft<'a> {
    pub buffers: Vec<Cow<'a, str>>,
    pub views: Vec<Cow<'a, str>>,
    accessors: Vec<Cow<'a, str>>,
    pub binary: Vec<u8>,
    pub has_chunk: bool,
    pub losses: Vec<String>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(document: &'a Members<'_>, binary: Option<Vec<u8>>) -> Result<Self, ExportError> {
        let list = |name| document.get(name).map(elements).transpose().map(Option::unwrap_or_default);
        let buffers = list("buffers")?;
        // The binary chunk is unused if the first buffer does not refer to it.
        let is_used = |text: &Cow<'_, str>| Members::parse(text).is_ok_and(|buffer| buffer.get("uri").is_none());
        let binary = binary.filter(|_| buffers.first().is_some_and(is_used));
        Ok(Self {
            buffers,
            views: list("bufferViews")?,
            accessors: list("accessors")?,
            has_chunk: binary.is_some(),
            binary: binary.unwrap_or_default(),
            losses: Vec::new(),
        })
    }

    pub(super) fn accessor_number(&self, accessor: usize, name: &str) -> Option<u64> {
        Members::parse(self.accessors.get(accessor)?).ok()?.number(name)
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let start = self.binary.len();
        self.binary.extend(bytes);
        start
    }

    pub(super) fn view(&mut self, bytes: &[u8], is_of_vertices: bool) -> usize {
        let start = self.append(bytes);
        let target = if is_of_vertices { format!(",\"target\":{ARRAY_BUFFER}") } else { String::new() };
        let text = format!("{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{}{target}}}", bytes.len());
        self.views.push(Cow::Owned(text));
        self.views.len() - 1
    }

    pub(super) fn accessor(&mut self, bytes: &[u8], component: u32, is_normalized: bool, count: usize) -> usize {
        let view = self.view(bytes, true);
        let normalized = if is_normalized { ",\"normalized\":true" } else { "" };
        let text = format!(
            "{{\"bufferView\":{view},\"componentType\":{component}{normalized},\"count\":{count},\"type\":\"VEC4\"}}"
        );
        self.accessors.push(Cow::Owned(text));
        self.accessors.len() - 1
    }

    pub(super) fn finish(mut self) -> Result<DraftOutput, ExportError> {
        if !self.binary.is_empty() {
            if !self.has_chunk {
                self.buffers.insert(0, Cow::Borrowed("{}"));
            }
            let mut first = Members::parse(&self.buffers[0])?;
            first.set("byteLength", self.binary.len().to_string());
            self.buffers[0] = Cow::Owned(first.into_text());
        }
        let lists = [("buffers", &self.buffers), ("bufferViews", &self.views), ("accessors", &self.accessors)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(name, list)| (name, list_text(list)));
        Ok(DraftOutput { lists: lists.collect(), losses: self.losses, binary: self.binary })
    }
}

pub(super) struct DraftOutput {
    pub lists: Vec<(&'static str, String)>,
    pub losses: Vec<String>,
    pub binary: Vec<u8>,
}
