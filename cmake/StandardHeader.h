// What is precompiled for plain C++.
#ifndef TILE_CMAKE_STANDARDHEADER_H
#define TILE_CMAKE_STANDARDHEADER_H

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#endif // TILE_CMAKE_STANDARDHEADER_H
