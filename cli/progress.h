// A line on the terminal while a long piece of work goes on.
#pragma once

#include <chrono>
#include <functional>

#include "driver/environment.h"
#include "model/limits.h"

namespace quadrille::cli {

// Shows nothing in the first second, nor where standard error is not a terminal; the line is erased at the end.
class ProgressLine {
 public:
  explicit ProgressLine(driver::Environment& environment);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // For Limits::progress; empty if nothing would be shown.
  std::function<void(const Progress&)> reporter();
  void erase();

 private:
  void report(const Progress& progress);

  driver::Environment& environment_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

}  // namespace quadrille::cli
