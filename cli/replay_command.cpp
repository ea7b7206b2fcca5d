#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Replay final : public Command {
 public:
  std::string_view name() const override { return "replay"; }
  std::string_view purpose() const override {
    return "Move the packets through a simulated fabric: queues, link use, time";
  }

  void declare(Options& options) override {
    declare_input(options, request_.input, true);
    declare_json(options, json_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, json_);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::ReplayRequest request_;
  driver::LimitRequest limits_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_replay_command() { return std::make_unique<Replay>(); }

}  // namespace quadrille::cli
