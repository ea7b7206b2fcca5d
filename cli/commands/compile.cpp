// `quadrille compile`: its options. The formats come from the list, so a new one appears in the help by itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"
#include "driver/files/output_format.h"

namespace quadrille::cli {
namespace {

// "csv, json or binary (by the extension of -o, else csv)".
std::string choices_text(std::vector<std::string> formats) {
  if (formats.empty()) return "none is known";
  const std::string first = formats.front();
  const std::string last = formats.back();
  formats.pop_back();
  const std::string others = formats.empty() ? "" : fmt::format("{} or ", fmt::join(formats, ", "));
  return fmt::format("{}{} (by the extension of -o, else {})", others, last, first);
}

}  // namespace

std::unique_ptr<Command> make_compile_command(const Registry& registry) {
  using Request = driver::CompileRequest;
  return request_command<Request>(
      registry, "compile", "Write the send table of a schedule for one size",
      [&registry](Options& options, Asked<Request>& asked) {
        std::vector<std::string> formats = driver::written_formats(registry.world.formats);
        const std::string help = choices_text(formats) + "; of a processor's program text, csv or json";
        if (std::find(formats.begin(), formats.end(), "text") == formats.end()) formats.emplace_back("text");
        declare_input(options, asked.request.input);
        options.word({"-o,--output", "FILE", "Where the table goes; standard output if not given"},
                     asked.request.output);
        options.choice({"--format", "FORMAT", help}, formats, asked.request.format);
        options.flag({"--arrivals", "", "Where packets combine: say of each arrival if it is stored, combined or kept"},
                     asked.request.input.arrivals);
        options.whole({"--rank", "PROCESSOR", "What this processor does, step by step, in place of the table"},
                      {0, std::numeric_limits<std::uint32_t>::max()},
                      [&asked](std::uint64_t rank) { asked.request.rank = static_cast<std::uint32_t>(rank); });
        options.word({"--by-rank", "FOLDER", "The same of every processor, a file for each"}, asked.request.by_rank);
        declare_color(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
