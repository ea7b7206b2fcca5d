// `quadrille draw`: its options. The views come from the list, so a new one appears in the help by itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"
#include "pages/draw.h"

namespace quadrille::cli {
namespace {

class DrawCommand final : public Command {
 public:
  explicit DrawCommand(const Program& program) : program_(program) {}

  std::string_view name() const override { return "draw"; }
  std::string_view purpose() const override { return "Draw a table as a figure, in SVG"; }

  void declare(Options& options) override {
    declare_input(options, request_.input);
    std::vector<std::string> names;
    std::vector<std::string> views;
    for (const pages::View& view : pages::views()) {
      names.push_back(view.name);
      views.push_back(fmt::format("{} ({})", view.name, view.summary));
    }
    options.choice({"--view", "VIEW", fmt::format("What is drawn: {}", fmt::join(views, ", ")), true}, names,
                   request_.view);
    options.whole({"--step", "STEP", "--view machine: what is on its way in this step, instead of the load"},
                  {1, max_step}, [this](std::uint64_t step) { request_.step = static_cast<std::uint32_t>(step); });
    declare_costs(options, request_.sizes, request_.costs);
    options.word({"-o,--output", "FILE", "Where the figure goes; standard output if not given"}, request_.output);
    declare_color(options, form_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, program_.world, limits_, form_);
    return session.finish(pages::run(request_, session.context()));
  }

 private:
  const Program& program_;
  pages::DrawRequest request_;
  driver::LimitRequest limits_;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_draw_command(const Program& program) { return std::make_unique<DrawCommand>(program); }

}  // namespace quadrille::cli
