// A file in the usual style: formatting leaves it as it is.
local library = import 'library.libsonnet';
local other = import 'other.libsonnet';

{
  // A comment for a field.
  name: 'good',
  hidden:: 1,
  forced::: 2,
  list: [1, 2, 3],
  long: [
    'first',
    'second',
  ],
  nested: {
    method(x, y=2):: x + y,
    called: self.method(1),
  },
  merged: library {
    added: true,
  },
  text: |||
    A block
      with indentation.
  |||,
  [if self.hidden > 0 then 'conditional']: true,
  comprehension: [x * 2 for x in self.list if x > 1],
  object: { [k]: 1 for k in ['a', 'b'] },

  assert self.name == 'good' : 'named otherwise',
}
