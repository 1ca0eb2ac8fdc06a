function(a, b=1, c=unknown) a
