'sibling'
