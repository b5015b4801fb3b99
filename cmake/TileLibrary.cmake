# tile_add_library(<name> [MLIR] SOURCES <file>... [LINK <library>...] [DEPENDS <target>...])
#
# One folder of lib/ is one library with an honest list of links. Without MLIR
# the library is plain C++ and cannot even see MLIR's headers, and is a component
# of the package; with MLIR it links it and belongs to the component Compiler.
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
    tile_reuse_header(${name} TileStandardHeader)
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
  else()
    tile_reuse_header(${name} TileStandardHeader)
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
    tile_reuse_header(${target} TilePrecompiledHeader)
    # Not part of what is installed or exported: there the target does not exist.
    target_link_libraries(${target} PRIVATE
      "$<$<TARGET_EXISTS:TilePrecompiledHeader>:TilePrecompiledHeader>")
  endif()
endfunction()

# Precompiled headers -----------------------------------------------------

# tile_add_header(<carrier> <file of cmake/>): a header, precompiled once for all that
# reuse it.
function(tile_add_header carrier file)
  set(source ${CMAKE_BINARY_DIR}/${carrier}.cpp)
  file(WRITE ${source} "// Carries a precompiled header.\n")
  add_library(${carrier} OBJECT ${source})
  target_precompile_headers(${carrier} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/${file}>")
  if(CCACHE_PROGRAM)
    set_target_properties(${carrier} PROPERTIES CXX_COMPILER_LAUNCHER
      "${PROJECT_SOURCE_DIR}/cmake/precompile.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# A header of libraries and programs fits -fPIC, not -fPIE.
function(tile_reuse_header target carrier)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${carrier})
endfunction()

# For what sees MLIR. Of our own only the dialect's operations belong into it: with their
# change nearly all is compiled anew anyway.
tile_add_header(TilePrecompiledHeader PrecompiledHeader.h)
target_include_directories(TilePrecompiledHeader PRIVATE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
add_dependencies(TilePrecompiledHeader TileDialectIncGen)
tile_use_mlir(TilePrecompiledHeader)

# For plain C++.
tile_add_header(TileStandardHeader StandardHeader.h)
