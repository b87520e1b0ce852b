#!/usr/bin/env python3
"""Makes the wheel of a Python package: a zip archive with a list of what is in it (PEP 427).

    wheel.py PACKAGE FOLDER [--program FILE]

PACKAGE has a pyproject.toml with the program's version. If the wheel has a program, pip installs it as a script, and the
wheel's tag is that of this kind of machine. It is not `manylinux`, because that has no GnuTLS, which the program loads,
and requires an older C library than this one. The same files give the same bytes.
"""

import argparse
import base64
import hashlib
import platform
import re
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version():
    text = (ROOT / "Sources/Use/covey/Version.swift").read_text()
    return re.search(r'^let version = "(.*)"$', text, re.M).group(1)


class Wheel:
    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.records = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}\n")

    def finish(self, info):
        name = f"{info}/RECORD"
        self.add(name, ("".join(self.records) + f"{name},,\n").encode())
        self.archive.close()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("package", type=Path)
    words.add_argument("folder", type=Path)
    words.add_argument("--program", type=Path)
    given = words.parse_args()

    project = tomllib.loads((given.package / "pyproject.toml").read_text())["project"]
    name = project["name"].replace("-", "_")
    stem = f"{name}-{version()}"
    tag = f"py3-none-linux_{platform.machine()}" if given.program else "py3-none-any"
    path = given.folder / f"{stem}-{tag}.whl"
    wheel = Wheel(path)
    files = [file for file in (given.package / name).rglob("*") if file.suffix == ".py" or file.name == "py.typed"]
    for file in sorted(files):
        wheel.add(str(file.relative_to(given.package)), file.read_bytes())
    if given.program:
        wheel.add(f"{stem}.data/scripts/covey", given.program.read_bytes(), 0o755)
    info = f"{stem}.dist-info"
    head = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version()}",
            f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
            f"License-Expression: {project['license']}", "License-File: LICENSE"]
    head += [f"Author: {author['name']}" for author in project["authors"]]
    head += [f"Classifier: {each}" for each in project.get("classifiers", [])]
    for needed in project.get("dependencies", []):
        head.append(f"Requires-Dist: {needed}")
    for extra, needed in project.get("optional-dependencies", {}).items():
        head.append(f"Provides-Extra: {extra}")
        head += [f"Requires-Dist: {each} ; extra == '{extra}'" for each in needed]
    wheel.add(f"{info}/METADATA", ("\n".join(head) + "\n").encode())
    wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
    pure = "false" if given.program else "true"
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: covey\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode())
    wheel.finish(info)
    print(path)


main()
