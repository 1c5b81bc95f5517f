"""Who dances what, where: characters, behaviours and the floor they share."""
