// `quadrille draw`: its options. The views come from the list, so a new one appears in the help by itself.
#include "pages/draw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {
namespace {

void declare_view(Options& options, pages::DrawRequest& request) {
  std::vector<std::string> names;
  std::vector<std::string> views;
  for (const pages::View& view : pages::views()) {
    names.push_back(view.name);
    views.push_back(fmt::format("{} ({})", view.name, view.summary));
  }
  options.choice({"--view", "VIEW", fmt::format("What is drawn: {}", fmt::join(views, ", ")), true}, names,
                 request.view);
}

}  // namespace

std::unique_ptr<Command> make_draw_command(const Registry& registry) {
  using Request = pages::DrawRequest;
  return request_command<Request>(
      registry, "draw", "Draw a table as a figure, in SVG", [](Options& options, Asked<Request>& asked) {
        Request& request = asked.request;
        declare_input(options, request.input);
        declare_view(options, request);
        options.whole({"--step", "STEP", "--view machine: what is on its way in this step, instead of the load"},
                      {1, max_step},
                      [&request](std::uint64_t step) { request.step = static_cast<std::uint32_t>(step); });
        declare_costs(options, request.sizes, request.costs);
        declare_size_of(options, request.size_of);
        options.word({"-o,--output", "FILE", "Where the figure goes; standard output if not given"}, request.output);
        declare_color(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
