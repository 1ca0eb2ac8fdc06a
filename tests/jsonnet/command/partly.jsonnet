{ a: error "second file" , "one": 1}
