# The package that find_package(Tile) finds, from an install and from a build
# tree: headers, TableGen sources, generated headers, libraries, tools, plugin.
# Beside it pages and examples, where their links to each other hold.

set(TILE_INSTALL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tile)

# Headers --------------------------------------------------------------------

install(DIRECTORY include/tile include/tile-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/tile
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
# C needs no MLIR: what tile-c includes of mlir-c stands beside it.
if(TARGET TileC)
  install(DIRECTORY ${MLIR_INCLUDE_DIRS}/mlir-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc")
endif()

# Targets --------------------------------------------------------------------

# Two sets, so that the libraries that stand alone are had without MLIR.
foreach(set TileStandaloneTargets TileCompilerTargets)
  install(EXPORT ${set} NAMESPACE Tile:: DESTINATION ${TILE_INSTALL_CMAKE_DIR})
  export(EXPORT ${set} NAMESPACE Tile::
    FILE ${PROJECT_BINARY_DIR}/lib/cmake/Tile/${set}.cmake)
endforeach()

# Configuration --------------------------------------------------------------

get_property(TILE_STANDALONE_COMPONENTS GLOBAL PROPERTY TILE_STANDALONE_COMPONENTS)
list(SORT TILE_STANDALONE_COMPONENTS)
set(TILE_CONFIG_DIR ${PROJECT_BINARY_DIR}/lib/cmake/Tile)
write_basic_package_version_file(${TILE_CONFIG_DIR}/TileConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

set(TILE_CONFIG_INCLUDE_DIRS
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
set(TILE_CONFIG_TOOLS_DIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
configure_package_config_file(cmake/TileConfig.cmake.in
  ${TILE_CONFIG_DIR}/TileConfig.cmake
  INSTALL_DESTINATION ${TILE_CONFIG_DIR}
  INSTALL_PREFIX ${PROJECT_BINARY_DIR}
  PATH_VARS TILE_CONFIG_INCLUDE_DIRS TILE_CONFIG_TOOLS_DIR)

set(TILE_CONFIG_INCLUDE_DIRS ${CMAKE_INSTALL_INCLUDEDIR})
set(TILE_CONFIG_TOOLS_DIR ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/TileConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/TileConfig.cmake
  INSTALL_DESTINATION ${TILE_INSTALL_CMAKE_DIR}
  PATH_VARS TILE_CONFIG_INCLUDE_DIRS TILE_CONFIG_TOOLS_DIR)

install(FILES ${PROJECT_BINARY_DIR}/install/TileConfig.cmake
  ${TILE_CONFIG_DIR}/TileConfigVersion.cmake
  DESTINATION ${TILE_INSTALL_CMAKE_DIR})

# Completion -----------------------------------------------------------------

# Where shells look for it: bash and fish by the name of the command.
foreach(tool tile-opt tile-run ptx-run tile-reduce tile-lsp-server)
  install(FILES tools/completion/tile.bash RENAME ${tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES tools/completion/tile.fish RENAME ${tool}.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
install(FILES tools/completion/tile.zsh RENAME _tile
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# Pages ----------------------------------------------------------------------

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY python/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/python
  FILES_MATCHING PATTERN "*.py")
install(DIRECTORY test/Embedding/consumer
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/test/Embedding)
