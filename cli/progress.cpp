#include "cli/progress.h"

#include <fmt/format.h>

namespace quadrille::cli {
namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto interval = std::chrono::milliseconds(200);
constexpr std::string_view erase_line = "\r\x1b[K";

}  // namespace

Progress::Progress(driver::Environment& environment, std::optional<StepId> last)
    : environment_(environment), last_(last), began_(environment.now()), next_(began_ + patience) {}

Progress::~Progress() {
  if (shown_) environment_.print_error(erase_line);
}

std::function<void(StepId, std::uint64_t)> Progress::reporter() {
  if (!environment_.errors_go_to_a_terminal()) return {};
  return [this](StepId step, std::uint64_t rows) { report(step, rows); };
}

void Progress::report(StepId step, std::uint64_t rows) {
  const auto now = environment_.now();
  if (now < next_) return;
  next_ = now + interval;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const std::string of = last_ ? fmt::format(" of {}", last_->value) : "";
  environment_.print_error(fmt::format("{}step {}{}, {:.1f} million rows, {:.1f} million rows/s", erase_line,
                                       step.value, of, static_cast<double>(rows) / 1e6,
                                       static_cast<double>(rows) / 1e6 / seconds));
}

}  // namespace quadrille::cli
