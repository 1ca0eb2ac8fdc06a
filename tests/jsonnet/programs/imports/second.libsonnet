'second beside the program'
