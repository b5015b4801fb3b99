/* tile-c/Dialect.h */
#include "tile-c/Dialect.h"

#include "consumer.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

static void checkSpelling(MlirAttribute attr, const char *spelling) {
  Text text = {NULL, 0};
  mlirAttributePrint(attr, appendString, &text);
  if (!CHECK(text.data &&
             equals(mlirStringRefCreate(text.data, text.length), spelling)))
    fprintf(stderr, "  %s, expected %s\n", text.data ? text.data : "",
            spelling);
  clearText(&text);
}

static void testEnumerations(MlirContext context) {
  MlirAttribute stage = tileStageAttrGet(context, TileStageScheduled);
  MlirAttribute precision = tilePrecisionAttrGet(context, TilePrecisionTF32);
  MlirAttribute warps = tileWarpsAttrGet(context, TileWarpsRows);
  MlirAttribute roles =
      tileWarpSpecializeAttrGet(context, TileWarpSpecializeOn);
  MlirAttribute consumers =
      tileConsumersAttrGet(context, TileConsumersPingPong);
  MlirAttribute scope = tileBarrierScopeAttrGet(context, TileBarrierScopeBlock);
  checkSpelling(stage, "#tile.stage<scheduled>");
  checkSpelling(precision, "#tile.precision<tf32>");
  checkSpelling(warps, "#tile.warps<rows>");
  checkSpelling(roles, "#tile.warp_specialize<on>");
  checkSpelling(consumers, "#tile.consumers<pingpong>");
  checkSpelling(scope, "#tile.scope<block>");
  CHECK(tileAttributeIsAStage(stage) && !tileAttributeIsAStage(warps));
  CHECK(tileAttributeIsAPrecision(precision) &&
        !tileAttributeIsAPrecision(stage));
  CHECK(tileAttributeIsAWarps(warps) && !tileAttributeIsAWarps(roles));
  CHECK(tileAttributeIsAWarpSpecialize(roles) &&
        !tileAttributeIsAWarpSpecialize(warps));
  CHECK(tileAttributeIsAConsumers(consumers) &&
        !tileAttributeIsAConsumers(scope));
  CHECK(tileAttributeIsABarrierScope(scope) &&
        !tileAttributeIsABarrierScope(consumers));
  CHECK(tileStageAttrGetValue(stage) == TileStageScheduled);
  CHECK(tilePrecisionAttrGetValue(precision) == TilePrecisionTF32);
  CHECK(tileWarpsAttrGetValue(warps) == TileWarpsRows);
  CHECK(tileWarpSpecializeAttrGetValue(roles) == TileWarpSpecializeOn);
  CHECK(tileConsumersAttrGetValue(consumers) == TileConsumersPingPong);
  CHECK(tileBarrierScopeAttrGetValue(scope) == TileBarrierScopeBlock);
  CHECK(mlirAttributeIsNull(tileStageAttrGet(context, (TileStage)99)));
}

