"""The studio: the browser application over `segue.serve`."""
