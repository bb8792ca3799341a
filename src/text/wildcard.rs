//! Patterns in which a piece stands for any number of items.

/// True where a pattern fits all of a list: `is_any` for pieces that stand for any number of items, `is_here` for a piece that stands for this item.
///
/// *Cost*: the length of the pattern times that of the list at most.
pub(crate) fn fits<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_here: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut i) = (0, 0);
    // Where the last piece for any number is, and up to which item it stands.
    let mut any: Option<(usize, usize)> = None;
    while i < items.len() {
        match pattern.get(p) {
            Some(piece) if is_any(piece) => {
                any = Some((p, i));
                p += 1;
            }
            Some(piece) if is_here(piece, &items[i]) => (p, i) = (p + 1, i + 1),
            _ => {
                let Some((at, until)) = any else { return false };
                any = Some((at, until + 1));
                (p, i) = (at + 1, until + 1);
            }
        }
    }
    pattern[p..].iter().all(is_any)
}
