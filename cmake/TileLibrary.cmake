# tile_add_library(<name> [MLIR] SOURCES <file>... [LINK <library>...] [DEPENDS <target>...])
#
# One folder of lib/ is one library with an honest list of links. Without MLIR
# the library is plain C++ and cannot even see MLIR's headers, and is a component
# of the package; with MLIR it links it, shares the project's one
# precompiled header, and belongs to the component Compiler.
function(tile_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Tile::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR)
    tile_use_mlir(${name})
    set(export TileCompilerTargets)
  else()
    set(export TileStandaloneTargets)
    string(REGEX REPLACE "^Tile" "" component ${name})
    set_property(GLOBAL APPEND PROPERTY TILE_STANDALONE_COMPONENTS ${component})
  endif()
  install(TARGETS ${name} EXPORT ${export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# tile_add_tool(<name> [MLIR] SOURCES <file>... [LINK <library>...])
function(tile_add_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  # What --version prints.
  target_compile_definitions(${name} PRIVATE TILE_VERSION="${PROJECT_VERSION}")
  if(ARG_MLIR)
    tile_use_mlir(${name})
    tile_hold_mlir(${name})
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# Lets one target see MLIR: headers, definitions, the two shared libraries (but for
# programs that hold the archives, TileStaticMlir.cmake) and the precompiled header.
function(tile_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC
    "$<BUILD_INTERFACE:${TILE_MLIR_INCLUDE_DIRS}>")
  target_compile_definitions(${target} PUBLIC ${TILE_LLVM_DEFINITIONS})
  target_link_libraries(${target} PUBLIC
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:TILE_STATIC_MLIR>>>:MLIR;LLVM>")
  if(NOT target STREQUAL TilePrecompiledHeader)
    # One header for libraries and programs: it fits -fPIC, not -fPIE.
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL EXECUTABLE)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
    target_precompile_headers(${target} REUSE_FROM TilePrecompiledHeader)
    # Not part of what is installed or exported: there the target does not exist.
    target_link_libraries(${target} PRIVATE
      "$<$<TARGET_EXISTS:TilePrecompiledHeader>:TilePrecompiledHeader>")
  endif()
endfunction()

# The one precompiled header: MLIR's expensive headers, none of our own, so it is
# compiled once and never again.
file(WRITE ${CMAKE_BINARY_DIR}/TilePrecompiledHeader.cpp "// Carries the precompiled header.\n")
add_library(TilePrecompiledHeader OBJECT ${CMAKE_BINARY_DIR}/TilePrecompiledHeader.cpp)
tile_use_mlir(TilePrecompiledHeader)
target_precompile_headers(TilePrecompiledHeader PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeader.h>")
