"""Are images findable, light and stable?"""
