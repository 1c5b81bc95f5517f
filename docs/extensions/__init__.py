"""What the documentation needs beyond Sphinx: equations as MathML, the language's colours, docstrings as lists."""
