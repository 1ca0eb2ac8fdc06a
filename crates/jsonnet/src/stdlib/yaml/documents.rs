//! Where the documents of a stream begin.

/// The documents of a text, each with its `---` line, and whether there is such
/// a line at all. Line ends become line feeds.
pub fn split(text: &str) -> (Vec<String>, bool) {
    let mut documents = Vec::new();
    let mut current = String::new();
    let mut stream = false;
    for line in text.lines() {
        if is_start(line) {
            stream = true;
            if !current.is_empty() {
                documents.push(core::mem::take(&mut current));
            }
        }
        current.push_str(line);
        current.push('\n');
    }
    if !current.is_empty() {
        documents.push(current);
    }
    (documents, stream)
}

fn is_start(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| matches!(rest.bytes().next(), None | Some(b' ' | b'\t')))
}
