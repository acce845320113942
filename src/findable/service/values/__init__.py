"""Inputs and outputs of the use cases."""
