pub(super) fn take<'a>(data: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = data.split_at_checked(count)?;
    *data = rest;
    Some(taken)
}

pub(super) fn take_byte(data: &mut &[u8]) -> Option<u8> {
    take(data, 1)?.first().copied()
}
