//! Bytes in memory or in a file that is read on demand. Files are not memory-mapped: live reload watches exporters that
//! truncate and rewrite files, and reading a mapping of a truncated file raises SIGBUS. Positioned reads into the rig's
//! arrays copy no more than a mapping would.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;

use rayon::prelude::*;
use rigscope_core::files::read_exact_at;

#[derive(Clone, Copy, Debug)]
pub(super) enum Bytes<'a> {
    Memory(&'a [u8]),
    File { file: &'a File, start: u64, length: usize },
}

impl<'a> Bytes<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File { length, .. } => length,
        }
    }

    pub(super) fn in_memory(self) -> u64 {
        if let Self::Memory(bytes) = self { bytes.len() as u64 } else { 0 }
    }

    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub(super) fn get(self, range: Range<usize>) -> Option<Self> {
        match self {
            Self::Memory(bytes) => bytes.get(range).map(Self::Memory),
            Self::File { file, start, length } => {
                let part = range.end.checked_sub(range.start).filter(|_| range.end <= length)?;
                Some(Self::File { file, start: start.checked_add(range.start as u64)?, length: part })
            }
        }
    }

    pub(super) fn beginning(self, count: usize) -> io::Result<Cow<'a, [u8]>> {
        self.get(0..count.min(self.len())).unwrap_or(self).read()
    }

    /// *Errors*: the file has been truncated or cannot be read.
    pub(super) fn read(self) -> io::Result<Cow<'a, [u8]>> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::File { length, .. } => {
                let mut bytes = vec![0; length];
                self.read_into(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    pub(super) fn read_into(self, out: &mut [u8]) -> io::Result<()> {
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match self.get(0..out.len()).ok_or_else(cut)? {
            Self::Memory(bytes) => out.copy_from_slice(bytes),
            Self::File { file, start, .. } if out.len() <= PIECE => read_exact_at(file, out, start)?,
            Self::File { file, start, .. } => {
                let read =
                    |(piece, out)| read_exact_at(file, out, start.saturating_add((PIECE as u64).saturating_mul(piece)));
                (0..).zip(out.chunks_mut(PIECE)).collect::<Vec<_>>().into_par_iter().try_for_each(read)?;
            }
        }
        Ok(())
    }
}

/// Size of each chunk of a parallel read, in bytes. Large reads are split among threads, since page faults on new
/// memory are slow.
const PIECE: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file_is_the_same_as_a_part_of_memory() {
        let content: Vec<u8> = (0..100).collect();
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &content).unwrap();
        let of_file = Bytes::File { file: &file, start: 0, length: content.len() };
        for bytes in [Bytes::Memory(&content), of_file] {
            let part = bytes.get(10..90).and_then(|b| b.get(5..9)).unwrap();
            assert_eq!((part.len(), &*part.read().unwrap()), (4, &[15, 16, 17, 18][..]));
            let mut two = [0; 2];
            part.read_into(&mut two).unwrap();
            assert_eq!(two, [15, 16]);
            assert!(part.read_into(&mut [0; 5]).is_err());
            assert!(bytes.get(50..101).is_none() && part.get(0..5).is_none());
        }
    }

    #[test]
    fn a_file_that_became_shorter_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &[7; 50]).unwrap();
        let bytes = Bytes::File { file: &file, start: 0, length: 50 };
        file.set_len(20).unwrap();
        assert!(bytes.get(0..20).unwrap().read().is_ok());
        assert_eq!(bytes.read().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
