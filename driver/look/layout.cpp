// The command `fmt`: each file is parsed, laid out and compared, and replaced if it differs. A file with errors is
// left alone, and the command continues with the others.
#include "driver/look/layout.h"

#include <fmt/format.h>

#include "driver/files/write_file.h"
#include "driver/inputs/input.h"
#include "dsl/format.h"
#include "dsl/parse.h"

namespace quadrille::driver {
namespace {

Result<LaidOutFile> lay_out(const std::string& name, Context& context) {
  const Result<std::string> text = text_of(name, context);
  if (!text) return text.diagnostics();
  context.sources.push_back({name, *text});
  const Source& source = context.sources.back();
  const Result<ast::File> file = parse(source, static_cast<std::uint32_t>(context.sources.size() - 1));
  if (!file) return file.diagnostics();
  LaidOutFile result{name, format(*file)};
  result.differs = result.text != source.text;
  return result;
}

}  // namespace

Result<LayoutOutcome> run(const LayoutRequest& request, Context& context) {
  LayoutOutcome outcome;
  outcome.check = request.check;
  for (const std::string& name : request.files) {
    Result<LaidOutFile> file = lay_out(name, context);
    if (!file) {
      outcome.failures.insert(outcome.failures.end(), file.diagnostics().begin(), file.diagnostics().end());
      continue;
    }
    if (file->differs && !request.check && name != "-") {
      const auto failure = write_file(name, file->text, context.environment);
      if (failure) outcome.failures.push_back(error_at({}, *failure, Code::file));
      file->written = !failure;
    }
    outcome.files.push_back(std::move(*file));
  }
  return outcome;
}

}  // namespace quadrille::driver
