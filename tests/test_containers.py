"""The files for containers: what they allow, and what they share."""

import re
from pathlib import Path
from typing import Any

import yaml

PACKAGING = Path(__file__).parents[1] / "packaging"


def manifests() -> dict[str, Any]:
    return {one["kind"]: one for one in yaml.safe_load_all((PACKAGING / "kubernetes" / "findable.yaml").read_text())}


def test_the_slim_image_has_what_the_full_one_has_but_for_pdf_and_parquet() -> None:
    full, slim = (
        set(re.findall(r"^([a-z0-9-]+)==", (PACKAGING / name).read_text(), re.MULTILINE)) for name in ("service.lock", "slim.lock")
    )
    assert full - slim == {"typst", "pyarrow"}
    assert slim <= full
    for name in ("service.lock", "slim.lock"):
        for block in re.split(r"\n(?=[a-z0-9])", (PACKAGING / name).read_text()):
            assert "--hash=sha256:" in block, block


def test_containers_write_to_their_volume_alone_and_have_no_rights() -> None:
    compose = yaml.safe_load((PACKAGING / "compose.sqlite.yaml").read_text())["services"]["findable"]
    assert compose["read_only"] is True
    assert compose["cap_drop"] == ["ALL"]
    assert compose["volumes"] == ["data:/var/lib/findable"]
    assert all(port.startswith("127.0.0.1:") for port in compose["ports"])
    pod = manifests()["Deployment"]["spec"]["template"]["spec"]
    container = pod["containers"][0]
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["enableServiceLinks"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/var/lib/findable", "/tmp"}
    dockerfile = (PACKAGING / "Dockerfile").read_text()
    assert "USER 10001:10001" in dockerfile
    assert "--require-hashes" in dockerfile


def test_the_manifests_belong_together() -> None:
    found = manifests()
    assert set(found) == {"PersistentVolumeClaim", "ConfigMap", "Deployment", "Service"}
    deployment = found["Deployment"]["spec"]
    labels = deployment["template"]["metadata"]["labels"]
    assert deployment["selector"]["matchLabels"] == labels == found["Service"]["spec"]["selector"]
    assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})
    pod = deployment["template"]["spec"]
    ports = {port["name"] for port in pod["containers"][0]["ports"]}
    assert {port["targetPort"] for port in found["Service"]["spec"]["ports"]} <= ports
    assert {volume["name"] for volume in pod["volumes"]} == {mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    claims = {volume["persistentVolumeClaim"]["claimName"] for volume in pod["volumes"] if "persistentVolumeClaim" in volume}
    assert claims == {found["PersistentVolumeClaim"]["metadata"]["name"]}
