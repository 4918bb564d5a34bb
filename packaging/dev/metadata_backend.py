# SPDX-License-Identifier: Apache-2.0
"""A build backend that builds nothing: it stands in for the one that a source package names (see
python_packages.sh), so that pip fetches the archive and runs none of its code. pip calls it in the
unpacked archive and wants the package's metadata: that is the file PKG-INFO at its top."""
import email.parser
import pathlib
import shutil


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        headers = email.parser.HeaderParser().parse(file)
    name = "%s-%s.dist-info" % (headers["Name"].replace("-", "_"), headers["Version"])
    folder = pathlib.Path(metadata_directory, name)
    folder.mkdir()
    shutil.copyfile("PKG-INFO", folder / "METADATA")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("nothing is built here: the package is fetched for the files in it")
