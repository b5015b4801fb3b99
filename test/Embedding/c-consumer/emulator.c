/* tile-c/Emulator.h */
#include "tile-c/Emulator.h"

#include "check.h"

/* `ordered`: each thread adds to what its partner of the other warp has loaded. `racy`:
   both warps store their number at one place. */
static const char *const source = ".version 7.8\n"
                                  ".target sm_80\n"
                                  ".address_size 64\n"
                                  ".visible .global .align 4 .u32 calls;\n"
                                  ".visible .entry ordered(.param .u64 data, "
                                  ".param .u32 offset) .reqntid 64, 1, 1\n"
                                  "{\n"
                                  "  .shared .align 4 .b8 tile[256];\n"
                                  "  .reg .b32 %r<9>;\n"
                                  "  .reg .b64 %rd<4>;\n"
                                  "  ld.param.u64 %rd1, [data];\n"
                                  "  ld.param.u32 %r6, [offset];\n"
                                  "  mov.u32 %r1, %tid.x;\n"
                                  "  mul.wide.u32 %rd2, %r1, 4;\n"
                                  "  add.s64 %rd3, %rd1, %rd2;\n"
                                  "  ld.global.u32 %r2, [%rd3];\n"
                                  "  mov.u32 %r3, tile;\n"
                                  "  shl.b32 %r4, %r1, 2;\n"
                                  "  add.u32 %r5, %r3, %r4;\n"
                                  "  st.shared.u32 [%r5], %r2;\n"
                                  "  bar.sync 0;\n"
                                  "  xor.b32 %r7, %r4, 128;\n"
                                  "  add.u32 %r7, %r3, %r7;\n"
                                  "  ld.shared.u32 %r2, [%r7];\n"
                                  "  add.u32 %r2, %r2, %r6;\n"
                                  "  st.global.u32 [%rd3], %r2;\n"
                                  "  ret;\n"
                                  "}\n"
                                  ".visible .entry racy(.param .u64 data)\n"
                                  "{\n"
                                  "  .reg .b32 %r<3>;\n"
                                  "  .reg .b64 %rd<2>;\n"
                                  "  ld.param.u64 %rd1, [data];\n"
                                  "  mov.u32 %r1, %tid.x;\n"
                                  "  shr.u32 %r1, %r1, 5;\n"
                                  "  st.global.u32 [%rd1], %r1;\n"
                                  "  ret;\n"
                                  "}\n";

static void append(TileString text, void *userData) {
  appendText(userData, text.data, text.length);
}

static void appendError(uint32_t line, uint32_t column, TileString message,
                        void *userData) {
  (void)column;
  CHECK(line != 0);
  append(message, userData);
}

static bool isText(TileString text, const char *expected) {
  return text.length == strlen(expected) &&
         memcmp(text.data, expected, text.length) == 0;
}

static void testModule(TileEmulatorModule *module) {
  uint32_t block[3] = {0, 0, 0}, calls = 7;
  Text text = {NULL, 0};
  CHECK(isText(tileEmulatorModuleGetTarget(module), "sm_80"));
  CHECK(tileEmulatorModuleGetNumKernels(module) == 2);
  CHECK(isText(tileEmulatorModuleGetKernelName(module, 0), "ordered"));
  CHECK(tileEmulatorModuleGetStaticSharedBytes(module, 0) == 256);
  CHECK(tileEmulatorModuleGetRequiredBlock(module, 0, block) && block[0] == 64);
  CHECK(!tileEmulatorModuleGetRequiredBlock(module, 1, block));
  CHECK(tileEmulatorModuleGetNumParameters(module, 0) == 2);
  CHECK(isText(tileEmulatorModuleGetParameterName(module, 0, 1), "offset"));
  CHECK(isText(tileEmulatorModuleGetParameterType(module, 0, 1), "u32"));
  CHECK(tileEmulatorModuleGetParameterBytes(module, 0, 0) == 8);
  CHECK(tileEmulatorModulePrepare(module, tileString("ordered"), appendError,
                                  &text));
  CHECK(!tileEmulatorModulePrepare(module, tileString("none"), NULL, NULL));
  CHECK(tileEmulatorModuleGetVariableBytes(module, tileString("calls")) == 4);
  CHECK(tileEmulatorModuleGetVariableBytes(module, tileString("none")) == 0);
  CHECK(
      tileEmulatorModuleWriteVariable(module, tileString("calls"), &calls, 4));
  calls = 0;
  CHECK(
      tileEmulatorModuleReadVariable(module, tileString("calls"), &calls, 4) &&
      calls == 7);
  CHECK(
      !tileEmulatorModuleReadVariable(module, tileString("calls"), &calls, 8));
  clearText(&text);
}