static void testLaunches(MlirLocation loc, Text *messages) {
  MlirStringRef sm90 = mlirStringRefCreateFromCString("sm_90a");
  MlirStringRef none = mlirStringRefCreateFromCString("");
  MlirStringRef sm1 = mlirStringRefCreateFromCString("sm_1");
  MlirAttribute target = tileTargetAttrGet(loc, sm90);
  MlirAttribute raster = tileRasterizeAttrGet(loc, TileRasterOrderColumn, 8);
  MlirAttribute roles[2], both;
  CHECK(tileAttributeIsATarget(target) &&
        equals(tileTargetAttrGetChip(target), "sm_90a"));
  CHECK(mlirAttributeIsNull(tileTargetAttrGet(loc, none)));
  CHECK(hasText(messages, "names a chip"));
  CHECK(mlirAttributeIsNull(tileTargetAttrGet(loc, sm1)));
  CHECK(hasText(messages, "unknown chip 'sm_1'"));
  clearText(messages);

  checkSpelling(raster, "#tile.rasterize<column, 8>");
  CHECK(tileAttributeIsARasterize(raster) &&
        tileRasterizeAttrGetPanel(raster) == 8);
  CHECK(tileRasterizeAttrGetOrder(raster) == TileRasterOrderColumn);
  CHECK(mlirAttributeIsNull(tileRasterizeAttrGet(loc, TileRasterOrderRow, 0)));
  CHECK(hasText(messages, "0"));
  CHECK(mlirAttributeIsNull(tileRasterizeAttrGet(loc, (TileRasterOrder)9, 8)));
  CHECK(hasText(messages, "no order of a rasterization of number 9"));

  roles[0] = tileRoleAttrGet(loc, TileRoleKindProducer, 4, 40);
  roles[1] = tileRoleAttrGet(loc, TileRoleKindConsumer, 8, 0);
  both = tileRolesAttrGet(loc, 2, roles);
  checkSpelling(both, "#tile.roles<<producer, warps = 4, registers = 40>, "
                      "<consumer, warps = 8>>");
  CHECK(tileAttributeIsARole(roles[0]) &&
        tileRoleAttrGetKind(roles[0]) == TileRoleKindProducer);
  CHECK(tileRoleAttrGetWarps(roles[0]) == 4 &&
        tileRoleAttrGetRegisters(roles[0]) == 40);
  CHECK(tileAttributeIsARoles(both) && tileRolesAttrGetNumRoles(both) == 2);
  CHECK(mlirAttributeEqual(tileRolesAttrGetRole(both, 1), roles[1]));
  CHECK(mlirAttributeIsNull(tileRoleAttrGet(loc, TileRoleKindConsumer, 0, 0)));
  CHECK(mlirAttributeIsNull(tileRoleAttrGet(loc, (TileRoleKind)9, 4, 0)));
  CHECK(hasText(messages, "no kind of a role of number 9"));
  CHECK(mlirAttributeIsNull(tileRolesAttrGet(loc, 1, &target)));
  CHECK(mlirAttributeIsNull(tileRolesAttrGet(loc, 1, roles))); /* no consumer */
}

static void testFacts(MlirLocation loc) {
  static const int64_t sizes[] = {1, 8}, strides[] = {8, 1};
  MlirStringRef name = mlirStringRefCreateFromCString("cp.async");
  MlirStringRef unknown = mlirStringRefCreateFromCString("cp.slow");
  MlirStringRef ld = mlirStringRefCreateFromCString("ld");
  MlirAttribute copy = tileInstructionAttrGet(loc, name);
  MlirAttribute load =
      tileOperandLoadAttrGet(loc, tileInstructionAttrGet(loc, ld), 2);
  MlirAttribute memref =
      tileMemRefFactsAttrGet(loc, 16, 8, 2, sizes, strides, true);
  MlirAttribute scalar = tileScalarFactsAttrGet(loc, 64, 0, 960);
  CHECK(tileAttributeIsAInstruction(copy) &&
        equals(tileInstructionAttrGetName(copy), "cp.async"));
  CHECK(mlirAttributeIsNull(tileInstructionAttrGet(loc, unknown)));
  CHECK(tileAttributeIsAOperandLoad(load) &&
        tileOperandLoadAttrGetWidth(load) == 2);
  CHECK(equals(
      tileInstructionAttrGetName(tileOperandLoadAttrGetInstruction(load)),
      "ld"));
  CHECK(mlirAttributeIsNull(tileOperandLoadAttrGet(loc, scalar, 2)));
  CHECK(tileAttributeIsAMemRefFacts(memref) &&
        tileMemRefFactsAttrGetRank(memref) == 2);
  CHECK(tileMemRefFactsAttrGetBaseAlignment(memref) == 16);
  CHECK(tileMemRefFactsAttrGetAlignment(memref) == 8);
  CHECK(tileMemRefFactsAttrGetSizeDivisor(memref, 1) == 8);
  CHECK(tileMemRefFactsAttrGetStrideDivisor(memref, 0) == 8);
  CHECK(tileMemRefFactsAttrIsContiguous(memref));
  CHECK(tileAttributeIsAScalarFacts(scalar) &&
        tileScalarFactsAttrGetDivisor(scalar) == 64);
  CHECK(tileScalarFactsAttrGetMin(scalar) == 0 &&
        tileScalarFactsAttrGetMax(scalar) == 960);
  CHECK(mlirAttributeIsNull(tileScalarFactsAttrGet(loc, 1, 2, 1)));
}

