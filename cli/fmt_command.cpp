#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "dsl/format.h"
#include "dsl/parse.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

int fail(std::string message, Outside& outside) { return refuse({error_at({}, std::move(message))}, {}, outside); }

// Where the new text goes.
int write(const std::string& name, const std::string& text, Outside& outside) {
  const auto file = outside.create_file(name);
  file->write(text);
  if (const auto failure = file->keep()) return fail(fmt::format("cannot write {}: {}", name, *failure), outside);
  return exit_done;
}

int format_file(const std::string& name, bool check, Outside& outside) {
  const bool input = name == "-";
  std::optional<std::string> text = input ? outside.read_input() : outside.read_file(name);
  if (!text) return fail(fmt::format("cannot read {}", name), outside);
  const Sources sources{{name, *std::move(text)}};
  const Result<ast::File> file = parse(sources[0], 0);
  if (!file) return refuse(file.diagnostics(), sources, outside);

  const std::string laid_out = format(*file);
  const bool differs = laid_out != sources[0].text;
  if (check) {
    if (differs) outside.print(fmt::format("{}\n", name));
    return differs ? exit_violated : exit_done;
  }
  if (!input) return differs ? write(name, laid_out, outside) : exit_done;
  outside.print(laid_out);
  return exit_done;
}

}  // namespace

int fmt_command(const FmtArguments& arguments, Outside& outside) {
  int status = exit_done;
  for (const std::string& name : arguments.files) {
    status = std::max(status, format_file(name, arguments.check, outside));
  }
  return status;
}

}  // namespace quadrille::cli
