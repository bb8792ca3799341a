/// Background behind the character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// Gradient or environment, and the ground with its grid.
    #[default]
    Environment,
    /// Black, with only the shadow on the ground.
    Black,
    /// White, with only the shadow on the ground.
    White,
}
