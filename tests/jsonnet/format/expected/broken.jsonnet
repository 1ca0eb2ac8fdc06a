broken.jsonnet:1:12-13 Unexpected: "}" while parsing terminal
