"""Raw, storable values of a fetched page and its site."""