/* The accumulator of mma.m16n8k16. */
static void testFragment(MlirLocation loc, Text *messages) {
  static const int64_t shape[] = {16, 8}, position[] = {3, 5, 0};
  static const TileDigit registers[] = {{2, 1, 1, 0}, {2, 0, 8, 0}};
  static const TileDigit lanes[] = {{4, 1, 2, 0}, {8, 0, 1, 0}};
  static const TileDigit outside[] = {{4, 7, 2, 0}};
  const intptr_t counts[] = {2, 2, 0}, wrongCounts[] = {2, 1, 0};
  const TileDigit *digits[3], *wrong[3];
  int64_t at[2];
  MlirAttribute fragment;
  digits[0] = wrong[0] = registers;
  digits[1] = lanes;
  wrong[1] = outside;
  digits[2] = wrong[2] = NULL;
  fragment = tileFragmentAttrGet(loc, 2, shape, counts, digits);
  checkSpelling(fragment,
                "#tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], "
                "lane = [4 : (0, 2), 8 : (1, 0)], warp = []>");
  CHECK(tileAttributeIsAFragment(fragment) &&
        tileFragmentAttrGetRank(fragment) == 2);
  CHECK(tileFragmentAttrGetSize(fragment, 0) == 16);
  CHECK(tileFragmentAttrGetNumDigits(fragment, TileHardwareDimLane) == 2);
  CHECK(tileFragmentAttrGetNumDigits(fragment, TileHardwareDimWarp) == 0);
  CHECK(tileFragmentAttrGetDigit(fragment, TileHardwareDimLane, 0).step == 2);
  tileFragmentAttrEvaluate(fragment, position, at);
  CHECK(at[0] == 9 && at[1] == 3); /* 8 + 1, 1 + 2 */
  clearText(messages);
  CHECK(mlirAttributeIsNull(
      tileFragmentAttrGet(loc, 2, shape, wrongCounts, wrong)));
  CHECK(hasText(messages, "invalid fragment layout"));
}

static void testShared(MlirLocation loc, Text *messages) {
  static const int64_t shape[] = {128, 64}, order[] = {1, 0}, row1[] = {1, 0};
  static const int64_t wide[] = {32, 128}, xorBits[] = {3, 4, 3},
                       twice[] = {0, 0};
  static const TileDigit digits[] = {
      {64, 1, 1, 1}, {32, 0, 1, 64}, {2, 1, 64, 2048}};
  MlirAttribute brief = tileSharedAttrGetShort(loc, 2, shape, order, -1, 128);
  MlirAttribute padded = tileSharedAttrGetShort(loc, 2, shape, NULL, 8, -1);
  MlirAttribute full = tileSharedAttrGet(loc, 2, wide, 3, digits, xorBits);
  checkSpelling(brief,
                "#tile.shared<[128, 64], order = [1, 0], swizzle = 128>");
  checkSpelling(padded, "#tile.shared<[128, 64], pad = 8>");
  checkSpelling(full,
                "#tile.shared<[32, 128], offset = [64 : (0, 1), 32 : (1, 0), "
                "2 : (0, 64)], xor = [3, 4, 3]>");
  CHECK(tileAttributeIsAShared(brief) && tileSharedAttrIsShort(brief));
  CHECK(!tileSharedAttrIsShort(full) && tileSharedAttrGetRank(full) == 2);
  CHECK(tileSharedAttrGetSize(full, 1) == 128);
  CHECK(tileSharedAttrGetSwizzle(brief) == 128 &&
        tileSharedAttrGetPad(brief) == -1);
  CHECK(tileSharedAttrGetPad(padded) == 8);
  CHECK(tileSharedAttrGetBitOffset(padded, 16, row1) == 72 * 16);
  CHECK(tileSharedAttrGetBitOffset(brief, 16, row1) == (64 + 8) * 16);
  CHECK(tileSharedAttrGetBitOffset(brief, 4, row1) ==
        -1); /* a row of 32 bytes */
  clearText(messages);
  CHECK(mlirAttributeIsNull(
      tileSharedAttrGetShort(loc, 2, shape, twice, -1, -1)));
  CHECK(hasText(messages, "'order'"));
  CHECK(
      mlirAttributeIsNull(tileSharedAttrGetShort(loc, 2, shape, NULL, 8, 128)));
}

