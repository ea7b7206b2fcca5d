// A line on the terminal while a long piece of work goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "driver/environment.h"

namespace quadrille::cli {

// Shows nothing in the first second, nor where standard error is not a terminal; the line is erased at the end.
class Progress {
 public:
  // `last`: the last step, where that is known.
  Progress(driver::Environment& environment, std::optional<StepId> last);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // To be called now and then: the step reached, and the rows so far.
  std::function<void(StepId step, std::uint64_t rows)> reporter();

 private:
  void report(StepId step, std::uint64_t rows);

  driver::Environment& environment_;
  std::optional<StepId> last_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

}  // namespace quadrille::cli
