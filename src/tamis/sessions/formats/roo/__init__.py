"""Roo Code's and Cline's histories."""
