// One command at work: its context, the line that shows how far it is, and how it ends.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "cli/exit_status.h"
#include "cli/progress.h"
#include "cli/render/form.h"
#include "cli/render/page.h"
#include "cli/render/render.h"
#include "driver/inputs/context.h"
#include "model/text/result.h"

namespace quadrille::cli {

class Session {
 public:
  // The outcome is printed in that form, errors too.
  Session(driver::Environment& environment, const driver::World& world, const driver::LimitRequest& limits,
          const FormRequest& form);

  driver::Context& context() { return context_; }

  // Prints the outcome, or what is wrong, and gives the exit status.
  template <class Outcome>
  int finish(const Result<Outcome>& result) {
    progress_.erase();
    if (!result) return refuse(result.diagnostics());
    warn(result.diagnostics());
    if constexpr (requires { result->notes; }) note(result->notes);
    context_.environment.print(
        std::visit([&](const auto& form) { return fit(form, rendered(form, *result, context_.sources)); }, form_));
    int status = exit_status(*result);
    if constexpr (requires { page_parts(*result, page_, context_); }) {
      if (!page_.file.empty() && !keep_page(page_parts(*result, page_, context_))) return exit_bad_input;
    }
    if constexpr (requires { result->failures; }) status = fail(result->failures, status);
    return context_.environment.leave(status);
  }
  // Prints what is new of an outcome so far, at once. False if standard output takes no more.
  template <class Outcome>
  bool show_newest(const Outcome& so_far) {
    if (context_.limits.progress) context_.limits.progress({});  // the line goes, and comes again
    context_.environment.print(std::visit([&](const auto& form) { return fit(form, newest(form, so_far)); }, form_));
    return context_.environment.flush();
  }
  // Says what is wrong, and gives the status of bad input; or of an answer that is not known, where limits were
  // reached.
  int refuse(const Diagnostics& diagnostics);

 private:
  static std::string fit(const AsText& form, const std::string& text) { return fit_to_show(text, form.paint); }
  static std::string fit(const AsJson&, const std::string& text) { return fit_to_show(text, Paint()); }

  void warn(const Diagnostics& diagnostics);
  void note(const std::vector<std::string>& notes);
  int fail(const Diagnostics& failures, int status);
  bool keep_page(const Result<pages::PageParts>& parts);

  driver::Context context_;
  ProgressLine progress_;
  Form form_;
  Paint paint_;  // of what goes to standard error
  PageRequest page_;
};

}  // namespace quadrille::cli
