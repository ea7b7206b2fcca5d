#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "cli/refuse.h"
#include "dsl/format.h"
#include "dsl/parse.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

int fail(std::string message, driver::Environment& environment) {
  return refuse({error_at({}, std::move(message))}, {}, environment);
}

// Where the new text goes.
int write(const std::string& name, const std::string& text, driver::Environment& environment) {
  const auto file = environment.create_file(name);
  file->write(text);
  if (const auto failure = file->keep()) return fail(fmt::format("cannot write {}: {}", name, *failure), environment);
  return exit_done;
}

int format_file(const std::string& name, bool check, driver::Environment& environment) {
  const bool input = name == "-";
  std::optional<std::string> text = input ? environment.read_input() : environment.read_file(name);
  if (!text) return fail(fmt::format("cannot read {}", name), environment);
  const Sources sources{{name, *std::move(text)}};
  const Result<ast::File> file = parse(sources[0], 0);
  if (!file) return refuse(file.diagnostics(), sources, environment);

  const std::string laid_out = format(*file);
  const bool differs = laid_out != sources[0].text;
  if (check) {
    if (differs) environment.print(fmt::format("{}\n", name));
    return differs ? exit_violated : exit_done;
  }
  if (!input) return differs ? write(name, laid_out, environment) : exit_done;
  environment.print(laid_out);
  return exit_done;
}

}  // namespace

int fmt_command(const FmtArguments& arguments, driver::Environment& environment) {
  int status = exit_done;
  for (const std::string& name : arguments.files) {
    status = std::max(status, format_file(name, arguments.check, environment));
  }
  return status;
}

}  // namespace quadrille::cli
