#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Show final : public Command {
 public:
  std::string_view name() const override { return "show"; }
  std::string_view purpose() const override { return "Print a schedule that ships"; }

  void declare(Options& options) override {
    options.positional({"NAME", "", "Its name (see list)", true}, request_.name);
    declare_json(options, json_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, json_);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::ShowRequest request_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_show_command() { return std::make_unique<Show>(); }

}  // namespace quadrille::cli
