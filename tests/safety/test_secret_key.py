"""A secret key that is missing is made; one that is empty or short is refused: anybody could sign an unlock cookie with it."""

from pathlib import Path

import pytest

from findable.errors import SettingError
from findable.service.runtime.service import Service
from findable.settings import SECRET_NAME, Settings
from tests.service import samples

SHORT = (b"", b"x\n", b"\n", b"k" * 31 + b"\n")


@pytest.mark.parametrize("content", SHORT)
def test_s56_f41_a_secret_key_of_few_bytes_is_refused_and_not_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / SECRET_NAME
    path.write_bytes(content)
    with pytest.raises(SettingError) as caught:
        Service.open(samples.settings(tmp_path, secret_key=""), exclusive=True)
    assert str(caught.value).startswith(f"FINDABLE_DATA_DIR: {path} has {len(content.strip())} bytes, fewer than 32: ")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"k" * 32, bytes(range(64, 97)) + b"\n"])
def test_a_secret_key_of_32_bytes_is_used_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SECRET_NAME).write_bytes(content)
    service = Service.open(samples.settings(tmp_path, secret_key=""))
    assert service.secret == content.strip()
    service.close()


@pytest.mark.parametrize("name", ["SECRET_KEY", "METRICS_TOKEN", "DATABASE_URL"])
def test_f41_an_empty_file_of_a_setting_is_refused(tmp_path: Path, name: str) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n")
    with pytest.raises(SettingError, match=f"^FINDABLE_{name}_FILE: .* is empty$"):
        Settings.load(environment={f"FINDABLE_{name}_FILE": str(empty)})
