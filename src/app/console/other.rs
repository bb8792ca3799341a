/// Does nothing: no system but Windows opens a console for a program.
pub(in crate::app) fn release() {}

/// Does nothing: messages on standard error are visible, or in the log of the desktop.
pub fn show_problem(_text: &str) {}
