broken_local.jsonnet:1:11-12 Unexpected: ";" while parsing terminal
