bad_escape.jsonnet:1:1-5 bad_escape.jsonnet:1:1-5 Unknown escape sequence in string literal: \q
