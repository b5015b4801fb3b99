"""Seeded generator of valid tile programs; generate.py and run.py use it."""
