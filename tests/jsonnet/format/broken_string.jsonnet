{ a: "unterminated }
