[{ a: 1 }, 'text', [1, 2], null]
