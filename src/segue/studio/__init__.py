"""The studio: the browser application over `segue.serve`."""

__all__: list[str] = []
