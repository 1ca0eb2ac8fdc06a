{ b: 1, a: [1, 'é'], hidden:: 2 }
