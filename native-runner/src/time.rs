//! Times of day for records.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Now, UTC, as files hold it: `2026-09-28T15:05:46`.
pub fn now_utc() -> String {
    format_utc("%Y-%m-%dT%H:%M:%S")
}

/// Now, UTC, as names of run directories hold it: `20260928T150546Z`.
pub fn now_compact() -> String {
    format_utc("%Y%m%dT%H%M%SZ")
}

fn format_utc(format: &str) -> String {
    Timestamp::now()
        .to_zoned(TimeZone::UTC)
        .strftime(format)
        .to_string()
}
