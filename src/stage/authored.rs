use super::Stage;
use crate::view::Side;

impl Stage {
    /// True if a side uses the method that the file declares for its skins.
    pub fn is_as_authored(&self, side: Side) -> bool {
        self.authored == Some(self.skinning(side).method)
    }

    pub(crate) fn follows_file(&self) -> bool {
        self.skinning(Side::A).method == self.authored.unwrap_or_default()
    }
}
