"""Can a search engine reach the page, may it index it, and as which URL?"""
