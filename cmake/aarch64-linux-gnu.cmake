# SPDX-License-Identifier: Apache-2.0
# Kernels and their tests for 64-bit ARM, run under qemu:
#   cmake -B build-arm -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux-gnu.cmake -DSOTTO_ENGINE=OFF -DSOTTO_UI=OFF -DSOTTO_TESTS=ON
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

# doctest is a header of the host. Its folder also holds the host's C library, which must not be seen:
# a link to the one folder of it.
if(EXISTS /usr/include/doctest AND NOT EXISTS ${CMAKE_BINARY_DIR}/host-headers/doctest)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers)
    file(CREATE_LINK /usr/include/doctest ${CMAKE_BINARY_DIR}/host-headers/doctest SYMBOLIC)
endif()
set(DOCTEST_INCLUDE ${CMAKE_BINARY_DIR}/host-headers CACHE PATH "Folder of doctest/doctest.h")
