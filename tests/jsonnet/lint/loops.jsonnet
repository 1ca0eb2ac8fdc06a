local a = b, b = a;
local f(x) = f(x);
local g = g;
{ a: a, b: self.b, f: f(1), g: g }
