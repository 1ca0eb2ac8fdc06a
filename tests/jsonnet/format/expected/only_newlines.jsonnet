only_newlines.jsonnet:3:1 Unexpected end of file
