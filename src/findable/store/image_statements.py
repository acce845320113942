"""SQL statements for images: small files, each stored once by the hash of its bytes."""

from sqlalchemy import delete, exists, select, update

from findable.store.inherited_look import BRAND_LOGO
from findable.store.rows import RunImages
from findable.store.schema.account_tables import account
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import picture, run
from findable.store.statements import Statements

IMAGES = (run.c.icon, run.c.card, run.c.phone, run.c.desktop, run.c.filmstrip)


class ImageRows(Statements):
    """SQL statements for images, in one transaction."""

    def add(self, digest: bytes, data: bytes, width_px: int, height_px: int, now: int) -> None:
        """Store an image. A stored image gets a new time, so that it is not removed as unused before it is referenced."""
        values = {"data": data, "width_px": width_px, "height_px": height_px, "created_at": now}
        self._upsert(picture, {"hash": digest}, values, {"created_at": now})

    def attach(self, run_id: int, images: RunImages) -> None:
        """Set the images of a run's page."""
        self._connection.execute(update(run).where(run.c.id == run_id).values(**images._asdict()))

    def data(self, digest: bytes | None) -> bytes | None:
        """Return the bytes of an image; None for no digest, or if it is not stored."""
        if not digest:
            return None
        found = self._connection.execute(select(picture.c.data).where(picture.c.hash == digest)).scalar_one_or_none()
        return None if found is None else bytes(found)

    def of_run(self, report_id: int, number: int) -> RunImages:
        """Return the hashes of the images of a report's run."""
        return self._first(RunImages, select(*IMAGES).where(run.c.report_id == report_id, run.c.number == number)) or RunImages()

    def logo_of(self, project_id: int) -> bytes | None:
        """Return the hash of the logo of a project's reports."""
        found = select(BRAND_LOGO).where(project.c.id == project_id, account.c.id == project.c.account_id)
        return self._connection.execute(found).scalar_one_or_none()

    def remove_unused(self, before: int, limit: int) -> int:
        """Delete images stored before that time that no run, project or account uses; return their number."""
        indexed, others = (*IMAGES, project.c.icon), (project.c.brand_logo, account.c.brand_logo)
        old = select(picture.c.hash).where(
            picture.c.created_at < before,
            *(~exists().where(image == picture.c.hash, image.is_not(None)) for image in indexed),
            *(~exists().where(image == picture.c.hash) for image in others),
        )
        unused = self._connection.execute(old.limit(limit)).scalars().all()
        if unused:
            # An image that another transaction stored again meanwhile has a new time and stays.
            self._connection.execute(delete(picture).where(picture.c.hash.in_(unused), picture.c.created_at < before))
        return len(unused)
