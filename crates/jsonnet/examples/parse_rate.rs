//! Measures parsing: the least time of many runs over each file.
//!
//! `cargo run --release -p linecaster-jsonnet --example parse_rate -- FILE…`

use std::sync::Arc;
use std::time::{Duration, Instant};

use linecaster_jsonnet::syntax::{Source, parse};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let source = Arc::new(Source::from_bytes(path.as_str(), std::fs::read(&path)?));
        let bytes = source.text().len();
        let runs = (20_000_000 / bytes.max(1)).clamp(5, 2000);
        let mut best = Duration::MAX;
        let mut nodes = 0;
        for _ in 0..runs {
            let start = Instant::now();
            let parsed = parse(&source);
            best = best.min(start.elapsed());
            nodes = parsed.map_or(0, |ast| ast.exprs().len());
        }
        let rate = bytes as f64 / best.as_secs_f64() / 1e6;
        println!("{rate:7.1} MB/s  {bytes:9} bytes  {nodes:8} nodes  {path}");
    }
    Ok(())
}
