{
  local root = self,
  name: 'base',
  greeting: 'I am ' + root.name,
  hidden:: 'unseen',
  nested: { value: $.name },
  helper(x):: x * 2,
}
