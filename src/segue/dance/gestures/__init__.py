"""What symbols of the notation mean for the figure's joints."""
