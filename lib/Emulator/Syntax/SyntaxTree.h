//===- SyntaxTree.h - The syntax tree of a PTX module -----------*- C++ -*-===//
//
// What the parser hands to the decoder: functions as flat lists of instructions
// with named operands, names in nested scopes, variables with their initial
// bytes. Every string_view points into the module's text or its
// `ownedNames`, which outlive it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNTAX_SYNTAXTREE_H
#define TILE_LIB_EMULATOR_SYNTAX_SYNTAXTREE_H

#include "tile/Emulator/Emulator.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

enum class StateSpace : uint8_t {
  Generic,
  Register,
  Special,
  Const,
  Global,
  Local,
  Param,
  Shared,
  SharedCluster,
};
const char *toString(StateSpace space);

/// A fundamental type by its PTX name: kind 'b', 'u', 's', 'f' or 'p'
/// (predicate), or a packed one ("f16x2", "bf16", "e4m3x2") by spelling.
struct RegisterType {
  char kind = 'b';
  uint8_t bytes = 4;
};

struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< A register, variable, label or function.
    Integer, ///< `bits` as a 64-bit integer.
    Float32, ///< 0f...: `bits` holds the 32 bits.
    Float64, ///< 0d... or 1.5: `bits` holds the 64 bits.
    Vector,  ///< {a, b, ..}
    Address, ///< [base + offset] or [base, {coordinates}, ..]
    Pair,    ///< a | b
    Sink,    ///< _
    List,    ///< (a, b, ..) of a call.
  };
  Kind kind = Kind::Integer;
  bool negated = false; ///< !p, or an arithmetic minus before a name.
  uint32_t line = 0;
  std::string_view name; ///< Name; of an Address its base, if that is a name.
  uint64_t bits = 0;
  int64_t offset = 0; ///< Of an Address (its whole value if it has no base).
  std::vector<Operand> elements;
};

struct InstructionSyntax {
  uint32_t line = 0;
  uint32_t location = 0; ///< Index into ModuleSyntax::locations.
  uint32_t scope = 0;    ///< Index into FunctionSyntax::scopes.
  bool predicateNegated = false;
  std::string_view predicate;          ///< Empty: always executed.
  std::string_view opcode;             ///< "ld.global.v4.f32"
  std::vector<std::string_view> parts; ///< {"ld", "global", "v4", "f32"}
  std::vector<Operand> operands;
};

/// A variable in const, global, shared, local or param space.
struct VariableSyntax {
  std::string_view name;
  StateSpace space = StateSpace::Global;
  std::string_view type; ///< Element type without the dot.
  uint64_t sizeBytes = 0;
  uint32_t alignBytes = 1;
  uint32_t line = 0;
  bool isExtern = false;
  bool isDynamic = false; ///< `x[]`: extern shared memory.
  std::vector<uint8_t> initialBytes;
  /// Addresses within the initialiser: at byte offset, symbol plus addend.
  struct Relocation {
    uint64_t offsetBytes;
    std::string_view symbol;
    int64_t addend;
    bool generic;
  };
  std::vector<Relocation> relocations;
};

struct SymbolSyntax {
  enum class Kind : uint8_t {
    Register,
    RegisterFamily, ///< %r<7>: `index` is of %r0, `count` 7.
    RegisterVector, ///< .v4: `index` is of its first component, `count` 4.
    Label,          ///< `index` is the instruction it stands before.
    Variable,       ///< `index` into the owner's variables.
    Function,       ///< `index` into ModuleSyntax::functions.
    BranchTargets,  ///< `index` into FunctionSyntax::branchTables.
    Prototype,      ///< .callprototype, .calltargets.
  };
  Kind kind = Kind::Register;
  RegisterType type;
  bool inModule = false; ///< A variable of the module, not of the function.
  uint32_t index = 0, count = 0;
};

struct ScopeSyntax {
  int32_t parent = -1;
  std::unordered_map<std::string_view, SymbolSyntax> symbols;
};

struct FunctionSyntax {
  std::string_view name;
  bool isEntry = false;
  bool isExtern = false; ///< A declaration without a body.
  uint32_t line = 0;
  std::vector<VariableSyntax> returns, parameters;
  std::vector<VariableSyntax> variables; ///< Parameters first, then returns.
  std::vector<RegisterType> registers;
  std::vector<ScopeSyntax> scopes;
  std::vector<InstructionSyntax> instructions;
  std::vector<std::vector<std::string_view>> branchTables;
  KernelInfo kernel; ///< Of an entry.
};

/// One `.loc`: file index, line, column and where it was inlined.
struct LocationSyntax {
  uint32_t file = 0, line = 0, column = 0;
  uint32_t inlinedAt = 0; ///< Index of a location; 0: not inlined.
};

struct ModuleSyntax {
  std::string_view version, target;
  std::vector<VariableSyntax> variables;
  std::vector<FunctionSyntax> functions;
  std::unordered_map<std::string_view, SymbolSyntax> symbols;
  std::vector<LocationSyntax> locations{LocationSyntax{}};
  std::map<uint32_t, std::string> files;
  std::deque<std::string> ownedNames; ///< Of components of vector registers.
};

/// Parses `text` into `module`; false and diagnostics on errors.
bool parseModule(std::string_view text, ModuleSyntax &module,
                 std::vector<Diagnostic> &diagnostics);

/// The register type of a PTX type name without the dot; bytes 0 if unknown.
RegisterType parseType(std::string_view name);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNTAX_SYNTAXTREE_H
