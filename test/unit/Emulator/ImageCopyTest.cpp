//===- ImageCopyTest.cpp - What is reported of copies in im2col mode ------===//

#include "ParsedKernel.h"

#include "tile/Emulator/TensorMap.h"

using namespace tilec::emu;

namespace {

/// Copies 4 pixels of an image by a map of `mode`; what is reported.
std::string copyPixels(TensorMode mode, const std::string &instruction,
                       const std::string &offsets) {
  auto module = parseKernel(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .align 64 .b8 map[128]) {\n"
      ".reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
      ".shared .align 128 .b8 tile[64]; .shared .align 8 .b64 word;\n"
      "mov.u64 %rd1, map; cvta.param.u64 %rd2, %rd1;\n"
      "mov.u32 %r1, 0; mov.u32 %r2, tile; mov.u32 %r3, word;\n"
      "mbarrier.init.shared.b64 [%r3], 1;\n"
      "fence.mbarrier_init.release.cluster;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 64;\n"
      "cp.async.bulk.tensor.4d.shared::cluster.global." +
      instruction +
      ".mbarrier::complete_tx::bytes [%r2], [%rd2, {%r1, %r1, %r1, %r1}], "
      "[%r3]" +
      offsets +
      ";\nWAIT: { .reg .pred %p; mbarrier.try_wait.parity.shared.b64 %p, "
      "[%r3], 0; @!%p bra WAIT; }\nret;\n}\n");
  if (!module)
    return "it is not decoded";
  DeviceMemory memory;
  uint64_t image = memory.allocate(1024, "image");
  memory.fill(image, 1, 1024);
  TensorMapArguments arguments;
  arguments.mode = mode;
  arguments.rank = 4;
  arguments.globalAddress = image;
  arguments.dims[0] = 8;
  arguments.dims[1] = arguments.dims[2] = arguments.dims[3] = 4;
  arguments.stridesBytes[0] = 16;
  arguments.stridesBytes[1] = 64;
  arguments.stridesBytes[2] = 256;
  arguments.box[0] = 8, arguments.box[1] = 4;
  arguments.box[2] = arguments.box[3] = 1;
  TensorMap map;
  if (std::string why = encodeTensorMap(arguments, map); !why.empty())
    return why;
  ParameterBuilder parameters(module->kernels().at(0));
  parameters.addBytes(&map, sizeof map);
  LaunchConfig config;
  config.kernel = "k";
  config.parameters = parameters.bytes();
  std::string text;
  for (const Report &report : launch(*module, memory, config).reports)
    text += report.format("test.ptx") + "\n";
  return text;
}

TEST(ImageCopy, MapAndInstructionAreOfOneMode) {
  EXPECT_EQ(copyPixels(TensorMode::Im2col, "im2col", ", {1, 0}"), "");
  EXPECT_EQ(copyPixels(TensorMode::Tiled, "tile", ""), "");
  EXPECT_NE(copyPixels(TensorMode::Tiled, "im2col", ", {1, 0}")
                .find("the map is of tile mode, and the instruction is not"),
            std::string::npos);
  EXPECT_NE(copyPixels(TensorMode::Im2col, "tile", "")
                .find("the map is of im2col mode, and the instruction is not"),
            std::string::npos);
}

TEST(ImageCopy, OffsetsHaveEightBits) {
  EXPECT_EQ(copyPixels(TensorMode::Im2col, "im2col", ", {255, 255}"), "");
  EXPECT_NE(copyPixels(TensorMode::Im2col, "im2col", ", {0, 256}")
                .find("an im2col offset of 256 is more than the 255 of tensors "
                      "of rank 4"),
            std::string::npos);
}

} // namespace
