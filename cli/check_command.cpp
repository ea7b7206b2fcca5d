#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Check final : public Command {
 public:
  std::string_view name() const override { return "check"; }
  std::string_view purpose() const override {
    return "Judge every property of a table, and the claims of its schedule";
  }

  void declare(Options& options) override {
    declare_input(options, request_.input, true);
    declare_json(options, json_);
    options.flag({"--no-claims", "", "Judge the table only, not the claims of its schedule"}, no_claims_);
    options.number({"--list", "NUMBER", "Describe so many violations of each property (3); all are counted"},
                   {0, std::uint64_t{1} << 32}, listed_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, json_);
    request_.claims = !no_claims_;
    request_.listed = listed_;
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::CheckRequest request_;
  driver::LimitRequest limits_;
  std::uint64_t listed_ = 3;
  bool no_claims_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<Check>(); }

}  // namespace quadrille::cli
