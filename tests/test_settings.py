"""Settings: where they come from, who wins, and what is said of a wrong one."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.errors import SettingError
from findable.settings import Settings
from tools.generate_docs import documented_settings, settings_reference

ROOT = Path(__file__).parents[1]


def test_defaults_are_derived_from_each_other(tmp_path: Path) -> None:
    settings = Settings.load({"port": 9000}, {"FINDABLE_DATA_DIR": str(tmp_path)})
    assert settings.base_url == "http://127.0.0.1:9000"
    assert settings.database_url == f"sqlite:///{tmp_path}/findable.db"


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('port = 1\nhost = "0.0.0.0"\nrate_limit = 5\nallow_targets = ["10.0.0.0/8", "intranet:8080"]\n')
    settings = Settings.load({"port": 3, "host": None}, {"FINDABLE_CONFIG": str(config), "FINDABLE_PORT": "2", "FINDABLE_RATE_LIMIT": "7"})
    assert (settings.port, settings.host, settings.rate_limit) == (3, "0.0.0.0", 7)
    assert settings.allow_targets == ("10.0.0.0/8", "intranet:8080")
    assert settings.name_of("port") == "--port"
    assert settings.name_of("host") == f"host in {config}"
    assert settings.name_of("rate_limit") == "FINDABLE_RATE_LIMIT"


def test_the_file_in_the_data_directory_is_read(tmp_path: Path) -> None:
    (tmp_path / "findable.toml").write_text("port = 77\n")
    assert Settings.load(None, {"FINDABLE_DATA_DIR": str(tmp_path)}).port == 77


def test_a_variable_can_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text("k" * 40 + "\n")
    assert Settings.load(None, {"FINDABLE_SECRET_KEY_FILE": str(secret)}).secret_key == "k" * 40


def test_an_empty_variable_counts_as_absent() -> None:
    assert Settings.load(None, {"FINDABLE_PORT": ""}).port == 8000


@pytest.mark.parametrize(("text", "expected"), [("true", True), ("True", True), ("1", True), ("false", False), ("0", False)])
def test_a_yes_or_no_is_read(text: str, *, expected: bool) -> None:
    assert Settings.load(environment={"FINDABLE_ASK_AS_CRAWLERS": text}).ask_as_crawlers is expected


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("FINDABLE_PORT", []),
        ("FINDABLE_PORT_FILE", []),
        ("FINDABLE_CONFIG", []),
        ("PORT", []),
        ("FINDABLE_PROT", ["FINDABLE_PROT is not a setting; FINDABLE_PORT is"]),
        ("FINDABLE_ALLOW_TARGET", ["FINDABLE_ALLOW_TARGET is not a setting; FINDABLE_ALLOW_TARGETS is"]),
        ("FINDABLE_QUEUE_LIMIT", ["FINDABLE_QUEUE_LIMIT is not a setting; FINDABLE_RATE_LIMIT is"]),
        ("FINDABLE_QQQQQQQQQQQQQQQQQQQQQQQQQQQQ", ["FINDABLE_QQQQQQQQQQQQQQQQQQQQQQQQQQQQ is not a setting and changes nothing"]),
    ],
)
def test_a_variable_that_only_looks_like_a_setting_is_named(name: str, sentences: list[str]) -> None:
    assert Settings.misspelt({name: "1"}) == sentences


def test_a_secret_is_not_shown() -> None:
    assert "hunter" not in repr(Settings(secret_key="hunter" * 8))


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"FINDABLE_ASK_AS_CRAWLERS": "perhaps"}, "FINDABLE_ASK_AS_CRAWLERS: 'perhaps' is neither true nor false"),
        ({"FINDABLE_PORT": "eighty"}, "FINDABLE_PORT: 'eighty' is not a whole number"),
        ({"FINDABLE_PORT": "70000"}, "FINDABLE_PORT: 70000 is not a port number from 1 to 65535"),
        ({"FINDABLE_BASE_URL": "seo.example.com"}, "FINDABLE_BASE_URL: 'seo.example.com' is not a URL"),
        ({"FINDABLE_BASE_URL": "https://example.com/seo"}, "FINDABLE_BASE_URL"),
        ({"FINDABLE_DATABASE_URL": "mysql://x/y"}, "FINDABLE_DATABASE_URL"),
        ({"FINDABLE_RATE_LIMIT": "-1"}, "FINDABLE_RATE_LIMIT: -1 is less than 0"),
        ({"FINDABLE_SECRET_KEY": "short"}, "FINDABLE_SECRET_KEY: the key is shorter than 32 characters"),
        ({"FINDABLE_SECRET_KEY_FILE": "/nowhere"}, "FINDABLE_SECRET_KEY_FILE: /nowhere cannot be read"),
        ({"FINDABLE_HOST": "a", "FINDABLE_HOST_FILE": "b"}, "FINDABLE_HOST: the setting is given twice"),
        ({"FINDABLE_CA_FILE": "/nowhere.pem"}, "FINDABLE_CA_FILE: /nowhere.pem is not a file"),
        ({"FINDABLE_CA_FILE": __file__}, f"FINDABLE_CA_FILE: {__file__} contains no certificate in PEM format"),
        (
            {"FINDABLE_USER_AGENT_CONTACT": "https://a.example/\nX-Evil: 1"},
            "FINDABLE_USER_AGENT_CONTACT: 'https://a.example/\\nX-Evil: 1' is not",
        ),
        ({"FINDABLE_USER_AGENT_CONTACT": "me"}, "FINDABLE_USER_AGENT_CONTACT: 'me' is not a URL"),
        ({"FINDABLE_TRUSTED_PROXIES": "10.0.0.1, proxy"}, "FINDABLE_TRUSTED_PROXIES: 'proxy'"),
        ({"FINDABLE_LOG_FOLDERS": "/var/log/nginx"}, "FINDABLE_LOG_FOLDERS: '/var/log/nginx' is not like web1=/var/log/nginx"),
        ({"FINDABLE_LOG_FOLDERS": "web1=../logs"}, "FINDABLE_LOG_FOLDERS: 'web1=../logs' is not like web1=/var/log/nginx"),
        ({"FINDABLE_LOG_FOLDERS": "web1=/a,web1=/b"}, "FINDABLE_LOG_FOLDERS: a name is given twice"),
        ({"FINDABLE_CONFIG": "/nowhere.toml"}, "FINDABLE_CONFIG: /nowhere.toml cannot be read"),
    ],
)
def test_f41_a_wrong_setting_is_named_as_it_was_written(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingError) as caught:
        Settings.load(None, environment)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("port = 'x'", "port in "),
        ("port = true", "c.toml: True is not a whole number"),
        ("port = 80.5", "c.toml: 80.5 is not a whole number"),
        ("allow_targets = [1]", "c.toml: [1] is not text"),
        ("data_dir = 5", "c.toml: 5 is not text"),
        ("prot = 1", "prot in "),
        ("queue_limit = 1", "queue_limit in "),
        ("port = ", "c.toml: the file is not valid TOML"),
    ],
)
def test_f41_a_wrong_file_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    config = tmp_path / "c.toml"
    config.write_text(text)
    with pytest.raises(SettingError) as caught:
        Settings.load(None, {"FINDABLE_CONFIG": str(config)})
    assert sentence in str(caught.value)


def test_a_home_directory_that_nobody_has_is_named() -> None:
    with pytest.raises(SettingError, match="FINDABLE_DATA_DIR: '~nobody-is-called-so/x' begins with a home directory"):
        Settings.load(None, {"FINDABLE_DATA_DIR": "~nobody-is-called-so/x"})


@pytest.mark.parametrize("url", ["postgresql://a:b@c/d", "postgres://c/d", "sqlite:////x.db"])
def test_a_database_is_a_file_or_a_server(url: str) -> None:
    settings = Settings.load(None, {"FINDABLE_DATABASE_URL": url})
    assert settings.database_url == url
    assert url not in repr(settings)


@pytest.mark.parametrize("url", ["mysql://a/b", "sqlite:///", "postgresql://", "/x.db"])
def test_another_database_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="FINDABLE_DATABASE_URL: the value is not a URL like sqlite"):
        Settings.load(None, {"FINDABLE_DATABASE_URL": url})


@given(st.dictionaries(st.sampled_from([f"FINDABLE_{name.upper()}" for name in documented_settings()]), st.text(max_size=40)))
def test_whatever_is_given_is_read_or_refused_by_name(environment: dict[str, str]) -> None:
    refused = None
    try:
        Settings.load(None, environment)
    except SettingError as error:
        refused = error.setting
    assert refused is None or refused in environment


def test_each_setting_is_documented_below_itself() -> None:
    texts = documented_settings()
    assert len(texts) >= 15
    assert all(text.endswith((".", "`")) for text in texts.values()), texts


def test_the_reference_page_is_up_to_date() -> None:
    assert (ROOT / "docs/reference/settings.md").read_text("utf-8") == settings_reference()


def test_reading_settings_loads_no_library() -> None:
    code = "import sys; import findable.settings; print([m for m in ('pydantic', 'sqlalchemy', 'asyncio') if m in sys.modules])"
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}
    )
    assert done.stdout.strip() == "[]"
    assert time.monotonic() - started < 60
