{ from: 'library' }
