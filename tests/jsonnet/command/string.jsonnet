'two\nlines é'
