//! Arrays of `NumPy`, and archives of them. *Sources*: NEP 1, "A simple file format for `NumPy` arrays"; PKWARE APPNOTE
//! 6.3.

use flate2::Crc;

/// Numbers of an array in C order, as bytes of its type.
#[derive(Clone, Debug)]
pub(super) struct NumpyArray {
    descr: &'static str,
    shape: Vec<usize>,
    data: Vec<u8>,
}

impl NumpyArray {
    /// Creates an empty array of float32 or, if `is_double`, float64.
    pub(super) fn floats(shape: Vec<usize>, is_double: bool) -> Self {
        Self { descr: if is_double { "<f8" } else { "<f4" }, shape, data: Vec::new() }
    }

    /// Creates an array of int32. Indices beyond its range become -1.
    pub(super) fn indices(shape: Vec<usize>, indices: impl IntoIterator<Item = Option<usize>>) -> Self {
        let number = |index: Option<usize>| index.and_then(|index| i32::try_from(index).ok()).unwrap_or(-1);
        let data = indices.into_iter().flat_map(|index| number(index).to_le_bytes()).collect();
        Self { descr: "<i4", shape, data }
    }

    pub(super) fn extend(&mut self, numbers: impl IntoIterator<Item = f64>) {
        if self.descr == "<f8" {
            self.data.extend(numbers.into_iter().flat_map(f64::to_le_bytes));
        } else {
            self.data.extend(numbers.into_iter().flat_map(|number| (number as f32).to_le_bytes()));
        }
    }

    /// Returns the content of a `.npy` file.
    fn file(&self) -> Vec<u8> {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        // A tuple of one number ends with a comma.
        let sizes = sizes.join(", ");
        let header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({sizes},), }}", self.descr);
        // The data begins at a multiple of 64 bytes, after 10 bytes, the header and a line break.
        let padded = (header.len() + 11).next_multiple_of(64) - 11;
        let length = u16::try_from(padded + 1).unwrap_or(u16::MAX);
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(length.to_le_bytes());
        file.extend(format!("{header:padded$}\n").into_bytes());
        file.extend(&self.data);
        file
    }
}

/// Returns an uncompressed `.npz` archive, as `numpy.savez` writes it. *Errors*: it is larger than 4 GB, as a clause.
pub(super) fn npz<'a>(arrays: impl IntoIterator<Item = (&'a str, &'a NumpyArray)>) -> Result<Vec<u8>, String> {
    let too_large = |_| "the arrays are larger than 4 GB".to_owned();
    let (mut archive, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for (name, array) in arrays {
        let (name, content) = (format!("{name}.npy"), array.file());
        let mut crc = Crc::new();
        crc.update(&content);
        let size = u32::try_from(content.len()).map_err(too_large)?;
        let offset = u32::try_from(archive.len()).map_err(too_large)?;
        // Version 2.0, no flags, stored; midnight of 1 January 1980.
        let mut entry = [20_u16, 0, 0, 0, 0x21].map(u16::to_le_bytes).concat();
        entry.extend([crc.sum(), size, size].map(u32::to_le_bytes).concat());
        entry.extend([u16::try_from(name.len()).unwrap_or(u16::MAX), 0].map(u16::to_le_bytes).concat());
        archive.extend(b"PK\x03\x04");
        archive.extend(&entry);
        archive.extend(name.bytes());
        archive.extend(content);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(entry);
        // No comment, disk 0, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.bytes());
        count += 1;
    }
    let sizes = [directory.len(), archive.len()].map(u32::try_from);
    let [size, offset] = sizes.map(|size| size.map_err(too_large));
    archive.extend(directory);
    archive.extend(b"PK\x05\x06");
    archive.extend([0, 0, count, count].map(u16::to_le_bytes).concat());
    archive.extend([size?, offset?].map(u32::to_le_bytes).concat());
    archive.extend([0; 2]);
    Ok(archive)
}
