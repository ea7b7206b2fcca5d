#include "cli/commands.h"
#include "cli/session.h"
#include "cli/shared_options.h"

namespace quadrille::cli {
namespace {

class Compile final : public Command {
 public:
  std::string_view name() const override { return "compile"; }
  std::string_view purpose() const override { return "Write the send table of a schedule for one size"; }

  void declare(Options& options) override {
    declare_input(options, request_.input, false);
    options.word({"-o,--output", "FILE", "Where the table goes; standard output if not given"}, request_.output);
    options.choice({"--format", "FORMAT", "csv, json or binary (by the extension of -o, else csv)"},
                   {"csv", "json", "binary"}, request_.format);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, limits_, false);
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  driver::CompileRequest request_;
  driver::LimitRequest limits_;
};

}  // namespace

std::unique_ptr<Command> make_compile_command() { return std::make_unique<Compile>(); }

}  // namespace quadrille::cli
