// One command at work: its limits and progress from the environment, and how it ends where it fails.
#include "cli/session.h"

#include <fmt/format.h>

#include "cli/render/report_text.h"
#include "driver/files/write_file.h"
#include "model/text/printable.h"
#include "model/verdict.h"

namespace quadrille::cli {

Session::Session(driver::Environment& environment, const driver::World& world, const driver::LimitRequest& limits,
                 const FormRequest& form)
    : context_{environment, driver::make_limits(limits, environment), {}, &world},
      progress_(environment),
      form_(make_form(form, environment)),
      paint_(paint_for(Stream::errors, form.color, environment)),
      page_(form.page) {
  context_.limits.progress = progress_.reporter();
  context_.on_note = [this](std::string_view text) {
    if (context_.limits.progress) context_.limits.progress({});  // the line goes, and comes again
    note({std::string(text)});
  };
}

int Session::refuse(const Diagnostics& diagnostics) {
  const int status = refusal_status(diagnostics);
  context_.environment.print(std::visit(
      [&](const auto& form) { return fit(form, rendered_errors(form, diagnostics, context_.sources, status)); },
      form_));
  context_.environment.print_error(painted(diagnostics, context_.sources, paint_));
  return status;
}

void Session::warn(const Diagnostics& diagnostics) {
  context_.environment.print_error(painted(diagnostics, context_.sources, paint_));
}

void Session::note(const std::vector<std::string>& notes) {
  for (const std::string& each : notes)
    context_.environment.print_error(fmt::format("{}: {}\n", paint_("note"), printable(each)));
}

bool Session::keep_page(const Result<pages::PageParts>& parts) {
  Diagnostics faults = parts.diagnostics();
  if (parts) {
    auto failure = driver::write_file(page_.file, pages::page(*parts), context_.environment);
    if (failure) faults.push_back(error_at({}, *std::move(failure), Code::file));
  }
  context_.environment.print_error(painted(faults, context_.sources, paint_));
  if (faults.empty() && std::holds_alternative<AsText>(form_)) {
    context_.environment.print(fmt::format("page        {}\n", printable(page_.file)));
  }
  return faults.empty();
}

int Session::fail(const Diagnostics& failures, int status) {
  if (failures.empty()) return status;
  context_.environment.print_error(painted(failures, context_.sources, paint_));
  return exit_bad_input;
}

}  // namespace quadrille::cli