static void testParseErrors(void) {
  Text text = {NULL, 0};
  CHECK(!tileEmulatorModuleParse(tileString(".version 7.8\n.nonsense\n"),
                                 tileString("k"), appendError, &text));
  CHECK(text.length != 0);
  CHECK(!tileEmulatorModuleParse(tileString("("), tileString("k"), NULL, NULL));
  clearText(&text);
}

static void testMemory(TileEmulatorMemory *memory) {
  uint32_t in[2] = {1, 2}, out[2] = {0, 0};
  uint64_t at =
      tileEmulatorMemoryAllocate(memory, 12, tileString("buffer"), 256);
  CHECK(at != 0 && at % 256 == 0);
  CHECK(tileEmulatorMemoryWrite(memory, at, in, 8));
  CHECK(!tileEmulatorMemoryWrite(memory, at + 8, in, 8));
  CHECK(tileEmulatorMemoryRead(memory, at, out, 8) && out[1] == 2);
  CHECK(tileEmulatorMemoryCountUnwritten(memory, at, 12) == 4);
  CHECK(tileEmulatorMemoryRelease(memory, at) &&
        !tileEmulatorMemoryRelease(memory, at));
  CHECK(tileEmulatorMemoryAllocate(memory, UINT64_MAX / 4, tileString("all"),
                                   256) == 0);
}

static void testTensorMap(void) {
  static const uint64_t extents[] = {64, 32}, strides[] = {128}, odd[] = {120};
  static const uint32_t box[] = {64, 8};
  uint8_t map[128] = {0};
  Text text = {NULL, 0};
  CHECK(tileEmulatorEncodeTensorMap(tileString("f16"), 2, 1024, extents,
                                    strides, box, 128, map, append, &text));
  CHECK(map[0] != 0 && text.length == 0);
  CHECK(!tileEmulatorEncodeTensorMap(tileString("f16"), 2, 1024, extents, odd,
                                     box, 128, map, append, &text));
  CHECK(hasText(&text, "120"));
  clearText(&text);
  CHECK(!tileEmulatorEncodeTensorMap(tileString("f17"), 2, 1024, extents,
                                     strides, box, 128, map, append, &text));
  CHECK(hasText(&text, "f17"));
  CHECK(!tileEmulatorEncodeTensorMap(tileString("f16"), 2, 1024, extents,
                                     strides, box, 48, map, append, &text));
  CHECK(!tileEmulatorEncodeTensorMap(tileString("f16"), 6, 1024, extents,
                                     strides, box, 128, map, NULL, NULL));
  clearText(&text);
}

static void testOrdered(TileEmulatorModule *module,
                        TileEmulatorMemory *memory) {
  uint32_t data[64], offset = 1000;
  uint64_t address;
  int i;
  TileEmulatorLaunch *launch =
      tileEmulatorLaunchCreate(module, tileString("ordered"));
  TileEmulatorResult *result;
  Text text = {NULL, 0};
  for (i = 0; i < 64; ++i)
    data[i] = (uint32_t)i;
  address =
      tileEmulatorMemoryMap(memory, data, sizeof data, tileString("data"), 256);
  tileEmulatorLaunchSetBlock(launch, 64, 1, 1);
  CHECK(tileEmulatorLaunchAddArgument(launch, &address, sizeof address));
  CHECK(!tileEmulatorLaunchAddArgument(launch, &address,
                                       sizeof address)); /* 4 bytes */
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(!tileEmulatorResultIsCompleted(result)); /* an argument is missing */
  CHECK(tileEmulatorResultGetNumFindings(result) == 1);
  CHECK(tileEmulatorFindingGetNumAccesses(
            tileEmulatorResultGetFinding(result, 0)) == 0);
  tileEmulatorResultDestroy(result);

  CHECK(tileEmulatorLaunchAddArgument(launch, &offset, sizeof offset));
  tileEmulatorLaunchSetGrid(launch, 1, 1, 1);
  tileEmulatorLaunchSetCluster(launch, 1, 1, 1);
  tileEmulatorLaunchSetSeed(launch, 5);
  tileEmulatorLaunchSetThreadCount(launch, 1);
  tileEmulatorLaunchSetDelivery(launch, TileEmulatorDeliveryRandom);
  tileEmulatorLaunchSetDynamicSharedBytes(launch, 0);
  tileEmulatorLaunchAllowUnfencedMbarriers(launch, false);
  CHECK(tileEmulatorLaunchSetChecks(launch, tileString("all"), append, &text));
  CHECK(
      !tileEmulatorLaunchSetChecks(launch, tileString("speed"), append, &text));
  CHECK(hasText(&text, "speed"));
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(tileEmulatorResultIsCompleted(result));
  CHECK(tileEmulatorResultGetNumFindings(result) == 0);
  CHECK(tileEmulatorResultGetNumNotes(result) == 0);
  CHECK(tileEmulatorResultGetNumDropped(result) == 0);
  CHECK(tileEmulatorResultGetOutput(result).length == 0);
  CHECK(strstr(tileEmulatorResultGetStatisticsJson(result).data,
               "\"instructions\""));
  CHECK(data[0] == 1032 && data[63] == 1031);
  tileEmulatorResultDestroy(result);

  tileEmulatorLaunchSetMaxInstructions(launch, 5);
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(!tileEmulatorResultIsCompleted(result));
  CHECK(tileEmulatorFindingGetKind(tileEmulatorResultGetFinding(result, 0)) ==
        TileEmulatorFindingDeadlock);
  tileEmulatorResultDestroy(result);

  tileEmulatorLaunchSetMaxInstructions(launch, 0);
  tileEmulatorLaunchInterrupt(launch);
  data[0] = 0;
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(!tileEmulatorResultIsCompleted(result) && data[0] == 0);
  CHECK(tileEmulatorResultGetNumFindings(result) == 0);
  tileEmulatorResultDestroy(result);
  tileEmulatorLaunchDestroy(launch);
  clearText(&text);
}

