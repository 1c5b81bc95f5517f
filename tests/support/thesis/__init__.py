"""The experiments of [Lake1990, chapter 7] with single arms: reach, push and free swing, under the classic control."""
