{ from: 'other' }
