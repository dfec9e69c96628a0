#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is inside an image, as SPDX 2.3: spdx.py NAME ROOT BUILT prints the list of the image NAME whose files are below ROOT.

Runs where muster was built: what it links statically is taken from there, and the wheels from BUILT.
"""

import datetime
import email.parser
import hashlib
import json
import pathlib
import re
import sys
import uuid

# Build dependencies whose code is in muster's programs.
LINKED_PACKAGES = ("libcli11-dev", "libfmt-dev", "libmd-dev", "libpugixml-dev", "nlohmann-json3-dev")
LINKED_WHEELS = ("nvidia-cuda-runtime",)
NOT_SAID = {"licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def paragraphs(file):
    """Those of a file of dpkg, as mappings."""
    for text in file.read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): *(.*)$", text, re.MULTILINE))
        if fields:
            yield fields


def installed(root):
    """By name."""
    everything = paragraphs(root / "var/lib/dpkg/status")
    return {fields["Package"]: fields for fields in everything if fields["Status"].endswith(" installed")}


def identifier(*words):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.]", "-", word) for word in words)


def package(kind, name, version, **fields):
    return {"SPDXID": identifier(kind, name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseDeclared": "NOASSERTION", **NOT_SAID, **fields}


def locator(url):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}]


def person(text):
    """A maintainer as dpkg names one, as SPDX does."""
    name, address = re.fullmatch(r"(.*?)\s*(?:<(.*)>)?", text).groups()
    return f"Organization: {name}" + (f" ({address})" if address else "")


def system(root):
    text = (root / "etc/os-release").read_text(encoding="utf-8")
    return {key: value.strip('"') for key, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)}


def debian_package(fields, release):
    name, version, architecture = fields["Package"], fields["Version"], fields["Architecture"]
    source = fields.get("Source", name)
    url = f"pkg:deb/{release['ID']}/{name}@{version.replace('+', '%2B').replace(':', '%3A')}"
    url += f"?arch={architecture}&distro={release['ID']}-{release['VERSION_ID']}"
    return package("deb", name, version, supplier=person(fields["Maintainer"]), sourceInfo=f"built from the source package {source}",
                   externalRefs=locator(url))


def wheel(folder):
    fields = email.parser.Parser().parsestr((folder / "METADATA").read_text(encoding="utf-8"))
    name, version = fields["Name"], fields["Version"]
    return package("wheel", name, version, supplier="Organization: NVIDIA Corporation",
                   licenseComments=f"The wheel says: {fields['License-Expression'] or fields['License']}",
                   externalRefs=locator(f"pkg:pypi/{name}@{version}"))


def own_files(root):
    """The files of muster's package, with their sums."""
    for line in (root / "var/lib/dpkg/info/muster.list").read_text(encoding="utf-8").splitlines():
        file = root / line.lstrip("/")
        if file.is_file() and not file.is_symlink():
            content = file.read_bytes()
            sums = [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, content).hexdigest()} for name in ("sha1", "sha256")]
            yield {"SPDXID": identifier("file", line.lstrip("/").replace("/", "-")), "fileName": "." + line, "checksums": sums,
                   "licenseInfoInFiles": ["NOASSERTION"], **NOT_SAID}


def muster_package(fields, files):
    sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(sums).encode()).hexdigest()  # as SPDX 2.3, 7.9, has it
    return package("muster", fields["Package"], fields["Version"], filesAnalyzed=True, licenseDeclared="Apache-2.0",
                   licenseInfoFromFiles=["NOASSERTION"], packageVerificationCode={"packageVerificationCodeValue": code})


def relation(one, kind, other):
    return {"spdxElementId": one["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}


def document(name, root, built):
    release, debs = system(root), installed(root)
    own = debs.pop("muster")
    files = list(own_files(root))
    muster = muster_package(own, files)
    image = package("image", name, own["Version"], primaryPackagePurpose="CONTAINER")
    base = package("system", release["ID"], release["VERSION_ID"], primaryPackagePurpose="OPERATING-SYSTEM")
    others = [debian_package(fields, release) for fields in debs.values()]
    wheels = [wheel(folder) for folder in sorted((built / "wheels").glob("*.dist-info"))]
    here = installed(pathlib.Path("/"))
    linked = [package("linked", each, here[each]["Version"], supplier=person(here[each]["Maintainer"])) for each in LINKED_PACKAGES]
    linked += [each for each in wheels if each["name"] in LINKED_WHEELS]
    shared = [each for each in wheels if each not in linked]

    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": image["SPDXID"]}]
    relations += [relation(image, "CONTAINS", other) for other in (base, muster, *others, *shared)]
    relations += [relation(muster, "CONTAINS", file) for file in files]
    relations += [relation(muster, "STATIC_LINK", library) for library in linked]
    packages = [image, base, muster, *others, *shared, *linked]
    content = {"packages": packages, "files": files, "relationships": relations}
    unique = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content))
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{own['Version']}",
            "documentNamespace": f"urn:uuid:{unique}",
            "creationInfo": {"created": now, "creators": [f"Tool: muster-containers-{own['Version']}"]}, **content}


def main():
    name, root, built = sys.argv[1:]
    print(json.dumps(document(name, pathlib.Path(root), pathlib.Path(built)), indent=1))


if __name__ == "__main__":
    main()
