# How the .mlir tests run: each file's RUN lines, with the tools of this build and
# LLVM's FileCheck and not. Folders mirror lib/.
import os
import shutil
import subprocess

import lit.formats
import lit.llvm
from lit.llvm.subst import ToolSubst

config.name = "Tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lib", "tools", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tile_binary_dir, "test")

lit.llvm.initialize(lit_config, config)
config.tile_tools_dir = lit_config.params.get("tile_tools_dir", config.tile_tools_dir)
config.substitutions.append(("%tile_tools_dir", config.tile_tools_dir))
config.substitutions.append(("%fake_drivers", config.tile_fake_drivers))
# Programs in C against libtileRt.
config.substitutions.append((
    "%link_tile_rt",
    "-I{0}/include -L{1} -Wl,-rpath,{1} -ltileRt -lm".format(
        config.tile_source_dir, config.tile_libs_dir)))
config.substitutions.append(("%host_cc", config.host_cc))
config.substitutions.append(("%host_cxx", config.host_cxx))
config.substitutions.append(("%source_dir", config.tile_source_dir))
config.substitutions.append(("%mlir_include", config.mlir_include_dirs.split(";")[0]))
config.substitutions.append(("%python", '"%s"' % __import__("sys").executable))

tools = [
    ToolSubst(name, unresolved="ignore")
    for name in ["tile-opt", "tile-run", "tile-test-opt", "tile-lsp-server", "tile-reduce",
                 "ptx-run", "mlir-opt",
                 "mlir-tblgen", "FileCheck", "not", "split-file"]
]
lit.llvm.llvm_config.add_tool_substitutions(
    tools, [config.tile_tools_dir, config.llvm_tools_dir])

# A GPU behind a driver.
ptx_run = os.path.join(config.tile_tools_dir, "ptx-run")
if os.path.exists(ptx_run) and subprocess.run(
        [ptx_run, "--device"], capture_output=True).returncode == 0:
    config.available_features.add("gpu")

# NVIDIA's tools, for tests of machine code; shells, for tests of completion.
for name in ["ptxas", "nvdisasm", "zsh", "fish"]:
    if shutil.which(name, path=config.environment["PATH"]):
        config.available_features.add(name)

# A browser without a screen, for tests of pages.
for name in ["chromium", "chromium-browser", "google-chrome"]:
    browser = shutil.which(name, path=config.environment["PATH"])
    if browser:
        config.available_features.add("browser")
        config.substitutions.append(("%browser", browser))
        break
