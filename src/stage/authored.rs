use super::Stage;
use crate::view::Side;

impl Stage {
    /// True if the side uses the skinning method that the file declares.
    pub fn is_as_authored(&self, side: Side) -> bool {
        self.authored == Some(self.skinning(side).method)
    }

    pub(crate) fn follows_file(&self) -> bool {
        self.skinning(Side::A).method == self.authored.unwrap_or_default()
    }
}
