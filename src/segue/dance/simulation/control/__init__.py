"""Motor control [Lake1990, chapter 6]: task manager, body controller, and the motor programs that they run."""
