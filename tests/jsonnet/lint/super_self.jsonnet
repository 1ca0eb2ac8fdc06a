{ a: super.b, b: self.c, c: $.d, e: { f: $.g } }
