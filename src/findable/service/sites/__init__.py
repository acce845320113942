"""Use cases of audited sites: typed URLs, identities, shared responses, pauses."""
