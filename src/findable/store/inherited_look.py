"""Columns of the look of a project's reports: its own, and where it leaves one open, that of its account. Both tables are joined."""

from sqlalchemy import case, func, or_

from findable.store.schema.account_tables import account
from findable.store.schema.project_tables import project

READERS_LANGUAGE = "reader"
"""Language of a project whose reports are in the reader's, whatever the account sets."""
_HAS_OWN = or_(project.c.brand_name.is_not(None), project.c.brand_logo.is_not(None))
BRAND_NAME = case((_HAS_OWN, project.c.brand_name), else_=account.c.brand_name)
"""Name of the project's brand, else of the account's: name and logo belong together, and are inherited together."""
BRAND_LOGO = case((_HAS_OWN, project.c.brand_logo), else_=account.c.brand_logo)
BRAND_COLOR = func.coalesce(project.c.brand_color, account.c.brand_color)
LANGUAGE = func.nullif(func.coalesce(project.c.language, account.c.language), READERS_LANGUAGE)
LOOK = (BRAND_NAME, BRAND_COLOR, BRAND_LOGO, LANGUAGE)
