{ code: 1 + 1 }
