'second in the library'
