only_comment.jsonnet:2:1 Unexpected end of file
