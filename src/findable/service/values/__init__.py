"""Values that go into the use cases and come out of them."""
