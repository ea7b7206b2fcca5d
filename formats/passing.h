// Private to formats/: how a reader says how far it is in a file that is mapped into memory, so that pages which it has
// passed do not count as the process's.
#pragma once

#include <cstddef>

#include "formats/formats.h"

namespace quadrille {

// Lets go of what has been passed, a megabyte at a time. For example, of bytes that are read from their first one
// to the 3 millionth: the first MiB, then the next. Keeps a reference.
class Passing {
 public:
  explicit Passing(const SharedBytes& bytes, std::size_t from = 0) : bytes_(&bytes), from_(from) {}

  // Everything from where the passing began to that place has been read.
  void at(std::size_t place) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (place < from_ + piece || !bytes_->passed) return;
    bytes_->passed(from_, place);
    from_ = place;
  }

 private:
  const SharedBytes* bytes_;
  std::size_t from_;
};

}  // namespace quadrille
