#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Bounds final : public Command {
 public:
  std::string_view name() const override { return "bounds"; }
  std::string_view purpose() const override { return "Tell how many steps any schedule needs at least, and why"; }

  void declare(Options& options) override {
    options.word({"--collective", "COLLECTIVE",
                  "What is to be done, as in a table's head: total_exchange, or scatter:root=0", true},
                 request_.collective);
    options.word({"--on", "FABRIC", "The fabric to do it on (see fabrics)", true}, request_.on);
    declare_json(options, json_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, json_);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::BoundsRequest request_;
  driver::LimitRequest limits_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bounds_command() { return std::make_unique<Bounds>(); }

}  // namespace quadrille::cli
