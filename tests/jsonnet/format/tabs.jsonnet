{
	a: 1,
	b: {
		c: 2,
			d: 3,
	},
	e: [
		1,
		2,	// tab before
	],
	f:	4,
	g: |||
		text
			more
	|||,
	/*
		a comment
			with tabs
	*/
	h: 5,
}
