"""Which addresses the guard lets pass: S1 to S7, S14, S15, S19, S21."""

from ipaddress import ip_network

import pytest

from findable import urls
from findable.api.options import AuditOptions
from findable.api.targets import guard_of, typed_url
from findable.errors import SettingError
from findable.fetch.egress_guard import AllowedTarget, Guard, Refusal
from findable.fetch.ip_addresses import nat64_prefix
from findable.settings import Settings

DEFAULT = Guard()

# The IANA registries written out a second time, by hand: a row lost in the data file fails here.
SPECIAL_IPV4 = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.0.0/29",
    "192.0.0.8/32",
    "192.0.0.9/32",
    "192.0.0.10/32",
    "192.0.0.170/32",
    "192.0.0.171/32",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
]
SPECIAL_IPV6 = [
    "::1/128",
    "::/128",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001::/32",
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:1::3/128",
    "2001:2::/48",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:10::/28",
    "2001:20::/28",
    "2001:30::/28",
    "2001:db8::/32",
    "2620:4f:8000::/48",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
]


def refused(ip: str, guard: Guard = DEFAULT) -> bool:
    return guard.check_address("name.example", 443, ip) is not None


@pytest.mark.parametrize("block", SPECIAL_IPV4 + SPECIAL_IPV6)
def test_s1_special_purpose_blocks_are_refused(block: str) -> None:
    network = ip_network(block)
    first, last = int(network.network_address), int(network.broadcast_address)
    kind = type(network.network_address)
    for number in {first, last, (first + last) // 2}:
        assert refused(str(kind(number)))


@pytest.mark.parametrize("block", SPECIAL_IPV4 + SPECIAL_IPV6)
def test_s1_the_addresses_beside_a_block_are_allowed_where_no_other_block_has_them(block: str) -> None:
    network = ip_network(block)
    kind = type(network.network_address)
    others = [ip_network(text) for text in (SPECIAL_IPV4 if network.version == 4 else SPECIAL_IPV6)]
    unicast = ip_network("2000::/3") if network.version == 6 else ip_network("0.0.0.0/0")
    for number in (int(network.network_address) - 1, int(network.broadcast_address) + 1):
        if 0 <= number < 1 << network.max_prefixlen:
            beside = kind(number)
            expected = any(beside in other for other in others) or beside not in unicast
            assert refused(str(beside)) is expected, beside


@pytest.mark.parametrize("ip", ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888"])
def test_s1_public_addresses_are_allowed(ip: str) -> None:
    assert not refused(ip)


def test_s1_what_the_ietf_reserves_outside_global_unicast_is_refused() -> None:
    assert all(refused(ip) for ip in ("200::1", "400::1", "4000::1", "8000::1", "e000::1", "fe00::1"))


METADATA = ["100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "169.254.169.254", "fd00:ec2::254", "fd20:ce::254"]


@pytest.mark.parametrize("ip", METADATA)
def test_s2_metadata_is_refused_even_inside_allowed_ranges(ip: str) -> None:
    ranges = Guard(AllowedTarget.parse_all("0.0.0.0/0, ::/0, name.example"))
    assert refused(ip)
    assert refused(ip, ranges)
    assert ranges.check_address("name.example", 443, "10.0.0.1") is None
    assert not refused(ip, Guard(AllowedTarget.parse_all(ip)))
    mapped = f"::ffff:{ip}" if "." in ip else ip
    assert refused(mapped, ranges)


@pytest.mark.parametrize("host", ["169.254.169.254", "[fd00:ec2::254]", "[::ffff:169.254.169.254]", "2852039166"])
def test_s2_typing_a_metadata_address_is_no_permission(host: str) -> None:
    typed = typed_url(f"http://{host}/")
    assert guard_of(AuditOptions(), Settings(), [typed]).check_url(typed.href) == Refusal.PRIVATE_ADDRESS
    assert guard_of(AuditOptions(allow_target=("169.254.169.254", "fd00:ec2::254")), Settings(), [typed]).check_url(typed.href) is None
    private = typed_url("http://10.0.0.1/")
    assert guard_of(AuditOptions(), Settings(), [private]).check_url(private.href) is None


@pytest.mark.parametrize(
    "ip",
    [
        "::ffff:7f00:1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2600:1::5efe:a00:1",
        "2600:1::200:5efe:10.0.0.1",
    ],
)
def test_s3_addresses_with_a_private_one_inside_are_refused(ip: str) -> None:
    assert refused(ip)


@pytest.mark.parametrize("ip", ["64:ff9b::808:808", "::ffff:8.8.8.8", "2002:808:808::1", "2600:1::5efe:808:808"])
def test_s3_addresses_with_a_public_one_inside_are_allowed(ip: str) -> None:
    assert not refused(ip)


@pytest.mark.parametrize(
    ("prefix", "private", "public"),
    [
        ("2600:ff00::/96", "2600:ff00::10.0.0.1", "2600:ff00::8.8.8.8"),
        ("2600:ff00::/32", "2600:ff00:a00:1::", "2600:ff00:808:808::"),
        ("2600:ff00:1::/48", "2600:ff00:1:a00:0:100::", "2600:ff00:1:808:8:800::"),
        ("2600:ff00:1:1::/64", "2600:ff00:1:1:a:0:100:0", "2600:ff00:1:1:8:808:800:0"),
        ("64:ff9b:1::/48", "64:ff9b:1:a00:0:100::", "64:ff9b:1:808:8:800::"),
    ],
)
def test_s4_the_networks_own_nat64_prefix_is_unwrapped(prefix: str, private: str, public: str) -> None:
    guard = Guard(nat64_prefixes=[nat64_prefix(prefix)])
    assert refused(private, guard)
    assert not refused(public, guard)


def test_s4_a_prefix_of_another_length_is_none() -> None:
    with pytest.raises(ValueError, match="length"):
        nat64_prefix("2600:ff00::/72")


@pytest.mark.parametrize(
    "host", ["[::]", "0.0.0.0", "0", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%25lo]", "[fec0::1]", "[ff02::1]", "224.0.0.1", "[::1]"]
)
def test_s5_addresses_without_a_host_are_refused(host: str) -> None:
    assert DEFAULT.check_url(f"http://{host}/") is not None


LOOPBACK_STRINGS = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://loc%61lhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://foo.localhost/",
    "http:127.0.0.1/",
    "http:/127.0.0.1/",
    "http:///127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http://127.0.0.1:80\\@example.com/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "\thttp://127.0.0.1/\n",
    "http://127.0.0.1\t/",
    "http://127.\n0.0.1/",
]


@pytest.mark.parametrize("text", LOOPBACK_STRINGS)
def test_s6_every_spelling_of_loopback_is_refused(text: str) -> None:
    assert DEFAULT.check_url(text) is not None


@pytest.mark.parametrize(
    ("text", "host"),
    [("http://example.com\\@127.0.0.1/", "example.com"), ("http://010.0.0.1/", "8.0.0.1"), ("http://EXAMPLE.com/", "example.com")],
)
def test_s6_what_is_another_host_is_that_host(text: str, host: str) -> None:
    parsed = urls.parse(text)
    assert parsed is not None
    assert parsed.host == host
    assert DEFAULT.check_url(text) is None


@pytest.mark.parametrize(
    "text", ["http://exa\0mple.com/", "http://exa mple.com/", "//example.com/", "example.com", "", "http://", "http://a<b/"]
)
def test_s7_what_is_no_url_is_refused(text: str) -> None:
    assert DEFAULT.check_url(text) == Refusal.NOT_A_URL


@pytest.mark.parametrize(
    "text",
    ["jar:http://x!/", "file:///etc/passwd", "data:text/html,x", "ftp://example.com/", "gopher://x/", "javascript:1", "blob:http://x/"],
)
def test_s13_other_schemes_are_refused(text: str) -> None:
    assert DEFAULT.check_url(text) == Refusal.NOT_HTTP


@pytest.mark.parametrize("port", [22, 25, 6379, 0, 81, 8000])
def test_s14_other_ports_are_refused(port: int) -> None:
    assert DEFAULT.check_url(f"http://example.com:{port}/") == Refusal.PORT_NOT_ALLOWED
    assert DEFAULT.check_url(f"http://8.8.8.8:{port}/") == Refusal.PORT_NOT_ALLOWED
    assert DEFAULT.check_address("example.com", port, "8.8.8.8") == Refusal.PORT_NOT_ALLOWED


@pytest.mark.parametrize("port", [80, 443, 8080, 8443])
def test_s14_the_ports_of_the_web_are_allowed(port: int) -> None:
    assert DEFAULT.check_url(f"https://example.com:{port}/") is None


@pytest.mark.parametrize("text", ["http://example.com:65536/", "http://example.com:+80/", "http://example.com:80x/"])
def test_s14_what_is_no_port_is_no_url(text: str) -> None:
    assert DEFAULT.check_url(text) == Refusal.NOT_A_URL


def test_s14_a_port_may_be_configured() -> None:
    assert Guard(extra_ports=[8000]).check_url("http://example.com:8000/") is None


@pytest.mark.parametrize("text", ["https://u:p@example.com/", "https://u@example.com/", "https://:p@example.com/"])
def test_s15_userinfo_is_refused_and_basic_auth_named(text: str) -> None:
    assert DEFAULT.check_url(text) == Refusal.HAS_USERINFO
    assert "Basic" in Refusal.HAS_USERINFO.words


def test_s19_our_own_address_is_refused_whatever_is_allowed() -> None:
    everything = AllowedTarget.parse_all("127.0.0.0/8, ::1, localhost, seo.example")
    guard = Guard(everything, own_addresses=[("127.0.0.1", 8000), ("::1", 8000), ("SEO.example.", 443)])
    assert guard.check_url("http://127.0.0.1:8000/") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://[::ffff:127.0.0.1]:8000/") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://[::1]:8000/") == Refusal.OWN_ADDRESS
    assert guard.check_url("https://seo.example/") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://seo.example/") is None
    assert guard.check_address("name.example", 8000, "127.0.0.1") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://127.0.0.1:8001/") is None


@pytest.mark.parametrize("wildcard", ["0.0.0.0", "::"])
def test_s19_listening_everywhere_means_every_address_of_the_machine(wildcard: str) -> None:
    guard = Guard(AllowedTarget.parse_all("127.0.0.0/8"), own_addresses=[(wildcard, 8000)])
    assert guard.check_url("http://127.0.0.1:8000/") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://127.7.7.7:8000/") == Refusal.OWN_ADDRESS
    assert guard.check_url("http://127.0.0.1:8080/") is None


def test_s21_an_allowed_network_opens_that_network_alone_on_any_port() -> None:
    guard = Guard(AllowedTarget.parse_all("10.1.0.0/16"))
    assert guard.check_url("http://10.1.2.3:5000/") is None
    assert guard.check_url("http://[::ffff:10.1.2.3]/") is None
    assert guard.check_url("http://10.2.0.1/") is not None
    assert guard.check_url("http://169.254.169.254/") is not None
    assert guard.check_address("intranet.example", 5000, "10.1.2.3") is None
    assert guard.check_address("example.com", 5000, "8.8.8.8") == Refusal.PORT_NOT_ALLOWED


def test_s21_an_allowed_host_with_a_port_opens_that_port_alone() -> None:
    guard = Guard(AllowedTarget.parse_all("intranet:8000, 10.0.0.1:9000, [::1]:7000"))
    assert guard.check_url("http://intranet:8000/") is None
    assert guard.check_address("intranet", 8000, "192.168.0.4") is None
    assert guard.check_address("intranet", 80, "192.168.0.4") is not None
    assert guard.check_address("other", 8000, "192.168.0.4") is not None
    assert guard.check_url("http://10.0.0.1:9000/") is None
    assert guard.check_url("http://10.0.0.1/") is not None
    assert guard.check_url("http://[::1]:7000/") is None


def test_s21_an_allowed_name_opens_any_port_of_that_name_alone() -> None:
    guard = Guard(AllowedTarget.parse_all("staging.example"))
    assert guard.check_url("http://staging.example:5000/") is None
    assert guard.check_address("STAGING.example.", 5000, "10.0.0.1") is None
    assert guard.check_address("www.staging.example", 443, "10.0.0.1") is not None


@pytest.mark.parametrize("text", ["10.0.0.1/8", "a/b", "host:x", "a b", "u@h", "http://h", "h:99999", "h?x", "*.example.com:"])
def test_s21_a_wrong_entry_names_the_setting(text: str) -> None:
    with pytest.raises(SettingError, match="ALLOW_TARGETS"):
        AllowedTarget.parse(text)


def test_a_name_with_one_bad_answer_is_refused_whole() -> None:
    assert DEFAULT.check_addresses("name.example", 443, ["8.8.8.8", "127.0.0.1"]) is not None
    assert DEFAULT.check_addresses("name.example", 443, ["8.8.8.8", "2606:4700::1111"]) is None
