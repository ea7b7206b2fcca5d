// `quadrille completion`: a script for one shell, made from the options that the commands declare.
#include "cli/complete/completion.h"

#include "cli/commands/commands.h"
#include "cli/pages.h"
#include "cli/session.h"
#include "dsl/load.h"

namespace quadrille::cli {
namespace {

CompletionNames all_names(const Families& families) {
  CompletionNames names;
  for (const TopologyFamily& family : families.topologies) names.fabrics.push_back(family.name);
  for (const auto& family : families.collectives) names.collectives.emplace_back(family->facts().name);
  for (const ShippedFile& shipped : shipped_schedules()) names.schedules.emplace_back(shipped.name);
  for (const Page& page : pages()) names.topics.emplace_back(page.topic);
  return names;
}

class Completion final : public Command {
 public:
  explicit Completion(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "completion"; }
  std::string_view purpose() const override { return "Print a script that completes the command line in a shell"; }

  void declare(Options& options) override {
    options.choice({"SHELL", "", "bash, zsh or fish", true}, {"bash", "zsh", "fish"}, shell_);
  }

  int run(driver::Environment& environment) override {
    const CommandList commands = make_commands(registry_);
    const auto script = shell_ == "bash" ? bash_completion : shell_ == "zsh" ? zsh_completion : fish_completion;
    environment.print(script(summaries(commands), all_names(registry_.world.families)));
    return environment.leave(exit_done);
  }

 private:
  const Registry& registry_;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command(const Registry& registry) {
  return std::make_unique<Completion>(registry);
}

}  // namespace quadrille::cli
