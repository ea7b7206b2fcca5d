#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Fabrics final : public Command {
 public:
  std::string_view name() const override { return "fabrics"; }
  std::string_view purpose() const override { return "Name the kinds of fabric that --on and schedules understand"; }
  void declare(Options& options) override { declare_json(options, json_); }

  int run(driver::Environment& environment) override {
    Session session(environment, json_);
    return session.finish(driver::run(driver::FabricsRequest{}, session.context()));
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_fabrics_command() { return std::make_unique<Fabrics>(); }

}  // namespace quadrille::cli
