macro_rules! images {
    ($($name:literal),* $(,)?) => {
        /// PNG files, by their addresses in the guide.
        const IMAGES: &[(&str, &[u8])] = &[$((
            concat!("../screenshots/", $name, ".png"),
            include_bytes!(concat!("../../screenshots/", $name, ".png")),
        )),*];
    };
}

images![
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

pub(super) fn image(address: &str) -> Option<&'static [u8]> {
    IMAGES.iter().find(|(known, _)| *known == address).map(|(_, bytes)| *bytes)
}
