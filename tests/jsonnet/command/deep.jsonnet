local f(n) = if n == 0 then error 'deep' else 1 + f(n - 1);
f(30)
