"""Dancing by simulated dynamics: joint torques, gravity and a floor, and a hierarchy of motor control above them."""
