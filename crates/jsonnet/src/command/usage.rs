//! What the command says of itself.

/// The version.
pub fn version() -> String {
    format!(
        "Jsonnet commandline interpreter (Linecaster) v{}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// The usage.
pub fn text() -> String {
    format!(
        "{}\nlinecaster jsonnet {{<option>}} <filename>\n{OPTIONS}",
        version()
    )
}

const OPTIONS: &str = "
Evaluation:
  -e, --exec                    the filename is code
  -J, --jpath <dir>             a library folder more; the last one counts most
  -s, --max-stack <n>           activations at a time (500)
  -t, --max-trace <n>           lines of a trace before it is cropped (20; 0: all)

Output:
  -o, --output-file <file>      to this file, whole or not at all
  -m, --multi <dir>             a file in this folder for each field of the
                                object; their names go to standard output
  -c, --create-output-dirs      make folders that are missing
  -y, --yaml-stream             an array as a stream of YAML documents
  -S, --string                  a string, as it is
      --no-trailing-newline     no line feed at the end

External variables (std.extVar), top-level arguments:
  -V, --ext-str <var>[=<text>]  -A, --tla-str <var>[=<text>]
      --ext-code <var>[=<code>]     --tla-code <var>[=<code>]
      --ext-str-file <var>=<file>   --tla-str-file <var>=<file>
      --ext-code-file <var>=<file>  --tla-code-file <var>=<file>
                                without a value, the environment's

  -h, --help                    this text
      --version                 the version

The filename - is standard input. -abc is -a -b -c. What follows -- is no
option. JSONNET_PATH is a list of library folders, of which the first counts
most; they count less than those of -J.
";
