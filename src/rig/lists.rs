//! Many lists in contiguous storage.

#[derive(Clone, Debug, Default)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn new(count: usize, entries: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        for (key, _) in entries.clone() {
            starts[key as usize + 1] += 1;
        }
        for key in 0..count {
            starts[key + 1] += starts[key];
        }
        let mut next = starts.clone();
        let mut items = entries.clone().next().map_or(Vec::new(), |(_, first)| vec![first; starts[count] as usize]);
        for (key, item) in entries {
            let place = &mut next[key as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items }
    }

    pub(crate) fn filled(count: usize, mut fill: impl FnMut(usize, &mut Vec<T>)) -> Self {
        let mut lists = Self { starts: vec![0], items: Vec::new() };
        let mut list = Vec::new();
        for key in 0..count {
            list.clear();
            fill(key, &mut list);
            lists.items.extend_from_slice(&list);
            lists.starts.push(lists.items.len() as u32);
        }
        lists
    }

    pub(crate) fn of(&self, key: usize) -> &[T] {
        &self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}
