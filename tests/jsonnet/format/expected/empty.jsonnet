empty.jsonnet:1:1 Unexpected end of file
