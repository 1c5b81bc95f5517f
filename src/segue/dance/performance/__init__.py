"""Preview plans without dynamics: feet planted, body balanced over them, arms in hold; and measure the result."""
