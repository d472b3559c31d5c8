"""Markdown that SpecStory writes."""
