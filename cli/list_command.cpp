#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class List final : public Command {
 public:
  std::string_view name() const override { return "list"; }
  std::string_view purpose() const override { return "Name the schedules that ship, with their parameters"; }
  void declare(Options& options) override { declare_json(options, json_); }

  int run(driver::Environment& environment) override {
    Session session(environment, json_);
    return session.finish(driver::run(driver::ListRequest{}, session.context()));
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<List>(); }

}  // namespace quadrille::cli
