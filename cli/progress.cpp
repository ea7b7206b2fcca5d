// The line that says how far the work is: on terminals only, after a second, five times a second at most, and erased
// before anything else is printed.
#include "cli/progress.h"

#include <fmt/format.h>

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
  if (!progress.rows) return text;
  const double millions = static_cast<double>(*progress.rows) / 1e6;
  return text + fmt::format(", {:.1f} million rows, {:.1f} million rows/s", millions, millions / seconds);
}

}  // namespace

ProgressLine::ProgressLine(driver::Environment& environment)
    : environment_(environment), began_(environment.now()), next_(began_ + patience) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::erase() {
  if (shown_) environment_.print_error(erase_line);
  shown_ = false;
}

std::function<void(const Progress&)> ProgressLine::reporter() {
  if (!environment_.errors_go_to_a_terminal()) return {};
  return [this](const Progress& progress) { report(progress); };
}

void ProgressLine::report(const Progress& progress) {
  const auto now = environment_.now();
  // Callers report as often as they like; the terminal is written to five times a second.
  if (now < next_) return;
  next_ = now + interval;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  environment_.print_error(fmt::format("{}{}", erase_line, line_text(progress, seconds)));
}

}  // namespace quadrille::cli
