// Colours on a terminal: words that judge, places, and the marks under a piece of source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "driver/files/environment.h"

namespace quadrille::cli {

class Paint {
 public:
  // Off, all text stays as it is.
  explicit Paint(bool on = false) : on_(on) {}

  bool on() const { return on_; }
  // A word that judges (`holds`, `violated`, `unknown`, `error`, …) in its colour, filled up with blanks to `width`
  // columns; other words have none.
  std::string operator()(std::string_view word, std::size_t width = 0) const;
  // The same of a text that is as good or bad as `word`.
  std::string like(std::string_view word, std::string_view text) const;
  std::string strong(std::string_view text) const;

 private:
  bool on_;
};

enum class Stream { output, errors };

// A whole output with characters that cannot be shown written out (model/text/printable.h): all but line breaks and, if
// it is painted, colours. Whatever came from a file without being made fit to be shown ends here.
std::string fit_to_show(std::string_view output, Paint paint);

// `color`: "auto", "always" or "never". Auto paints on terminals that have colours, unless NO_COLOR is set
// (https://no-color.org).
Paint paint_for(Stream stream, std::string_view color, const driver::Environment& environment);

}  // namespace quadrille::cli
