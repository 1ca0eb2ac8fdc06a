{ 'one.txt': 'first\n', 'two.txt': 'no newline' }
