// A line on the terminal while a long piece of work goes on.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "driver/files/environment.h"
#include "model/limits/limits.h"

namespace quadrille::cli {

// Shows nothing in the first second, nor where standard error is not a terminal; the line is erased at the end. What
// was reported last stands there, with the time, also while nothing more is reported (a solver at work, say).
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
  // A report, with texts of its own.
  struct Latest {
    std::string stage;
    std::string unit;
    Progress numbers;
  };

  void report(const Progress& progress);
  void tick();
  void draw_if_due(std::chrono::steady_clock::time_point now);  // requires the mutex

  driver::Environment& environment_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point next_;
  std::chrono::steady_clock::time_point stage_began_;
  std::mutex mutex_;  // of what follows: reports and ticks come from different threads
  std::optional<Latest> latest_;
  bool shown_ = false;
  std::unique_ptr<driver::Ticker> ticker_;
};

}  // namespace quadrille::cli
