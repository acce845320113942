"""Columns of the branding and language of a project's reports: the project's settings, or those of its account where it has none.

Both tables are joined.
"""

from sqlalchemy import case, func, or_

from findable.store.schema.account_tables import account
from findable.store.schema.project_tables import project

READERS_LANGUAGE = "reader"
"""Language setting of a project whose reports use the reader's language, regardless of the account."""
_HAS_OWN = or_(project.c.brand_name.is_not(None), project.c.brand_logo.is_not(None))
BRAND_NAME = case((_HAS_OWN, project.c.brand_name), else_=account.c.brand_name)
"""Name of the project's brand, else of the account's: name and logo belong together, and are inherited together."""
BRAND_LOGO = case((_HAS_OWN, project.c.brand_logo), else_=account.c.brand_logo)
BRAND_COLOR = func.coalesce(project.c.brand_color, account.c.brand_color)
LANGUAGE = func.nullif(func.coalesce(project.c.language, account.c.language), READERS_LANGUAGE)
BRAND_REPLY_TO = func.coalesce(project.c.brand_reply_to, account.c.brand_reply_to)
RATING_WORDS = func.coalesce(project.c.rating_words, account.c.rating_words)
LOOK = (BRAND_NAME, BRAND_COLOR, BRAND_LOGO, BRAND_REPLY_TO, RATING_WORDS, LANGUAGE)
