// The line that says how far the work is: on terminals only, after a second, five times a second at most, and erased
// before anything else is printed. A report draws it, and so does a ticker where reports are rare.
#include "cli/progress.h"

#include <fmt/format.h>

#include <utility>

namespace quadrille::cli {
namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto interval = std::chrono::milliseconds(200);
constexpr std::string_view erase_line = "\r\x1b[K";

// "checking: 2 of 40 steps, 2.4 million rows, 2.0 million rows/s"
std::string line_text(const Progress& progress, double seconds) {
  std::string text(progress.stage);
  if (progress.done) {
    const std::string of = progress.of ? fmt::format(" of {}", *progress.of) : "";
    text += fmt::format(": {}{} {}", *progress.done, of, progress.unit);
  }
  if (!progress.rows) return text + fmt::format(", {:.0f} s", seconds);
  const double millions = static_cast<double>(*progress.rows) / 1e6;
  return text + fmt::format(", {:.1f} million rows, {:.1f} million rows/s", millions, millions / seconds);
}

}  // namespace

ProgressLine::ProgressLine(driver::Environment& environment)
    : environment_(environment), began_(environment.now()), next_(began_ + patience), stage_began_(began_) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::erase() {
  ticker_.reset();  // waits for a tick that is under way: not under the mutex
  const std::lock_guard lock(mutex_);
  latest_.reset();
  if (shown_) environment_.print_error(erase_line);
  shown_ = false;
}

std::function<void(const Progress&)> ProgressLine::reporter() {
  if (!environment_.errors_go_to_a_terminal()) return {};
  ticker_ = environment_.every(interval, [this] { tick(); });
  return [this](const Progress& progress) { report(progress); };
}

void ProgressLine::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (progress.stage.empty()) {  // the terminal is needed for something else
    latest_.reset();
    if (std::exchange(shown_, false)) environment_.print_error(erase_line);
    return;
  }
  const auto now = environment_.now();
  if (latest_ && latest_->stage != progress.stage) stage_began_ = now;
  latest_ = {std::string(progress.stage), std::string(progress.unit), progress};
  draw_if_due(now);
}

void ProgressLine::tick() {
  const std::lock_guard lock(mutex_);
  if (latest_) draw_if_due(environment_.now());
}

void ProgressLine::draw_if_due(std::chrono::steady_clock::time_point now) {
  // Callers report as often as they like; the terminal is written to five times a second.
  if (now < next_) return;
  next_ = now + interval;
  shown_ = true;
  // Rows count from where their stage began.
  const auto began = latest_->numbers.rows ? stage_began_ : began_;
  const double seconds = std::chrono::duration<double>(now - began).count();
  Progress progress = latest_->numbers;
  progress.stage = latest_->stage;
  progress.unit = latest_->unit;
  environment_.print_error(fmt::format("{}{}", erase_line, line_text(progress, seconds)));
}

}  // namespace quadrille::cli
