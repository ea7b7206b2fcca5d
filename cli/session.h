// One command at work: its context, the line that shows how far it is, and how it ends.
#pragma once

#include <string>
#include <utility>

#include "cli/exit_status.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "driver/context.h"
#include "model/result.h"

namespace quadrille::cli {

class Session {
 public:
  // `json`: the outcome is printed as JSON, errors too.
  Session(driver::Environment& environment, const driver::World& world, const driver::LimitRequest& limits, bool json);

  driver::Context& context() { return context_; }

  // Prints the outcome, or what is wrong, and gives the exit status.
  template <class Outcome>
  int finish(const Result<Outcome>& result) {
    return finish(result, [&](const Outcome& outcome) { return render_text(outcome, context_.sources); });
  }
  template <class Outcome, class RenderText>
  int finish(const Result<Outcome>& result, const RenderText& text) {
    progress_.erase();
    if (!result) return refuse(result.diagnostics());
    warn(result.diagnostics());
    if constexpr (requires { result->notes; }) note(result->notes);
    context_.environment.print(json_ ? render_json(*result, context_.sources) : text(*result));
    int status = exit_status(*result);
    if constexpr (requires { result->failures; }) status = fail(result->failures, status);
    return context_.environment.leave(status);
  }
  // Says what is wrong, and gives the status of bad input; or of an answer that is not known, where limits were
  // reached.
  int refuse(const Diagnostics& diagnostics);

 private:
  void warn(const Diagnostics& diagnostics);
  void note(const std::vector<std::string>& notes);
  int fail(const Diagnostics& failures, int status);

  driver::Context context_;
  ProgressLine progress_;
  bool json_;
};

}  // namespace quadrille::cli
