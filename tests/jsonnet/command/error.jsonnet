local f(x) = error 'from ' + x;
{ a: { b: f('here') } }
