#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Certify final : public Command {
 public:
  std::string_view name() const override { return "certify"; }
  std::string_view purpose() const override { return "Judge a certificate that there is no schedule of so many steps"; }

  void declare(Options& options) override {
    options.positional({"FILE", "", "A certificate; the files that it names lie beside it", true}, request_.file);
    declare_json(options, json_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, json_);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::CertifyRequest request_;
  driver::LimitRequest limits_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_certify_command() { return std::make_unique<Certify>(); }

}  // namespace quadrille::cli
