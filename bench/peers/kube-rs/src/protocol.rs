//! The Rust peer's half of the protocol (see ../../../README.md).
use std::env;
use std::io::{BufRead, stdin};
use std::str::FromStr;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static UPDATES: AtomicU64 = AtomicU64::new(0);
static FIRST: Once = Once::new();

pub fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

pub fn number<T: FromStr>(name: &str, otherwise: T) -> T {
    text(name)
        .and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

/// The handler of the cache workload: it only counts.
pub fn count(expected: u64) {
    if UPDATES.fetch_add(1, Ordering::Relaxed) + 1 == expected {
        println!("done {expected}");
    }
}

/// To be called at the end of every reconcile; only the first is news.
pub fn reconciled() {
    FIRST.call_once(|| println!("reconciled"));
}

/// Answers the driver in a thread of its own; the end of the input ends the process.
pub fn serve(objects: impl Fn() -> usize + Send + 'static) {
    std::thread::spawn(move || {
        for line in stdin().lock().lines().map_while(Result::ok) {
            match line.as_str() {
                // Nothing waits here to be collected.
                "gc" => println!("gc"),
                "stat" => println!(
                    "stat updates={} objects={}",
                    UPDATES.load(Ordering::Relaxed),
                    objects()
                ),
                _ => {}
            }
        }
        std::process::exit(0)
    });
}