static void testTypes(MlirContext context, MlirLocation loc, Text *messages) {
  static const int64_t shape[] = {64, 64};
  MlirType f32 = mlirF32TypeGet(context);
  MlirType tensor =
      mlirRankedTensorTypeGet(2, shape, f32, mlirAttributeGetNull());
  MlirType ring = tileRingTypeGet(loc, 3),
           pending = tilePendingTypeGet(loc, tensor);
  MlirType map = tileTensorMapTypeGet(context);
  CHECK(tileTypeIsARing(ring) && !tileTypeIsARing(map) &&
        tileRingTypeGetSlots(ring) == 3);
  CHECK(tileTypeIsAPending(pending) && !tileTypeIsAPending(ring));
  CHECK(mlirTypeEqual(tilePendingTypeGetFragment(pending), tensor));
  CHECK(tileTypeIsATensorMap(map) && !tileTypeIsATensorMap(pending));
  clearText(messages);
  CHECK(mlirTypeIsNull(tileRingTypeGet(loc, 0)) && hasText(messages, "0"));
  CHECK(mlirTypeIsNull(tilePendingTypeGet(loc, f32)) &&
        hasText(messages, "f32"));
}

static void testSetters(MlirContext context, MlirLocation loc) {
  static const int64_t divisors[] = {128};
  MlirStringRef names[1], sm80 = mlirStringRefCreateFromCString("sm_80");
  MlirModule module = parseScale(context);
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation top = mlirModuleGetOperation(module);
  Text text = {NULL, 0};
  names[0] = mlirStringRefCreateFromCString("N");
  CHECK(tileModuleSetTarget(module, tileTargetAttrGet(loc, sm80)));
  CHECK(
      !tileModuleSetTarget(module, tileStageAttrGet(context, TileStageSource)));
  CHECK(tileFunctionSetSizeNames(function, 1, 1, names));
  CHECK(tileFunctionSetDivisors(function, 2, 1, divisors));
  CHECK(tileFunctionSetAlignment(function, 1, 64));
  CHECK(tileFunctionSetMayAlias(function, 2));
  CHECK(!tileFunctionSetDivisors(function, 0, 1, divisors)); /* a number */
  CHECK(!tileFunctionSetDivisors(function, 1, 2, divisors)); /* of rank 1 */
  CHECK(!tileFunctionSetMayAlias(function, 3));
  CHECK(!tileFunctionSetMayAlias(top, 0));
  CHECK(!tileLoopSetStages(function, 3));
  CHECK(mlirOperationVerify(top));
  mlirOperationPrint(top, appendString, &text);
  CHECK(hasText(&text, "tile.target = #tile.target<\"sm_80\">"));
  CHECK(hasText(&text, "tile.dims = [\"N\"]") &&
        hasText(&text, "tile.align = 64"));
  CHECK(hasText(&text, "tile.divisible = array<i64: 128>"));
  CHECK(hasText(&text, "tile.may_alias"));
  clearText(&text);
  mlirModuleDestroy(module);
}

static void testLoop(MlirContext context) {
  MlirStringRef source =
      mlirStringRefCreateFromCString("func.func @f(%n: index) {\n"
                                     "  %c0 = arith.constant 0 : index\n"
                                     "  scf.for %i = %c0 to %n step %n { }\n"
                                     "  return\n"
                                     "}\n");
  MlirModule module = mlirModuleCreateParse(context, source);
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation loop =
      mlirOperationGetNextInBlock(mlirBlockGetFirstOperation(body));
  MlirAttribute stages;
  CHECK(tileLoopSetStages(loop, 3));
  stages = mlirOperationGetDiscardableAttributeByName(
      loop, mlirStringRefCreateFromCString("tile.stages"));
  CHECK(!mlirAttributeIsNull(stages) &&
        mlirIntegerAttrGetValueInt(stages) == 3);
  mlirModuleDestroy(module);
}

void testDialect(MlirContext context) {
  Text messages = {NULL, 0};
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      context, collectDiagnostic, &messages, NULL);
  CHECK(equals(mlirDialectHandleGetNamespace(mlirGetDialectHandle__tile__()),
               "tile"));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("tile"));
  testEnumerations(context);
  testLaunches(loc, &messages);
  testFacts(loc);
  testFragment(loc, &messages);
  testShared(loc, &messages);
  testTypes(context, loc, &messages);
  testSetters(context, loc);
  testLoop(context);
  mlirContextDetachDiagnosticHandler(context, handler);
  clearText(&messages);
}
