//! Images of the guide.

macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        /// PNG files, by their addresses on the pages.
        const PICTURES: &[(&str, &[u8])] = &[$((
            concat!("../screenshots/", $name, ".png"),
            include_bytes!(concat!("../../screenshots/", $name, ".png")),
        )),*];
    };
}

pictures![
    "clips",
    "face",
    "figure",
    "fingers",
    "formats",
    "lint",
    "palette",
    "poses",
    "probe",
    "python",
    "render",
    "report",
    "session",
    "side-by-side",
    "tour",
    "tracks",
    "trails",
    "twist-test",
    "weights",
    "wipe",
];

pub(super) fn picture(address: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(known, _)| *known == address).map(|(_, bytes)| *bytes)
}