static void testRace(TileEmulatorModule *module, TileEmulatorMemory *memory) {
  uint64_t address =
               tileEmulatorMemoryAllocate(memory, 4, tileString("word"), 256),
           found = 0;
  uint32_t thread[3], block[3];
  TileEmulatorLaunch *launch =
      tileEmulatorLaunchCreate(module, tileString("racy"));
  TileEmulatorResult *result;
  const TileEmulatorFinding *race;
  CHECK(!tileEmulatorLaunchCreate(module, tileString("none")));
  tileEmulatorLaunchSetBlock(launch, 64, 1, 1);
  tileEmulatorLaunchAddArgument(launch, &address, sizeof address);
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(tileEmulatorResultIsCompleted(result));
  if (!CHECK(tileEmulatorResultGetNumFindings(result) >= 1))
    return;
  race = tileEmulatorResultGetFinding(result, 0);
  CHECK(tileEmulatorFindingGetKind(race) == TileEmulatorFindingRace);
  CHECK(tileEmulatorFindingGetAddress(race, &found) && found == address);
  CHECK(strstr(tileEmulatorFindingGetMessage(race).data, "not ordered"));
  CHECK(tileEmulatorFindingGetMissing(race).length != 0);
  CHECK(tileEmulatorFindingGetCount(race) >= 1);
  CHECK(tileEmulatorFindingGetNumAccesses(race) == 2);
  CHECK(tileEmulatorFindingGetPtxLine(race, 0) == 35);
  CHECK(tileEmulatorFindingGetPtxLine(race, 1) == 35);
  CHECK(
      strstr(tileEmulatorFindingGetAccessText(race, 0).data, "st.global.u32"));
  CHECK(tileEmulatorFindingGetSource(race, 0).length == 0);
  tileEmulatorFindingGetBlock(race, 0, block);
  tileEmulatorFindingGetThread(race, 0, thread);
  CHECK(block[0] == 0 && thread[0] < 64 && thread[1] == 0);
  CHECK(strstr(tileEmulatorFindingGetText(race).data, "race.ptx:35"));
  tileEmulatorResultDestroy(result);

  tileEmulatorLaunchSetMaxFindings(launch, 0);
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(tileEmulatorResultGetNumFindings(result) == 0);
  CHECK(tileEmulatorResultGetNumDropped(result) > 0);
  tileEmulatorResultDestroy(result);
  CHECK(tileEmulatorLaunchSetChecks(launch, tileString("bounds"), NULL, NULL));
  tileEmulatorLaunchAllowEqualStores(launch, true);
  result = tileEmulatorLaunchRun(launch, memory);
  CHECK(tileEmulatorResultGetNumDropped(result) == 0);
  tileEmulatorResultDestroy(result);
  tileEmulatorLaunchDestroy(launch);
}

void testEmulator(void) {
  TileEmulatorModule *module = tileEmulatorModuleParse(
      tileString(source), tileString("race.ptx"), NULL, NULL);
  TileEmulatorMemory *memory = tileEmulatorMemoryCreate();
  if (!CHECK(module))
    return;
  testModule(module);
  testParseErrors();
  testMemory(memory);
  testTensorMap();
  testOrdered(module, memory);
  testRace(module, memory);
  tileEmulatorMemoryDestroy(memory);
  tileEmulatorModuleDestroy(module);
}
