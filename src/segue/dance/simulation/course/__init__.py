"""What a dancer's body is to do over the whole of a dance, reckoned before it begins: look-ahead."""
