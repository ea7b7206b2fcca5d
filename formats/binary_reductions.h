// Private to formats/: what the rows of a binary table say of words, which stands behind all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "formats/head.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

struct ReductionsBlock {
  std::span<const std::uint32_t> numbers;
  std::size_t offset = 0;   // of the first, in the file
  const std::string& name;  // of the file
};

// The rows with what the block says of them, row by row, in the cursor's order.
Result<std::shared_ptr<const RowSource>> with_reductions(const ReductionsBlock& block, const RowSource& rows,
                                                         const TableHead& head, const Limits& limits);

}  // namespace quadrille
