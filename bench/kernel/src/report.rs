//! The table and the JSON.

use std::fmt::Write as _;

use crate::rows::{Goal, Measured};

const GIGA: f64 = 1e9;

impl Measured {
    fn input_speed(&self) -> f64 {
        self.input as f64 / self.seconds / GIGA
    }

    fn output_speed(&self) -> f64 {
        self.output as f64 / self.seconds / GIGA
    }

    fn of_memcpy(&self) -> f64 {
        self.memcpy / self.seconds
    }

    /// The figure that the goal asks for, the goal, and its unit.
    fn against_goal(&self) -> Option<(f64, f64, &'static str)> {
        if self.implementation != "avx2" {
            return None;
        }
        match self.goal {
            Goal::None => None,
            Goal::OfMemcpy(goal) => Some((self.of_memcpy(), goal, "of memcpy")),
            Goal::Input(goal) => Some((self.input_speed(), goal, "GB/s in")),
            Goal::Output(goal) => Some((self.output_speed(), goal, "GB/s out")),
        }
    }
}

/// A table on standard output.
pub fn print(results: &[Measured]) {
    println!(
        "{:42} {:5} {:>8} {:>8} {:>8} {:>9}  goal",
        "row", "impl", "GB/s in", "GB/s out", "memcpy", "ns/string"
    );
    for one in results {
        let goal = one
            .against_goal()
            .map_or(String::new(), |(got, goal, unit)| {
                let verdict = if got >= goal { "met" } else { "MISSED" };
                format!("{goal} {unit}: {verdict}")
            });
        println!(
            "{:42} {:5} {:8.2} {:8.2} {:8.3} {:9.1}  {goal}",
            one.row,
            one.implementation,
            one.input_speed(),
            one.output_speed(),
            one.of_memcpy(),
            one.seconds * GIGA / one.strings as f64,
        );
    }
}

/// The same as JSON: no name in here needs more than a backslash escaped.
pub fn json(results: &[Measured]) -> String {
    let mut out = String::from("[");
    for (k, one) in results.iter().enumerate() {
        let goal = one
            .against_goal()
            .map_or("null".to_owned(), |(got, goal, unit)| {
                format!(
                    "{{\"got\": {got:.4}, \"goal\": {goal}, \"unit\": \"{unit}\", \"met\": {}}}",
                    got >= goal
                )
            });
        let comma = if k == 0 { "" } else { "," };
        let row = one.row.replace('\\', "\\\\");
        let _ = write!(
            out,
            "{comma}\n  {{\"row\": \"{row}\", \"implementation\": \"{}\", \"strings\": {}, \
             \"input_bytes\": {}, \"output_bytes\": {}, \"seconds\": {:.4e}, \
             \"memcpy_seconds\": {:.4e}, \"goal\": {goal}}}",
            one.implementation, one.strings, one.input, one.output, one.seconds, one.memcpy,
        );
    }
    out.push_str("\n]\n");
    out
}
