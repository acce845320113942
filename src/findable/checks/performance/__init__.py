"""How quickly is the page delivered?"""
