"""Who usually fixes a finding."""

from findable.vocabulary import (
    Category,
    Effort,
    Fixer,
)

_EDITOR_CATEGORIES = {Effort.HEAD: {Category.CONTENT}, Effort.CONTENT: {Category.CONTENT, Category.IMAGES, Category.LINKS}}


def usual_fixer(effort: Effort, category: Category) -> Fixer:
    """Return who usually fixes a finding with an effort and a category."""
    if effort is Effort.SERVER:
        return Fixer.SERVER
    return Fixer.EDITOR if category in _EDITOR_CATEGORIES[effort] else Fixer.DEVELOPER
