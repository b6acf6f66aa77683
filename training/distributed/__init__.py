"""Training and judging on Ray: RLlib's runners, each with many games in lock-step, and its learners."""
