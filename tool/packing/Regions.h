// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several buffers that main cuts from one block of memory: what reads others of them than that of a message, and calls
// of MPI that have those, do not see what is in its buffer.
//
//   out = malloc(4 * width * sizeof(double));
//   in = out + 2 * width;

#ifndef MPISHM_TOOL_PACKING_REGIONS_H
#define MPISHM_TOOL_PACKING_REGIONS_H

#include "packing/Sends.h"

namespace mpishm {

class RegionReader : public SendReader {
public:
  RegionReader(clang::ASTContext &C, const Places &P, const Pair &What, const clang::FunctionDecl *In, const Order &O)
      : SendReader(C, P, What, In, nullptr), InOrder(O) {}

  /// Fills in what is apart from the buffer of the send.
  void read(PackedSend &Result);

private:
  /// Elements of the block.
  struct Region {
    Address Begin;
    Polynomial Number; ///< none where it is negative
  };
  std::optional<Region> regionOf(const clang::CallExpr *Call) const;
  std::optional<Region> regionOf(const clang::ArraySubscriptExpr *Element) const;
  bool isApart(const std::optional<Region> &Other) const;

  const Order &InOrder;
  clang::QualType Element;
  Region Sent;
};

} // namespace mpishm

#endif
