//! Background behind the character.

/// What is seen behind the character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// A gradient, and the ground with its grid.
    #[default]
    Surroundings,
    /// Black, and of the ground the shadow alone.
    Black,
    /// White, and of the ground the shadow alone.
    White,
}
