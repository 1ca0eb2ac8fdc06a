broken_string.jsonnet:1:6 Unterminated String
