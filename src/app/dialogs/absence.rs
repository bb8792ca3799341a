//! Detects desktops without file dialogs. `rfd` reports a missing dialog only in its log; its return value is the same
//! as for a cancelled dialog.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use log::{Level, LevelFilter, Log, Metadata, Record};

static WAS_TOLD: AtomicBool = AtomicBool::new(false);

struct LogListener;

impl Log for LogListener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() == Level::Error && metadata.target().starts_with("rfd")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) && record.args().to_string().contains("zenity") {
            WAS_TOLD.store(true, Ordering::Relaxed);
        }
    }

    fn flush(&self) {}
}

pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if log::set_logger(&LogListener).is_ok() {
            log::set_max_level(LevelFilter::Error);
        }
    });
}

/// Returns true if a message about a missing file dialog was logged since the last call.
pub(super) fn take_missing_dialog() -> bool {
    WAS_TOLD.swap(false, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_that_nothing_answered_is_heard() {
        let say = |level, target: &str, text: &str| {
            LogListener.log(&Record::builder().level(level).target(target).args(format_args!("{text}")).build());
        };
        let portal = "rfd::backend::xdg_desktop_portal";
        say(Level::Error, portal, "OpenFile failed: no such service");
        say(Level::Warn, portal, "Using zenity fallback");
        say(Level::Error, "winit", "zenity");
        assert!(!take_missing_dialog());
        say(Level::Error, portal, "Failed to pick file with zenity: No such file or directory");
        assert!(take_missing_dialog() && !take_missing_dialog());
    }
}
