//===- ElementKind.cpp - The element types of instructions ---------------===//

#include "tile/Hardware/ElementKind.h"

using namespace tilec;

std::string_view tilec::getName(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return "f64";
  case ElementKind::F32:
    return "f32";
  case ElementKind::TF32:
    return "tf32";
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::E4M3:
    return "e4m3";
  case ElementKind::E5M2:
    return "e5m2";
  case ElementKind::E2M3:
    return "e2m3";
  case ElementKind::E3M2:
    return "e3m2";
  case ElementKind::E2M1:
    return "e2m1";
  case ElementKind::S8:
    return "s8";
  case ElementKind::U8:
    return "u8";
  case ElementKind::S32:
    return "s32";
  case ElementKind::UE8M0:
    return "ue8m0";
  case ElementKind::UE4M3:
    return "ue4m3";
  }
  return "unknown";
}

int64_t tilec::getElementBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 64;
  case ElementKind::F32:
  case ElementKind::TF32:
  case ElementKind::S32:
    return 32;
  case ElementKind::F16:
  case ElementKind::BF16:
    return 16;
  case ElementKind::E4M3:
  case ElementKind::E5M2:
  case ElementKind::E2M3:
  case ElementKind::E3M2:
  case ElementKind::S8:
  case ElementKind::U8:
  case ElementKind::UE8M0:
  case ElementKind::UE4M3:
    return 8;
  case ElementKind::E2M1:
    return 4;
  }
  return 0;
}
