"""What people and agents said: requests, rules, decisions, facts, findings, and what corrects what."""
