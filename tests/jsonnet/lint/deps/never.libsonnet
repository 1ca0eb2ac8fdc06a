{ n: importstr 'text.txt' }
