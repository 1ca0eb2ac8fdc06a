import 'data.json'
