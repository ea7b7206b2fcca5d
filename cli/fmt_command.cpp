#include "cli/commands.h"
#include "cli/session.h"

namespace quadrille::cli {
namespace {

class Fmt final : public Command {
 public:
  std::string_view name() const override { return "fmt"; }
  std::string_view purpose() const override { return "Give schedule files their one canonical layout"; }

  void declare(Options& options) override {
    options.positionals({"FILE", "", "Files to rewrite; - is standard input to standard output", true}, request_.files);
    options.flag({"--check", "", "Rewrite nothing; name the files that differ, and end with 1 if any does"},
                 request_.check);
  }

  int run(driver::Environment& environment) override {
    Session session(environment);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::LayoutRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_fmt_command() { return std::make_unique<Fmt>(); }

}  // namespace quadrille::cli
