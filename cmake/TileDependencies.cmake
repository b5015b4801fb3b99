# Finds MLIR 22 and what the tests need, and sets the flags all code is built with.

find_package(MLIR REQUIRED CONFIG)
if(NOT MLIR_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "MLIR 22 is needed, ${MLIR_DIR} has ${MLIR_VERSION}")
endif()
message(STATUS "MLIR ${MLIR_VERSION} from ${MLIR_DIR}")
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_package(GTest)

# Compiler and linker flags -------------------------------------------------

set(TILE_MLIR_INCLUDE_DIRS ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(TILE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-exceptions)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Lets ccache see through precompiled headers.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  add_link_options(-fuse-ld=lld)
endif()
if(TILE_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()
if(TILE_ENABLE_ASSERTIONS)
  add_compile_options(-UNDEBUG)
endif()
if(TILE_SANITIZE)
  add_compile_options(-fsanitize=${TILE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TILE_SANITIZE})
endif()

# Installed programs find libMLIR and libLLVM where they were linked.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Tools ----------------------------------------------------------------------

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What a file depends on says the compiler, once; cmake/precompile.sh writes the sums of
  # precompiled headers. Otherwise a file that is not known takes twice the compiler's time.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_DEPEND=true CCACHE_PCH_EXTSUM=true ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
