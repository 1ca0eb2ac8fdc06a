//! Answers programs until its input ends: what the differential tests drive.
//!
//! A request is a number of texts, name and value in turn: `folder` (where it
//! is run), `jpath`, `code`, `max-stack`, and `ext-str`, `ext-code`, `tla-str`,
//! `tla-code` with `name=text`. The answer is three texts: `value` or `error`,
//! the value's JSON or the error with its trace, and what `std.trace` wrote.
//! Numbers and lengths are four bytes, the least significant first.

use std::cell::RefCell;
use std::io::{ErrorKind, Read, Result, Write};
use std::rc::Rc;

use linecaster_jsonnet::import::Files;
use linecaster_jsonnet::{Given, Vm, manifest};

const NAME: &str = "program";
const MAX_TRACE: usize = 20;

fn main() -> Result<()> {
    let mut requests = std::io::stdin().lock();
    let mut answers = std::io::stdout().lock();
    while let Some(texts) = receive(&mut requests)? {
        for text in answer(&texts)? {
            answers.write_all(&(text.len() as u32).to_le_bytes())?;
            answers.write_all(text.as_bytes())?;
        }
        answers.flush()?;
    }
    Ok(())
}

fn number(input: &mut impl Read) -> Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// The texts of a request; nothing at the end of the input.
fn receive(input: &mut impl Read) -> Result<Option<Vec<String>>> {
    let count = match number(input) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        count => count?,
    };
    let mut texts = Vec::new();
    for _ in 0..count {
        let mut bytes = vec![0; number(input)? as usize];
        input.read_exact(&mut bytes)?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(Some(texts))
}

fn answer(texts: &[String]) -> Result<[String; 3]> {
    let mut vm = Vm::new();
    let traced = Rc::new(RefCell::new(String::new()));
    let sink = Rc::clone(&traced);
    vm.set_trace_out(Box::new(move |line| {
        sink.borrow_mut().push_str(line);
        sink.borrow_mut().push('\n');
    }));
    let (mut code, mut args, mut files) = ("", Vec::new(), Files::new());
    for pair in texts.chunks_exact(2) {
        let (option, value) = (pair[0].as_str(), pair[1].as_str());
        let (name, text) = value.split_once('=').unwrap_or((value, ""));
        let (name, text) = (name.to_owned(), text.to_owned());
        match option {
            "folder" => std::env::set_current_dir(value)?,
            "jpath" => files.library.push(value.into()),
            "code" => code = value,
            "max-stack" => vm.set_max_stack(value.parse().unwrap_or(500)),
            "ext-str" => vm.set_ext_var(name, Given::Str(text)),
            "ext-code" => vm.set_ext_var(name, Given::Code(text)),
            "tla-str" => args.push((name, Given::Str(text))),
            "tla-code" => args.push((name, Given::Code(text))),
            other => return Err(std::io::Error::other(format!("no option {other}"))),
        }
    }
    vm.set_resolver(Box::new(files));
    let outcome = vm.evaluate(NAME, NAME, code, &args).and_then(|value| {
        let text = manifest::to_json(&mut vm, &value);
        text.map_err(|error| error.during("During manifestation"))
    });
    let (kind, text) = match outcome {
        Ok(text) => ("value", text + "\n"),
        Err(error) => ("error", error.render(MAX_TRACE)),
    };
    let written = traced.borrow().clone();
    Ok([kind.to_owned(), text, written])
}
