"""Who Is Moriarty: two players, a 3x3 street grid, three detectives around it, Moriarty among nine suspects."""
