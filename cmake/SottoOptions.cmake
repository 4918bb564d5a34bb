# SPDX-License-Identifier: Apache-2.0
# The flags that every target of ours has; a target takes them by linking sotto_options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(SOTTO_CCACHE ccache)
if(SOTTO_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${SOTTO_CCACHE})
endif()

add_library(sotto_options INTERFACE)
target_include_directories(sotto_options INTERFACE ${CMAKE_SOURCE_DIR})
if(MSVC)
    target_compile_options(sotto_options INTERFACE /W4 /fp:precise /utf-8)
else()
    # Contraction would fuse a*b+c where the compiler likes: the bits must not depend on that
    # (numerics, rule 8). Fused operations are written out.
    target_compile_options(sotto_options INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow
                                                   -Wnon-virtual-dtor)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # gcc bug 105651: warns of "text" + std::string in its own headers
    target_compile_options(sotto_options INTERFACE -Wno-restrict)
    if(CMAKE_UNITY_BUILD) # it takes a source within a unity source for a header, and warns of bounds it has inlined away
        target_compile_options(sotto_options INTERFACE -Wno-subobject-linkage -Wno-array-bounds)
    endif()
endif()
if(SOTTO_WERROR)
    target_compile_options(sotto_options INTERFACE $<IF:$<CXX_COMPILER_ID:MSVC>,/WX,-Werror>)
endif()
if(SOTTO_SANITIZE)
    target_compile_options(sotto_options INTERFACE -fsanitize=${SOTTO_SANITIZE}
                           -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
    target_link_options(sotto_options INTERFACE -fsanitize=${SOTTO_SANITIZE})
endif()
# Debian's clang links with ld by default; lld takes a fifth of the time on sanitizer builds.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(sotto_options INTERFACE -fuse-ld=lld)
endif()
