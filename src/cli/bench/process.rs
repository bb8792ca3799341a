use std::time::Duration;

/// Returns the time since the process started, if known, with a resolution of 0.01 s. *Source*: `proc_pid_stat(5)`,
/// field 22, and `proc_uptime(5)`.
pub(super) fn age() -> Option<Duration> {
    let [stat, uptime] = ["/proc/self/stat", "/proc/uptime"].map(std::fs::read_to_string);
    parse_age(&stat.ok()?, &uptime.ok()?)
}

/// Returns the peak memory of this process in bytes, if known. *Source*: `proc_pid_status(5)`, `VmHWM`.
pub(super) fn peak_memory() -> Option<u64> {
    parse_peak(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn parse_peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// `USER_HZ`: clock ticks per second, the unit of times in `/proc`.
const TICKS_PER_SECOND: f64 = 100.0;

fn parse_age(stat: &str, uptime: &str) -> Option<Duration> {
    // The program name is in parentheses, and may itself contain parentheses and spaces.
    let (_, after_name) = stat.rsplit_once(')')?;
    let started: f64 = after_name.split_whitespace().nth(19)?.parse().ok()?;
    let now: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(now - started / TICKS_PER_SECOND).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_process_is_found_behind_any_name() {
        let stat = "71 (a) b (c) R 1 71 1 0 -1 4194560 9 0 0 0 1 2 0 0 20 0 1 0 12345 999 9 18446744073709551615";
        assert_eq!(parse_age(stat, "125.70 99.00\n"), Some(Duration::from_millis(2250)));
        assert_eq!(parse_age("71 (a) R 1", "125.70 99.00"), None);
        assert_eq!(parse_age(stat, "1.00 99.00"), None, "nothing starts after now");
    }

    #[test]
    fn peak_memory_is_read_in_bytes() {
        assert_eq!(parse_peak("Name:\ta\nVmHWM:\t   12 kB\nVmRSS:\t 3 kB\n"), Some(12 * 1024));
        assert_eq!(parse_peak("Name:\tVmHWM: 12 kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_an_age_that_grows() {
        let before = age().unwrap();
        std::thread::sleep(Duration::from_millis(40));
        assert!(age().unwrap() > before);
    }
}
