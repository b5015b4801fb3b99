# TileStaticMlir: MLIR and LLVM as archives, for the project's own programs.
#
# Binding the symbols of libMLIR and libLLVM takes two thirds of what an MLIR tool
# takes to start (docs/decisions/0024-tools-hold-llvm.md). A program holds either the
# archives or the shared libraries: both together register LLVM's options twice and
# abort. So `tile_use_mlir` leaves the shared ones out of what has the property
# TILE_STATIC_MLIR, and everything else, installed libraries included, links them.
#
# Needs lld, to which the order of archives does not matter.

function(tile_find_static_mlir)
  get_property(names GLOBAL PROPERTY MLIR_ALL_LIBS)
  # Bindings and upstream's tests are none of a tool's business.
  list(FILTER names EXCLUDE REGEX "CAPI|Test|Runner|^MLIR$")
  set(archives "")
  foreach(name IN LISTS names LLVM_AVAILABLE_LIBS)
    if(TARGET ${name})
      get_target_property(kind ${name} TYPE)
      get_target_property(file ${name} LOCATION)
      if(kind STREQUAL STATIC_LIBRARY AND EXISTS "${file}")
        list(APPEND archives "${file}")
      endif()
    endif()
  endforeach()
  set(libraries "")
  # The distribution's development packages do not need those of zstd, but LLVM does.
  foreach(name z "zstd;libzstd.so.1" xml2 tinfo)
    list(GET name 0 variable)
    find_library(TILE_LIB_${variable} NAMES ${name})
    mark_as_advanced(TILE_LIB_${variable})
    list(APPEND libraries "${TILE_LIB_${variable}}")
  endforeach()
  if(NOT archives MATCHES "libMLIRIR\\.a" OR NOT archives MATCHES "libLLVMNVPTXCodeGen\\.a"
     OR libraries MATCHES "NOTFOUND")
    message(STATUS "MLIR as archives: not found; the tools use the shared libraries")
    return()
  endif()
  message(STATUS "MLIR as archives: linked into the tools")
  add_library(TileStaticMlir INTERFACE)
  target_link_libraries(TileStaticMlir INTERFACE
    -Wl,--start-group ${archives} -Wl,--end-group ${libraries} ${CMAKE_DL_LIBS} pthread m)
  # Without relocations a program starts in a third of the rest: those of its own, and
  # those to the C++ library's, of which each type's information has one.
  include(CheckLinkerFlag)
  set(static_options -no-pie)
  check_linker_flag(CXX "-static-libstdc++" TILE_HAS_STATIC_LIBSTDCXX)
  if(TILE_HAS_STATIC_LIBSTDCXX)
    list(APPEND static_options -static-libstdc++ -static-libgcc)
  endif()
  target_link_options(TileStaticMlir INTERFACE -Wl,--gc-sections -Wl,--as-needed
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${static_options}>")
endfunction()

if(TILE_STATIC_TOOLS AND CMAKE_CXX_COMPILER_ID MATCHES Clang AND NOT TILE_SANITIZE)
  tile_find_static_mlir()
endif()

# Lets a program or shared library that uses MLIR hold it, where the archives are there.
function(tile_hold_mlir target)
  if(TARGET TileStaticMlir)
    set_target_properties(${target} PROPERTIES TILE_STATIC_MLIR ON)
    target_link_libraries(${target} PRIVATE TileStaticMlir)
  endif()
endfunction()
