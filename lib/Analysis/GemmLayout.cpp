//===- GemmLayout.cpp - How a gemm is spread over warps -------------------===//

#include "tile/Analysis/GemmLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;
using tilec::Expected;
using tilec::FragmentLayout;
using tilec::HardwareDim;

using Outer = FragmentLayout::Outer;

Expected<GemmPlan> tile::planGemm(const tilec::MmaAtom &atom, int64_t M,
                                  int64_t N, int64_t K, int64_t warpsM,
                                  int64_t warpsN) {
  GemmPlan plan;
  plan.atom = &atom;
  plan.warpsM = warpsM;
  plan.warpsN = warpsN;
  plan.tilesM = llvm::divideCeil(M, atom.m * warpsM);
  plan.tilesN = llvm::divideCeil(N, atom.n * warpsN);
  plan.tilesK = llvm::divideCeil(K, atom.k);
  constexpr auto reg = HardwareDim::Register;
  constexpr auto warp = HardwareDim::Warp;

  // (register, lane 32, warp) -> (M, N)
  auto result = FragmentLayout::tile(atom.cLayout, {M, N},
                                     {{reg, 1, plan.tilesN},
                                      {reg, 0, plan.tilesM},
                                      {warp, 0, warpsM},
                                      {warp, 1, warpsN}});
  if (!result)
    return tilec::Failure{result.reason()};
  // (register, lane 32, warp) -> (M, K)
  auto a = FragmentLayout::tile(atom.aLayout, {M, K},
                                {{reg, 1, plan.tilesK},
                                 {reg, 0, plan.tilesM},
                                 {warp, 0, warpsM},
                                 {warp, Digit::replicated, warpsN}});
  if (!a)
    return tilec::Failure{a.reason()};
  // (register, lane 32, warp) -> (K, N)
  auto b = FragmentLayout::tile(atom.bLayout, {K, N},
                                {{reg, 0, plan.tilesK},
                                 {reg, 1, plan.tilesN},
                                 {warp, Digit::replicated, warpsM},
                                 {warp, 1, warpsN}});
  if (!b)
    return tilec::Failure{b.reason()};
  plan.result = *result;
  plan.a = *a;
  plan.b = *b;
  return plan;
}

Expected<GemmPlan> tile::getGemmPlan(GemmOp gemm) {
  auto encoding = dyn_cast_or_null<FragmentAttr>(gemm.getType().getEncoding());
  if (!encoding || !gemm.getInstruction())
    return tilec::Failure{"the gemm has no layout or instruction yet"};
  const tilec::MmaAtom *atom =
      tilec::findMmaAtomByName(gemm.getInstruction()->str());
  if (!atom)
    return tilec::Failure{"no matrix instruction is named '" +
                          gemm.getInstruction()->str() + "'"};
  FragmentLayout layout = encoding.getLayout();
  int64_t warps = layout.getExtent(HardwareDim::Warp);
  for (int64_t warpsM = 1; warpsM <= warps; ++warpsM) {
    if (warps % warpsM != 0)
      continue;
    auto plan = planGemm(*atom, gemm.getM(), gemm.getN(), gemm.getK(), warpsM,
                         warps / warpsM);
    if (plan && plan->result == layout)
      return plan;
  }
  return tilec::Failure{"the result's layout " + layout.toString() +
                        " is not one of " + atom->name};
}

static std::optional<tilec::ElementKind>
getElementKind(Type type, bool isUnsigned, bool isTF32) {
  using tilec::ElementKind;
  if (type.isF64())
    return ElementKind::F64;
  if (type.isF32())
    return isTF32 ? ElementKind::TF32 : ElementKind::F32;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::E4M3;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::E5M2;
  if (type.isInteger(8))
    return isUnsigned ? ElementKind::U8 : ElementKind::S8;
  if (type.isInteger(32))
    return ElementKind::S32;
  return std::nullopt;
}

std::optional<GemmKinds> tile::getGemmKinds(GemmOp gemm) {
  auto a = getElementKind(gemm.getElementTypeA(), gemm.getUnsignedA(),
                          gemm.isTF32());
  auto b = getElementKind(gemm.getElementTypeB(), gemm.getUnsignedB(),
                          gemm.isTF32());
  auto accumulator = getElementKind(gemm.getAccumulatorType(), false, false);
  if (!a || !b || !accumulator || *a == tilec::ElementKind::F32)
    return std::nullopt;
  return GemmKinds{*a, *b, *accumulator};
}
