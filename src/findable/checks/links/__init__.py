"""Can crawlers and people follow the links?"""
