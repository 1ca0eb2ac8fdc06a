{ 'one.json': { a: 1 }, 'two.json': [1, 2], 'folder/three.json': 'text' }
