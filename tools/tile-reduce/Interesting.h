//===- Interesting.h - Whether a program still shows the bug ----*- C++ -*-===//

#ifndef TILE_TOOLS_TILE_REDUCE_INTERESTING_H
#define TILE_TOOLS_TILE_REDUCE_INTERESTING_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::tile {

/// What a program has to do to be kept.
struct Interest {
  enum class Kind {
    Differs,  ///< tile-run --check says that an argument is different
    Fails,    ///< the compiler fails with a message
    RunFails, ///< tile-run ends with another status than 0 and a message
    Crashes,  ///< the compiler dies
    Program,  ///< a program of the user's ends with another status than 0
  };
  Kind kind = Kind::Differs;
  /// A part of what is printed; of a program of the user's its path.
  std::string message;
  std::string tools;                  ///< the folder of tile-opt and tile-run
  std::vector<std::string> arguments; ///< more of the tool's
  unsigned timeoutSeconds = 60;       ///< a run that takes longer is not kept

  /// As text, and back; nothing where it is not one of ours.
  std::string save() const;
  bool load(llvm::StringRef text);
};

/// How a program did.
struct Verdict {
  bool isInteresting = false;
  std::string summary; ///< what happened instead, in a line
};

Verdict judge(const Interest &interest, llvm::StringRef file);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILE_REDUCE_INTERESTING_H
