// What is precompiled for unit tests of plain C++.
#ifndef TILE_CMAKE_TESTHEADER_H
#define TILE_CMAKE_TESTHEADER_H

#include "StandardHeader.h"

#include "gtest/gtest.h"

#endif // TILE_CMAKE_TESTHEADER_H
