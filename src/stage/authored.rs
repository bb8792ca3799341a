//! The method that the open file was made for.

use super::Stage;
use crate::view::Side;

impl Stage {
    /// True where the file says that its skins are moved by the method of a side.
    pub fn is_as_authored(&self, side: Side) -> bool {
        self.authored == Some(self.skinning(side).method)
    }

    /// True while side A shows what the file means, which is LBS where it says nothing.
    pub(crate) fn follows_file(&self) -> bool {
        self.skinning(Side::A).method == self.authored.unwrap_or_default()
    }
}
