// `quadrille prove`: its options, and the choice between a proof and, with --sizes, single sizes.
#include "cli/commands/commands.h"
#include "cli/commands/shared_options.h"
#include "cli/session.h"

namespace quadrille::cli {
namespace {

class Prove final : public Command {
 public:
  explicit Prove(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "prove"; }
  std::string_view purpose() const override { return "Show a schedule right for every size at once, with Z3"; }

  void declare(Options& options) override {
    options.positional({"FILE", "", "A schedule: a path, or the name of one that ships; - is standard input"},
                       request_.file);
    options.words({"-D,--define", "NAME=VALUE",
                   "Prove it for this value of a parameter only, L=4 or capacity=constant; may be repeated"},
                  request_.defines);
    options.words(
        {"--sizes", "[NAME=]FROM..TO",
         "Check these values of a parameter one by one instead of proving; may be repeated, for each parameter"},
        sizes_);
    options.word({"--emit-smt2", "FOLDER", "Write each obligation there, as SMT-LIB 2, for other solvers"},
                 request_.smt2);
    options.word({"--certificate", "FOLDER", "Write a proof there that a second reader can judge (`certify`)"},
                 request_.certificate);
    options.flag({"--all-shipped", "", "Prove every schedule that ships, and list what is proved"}, shipped_);
    options.flag({"--all", "", "List every obligation, not only each property"}, form_.all);
    options.flag({"--explain", "", "Say why it is right, in a few lines"}, form_.explain);
    declare_form(options, form_);
    declare_page(options, form_.page, false);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, registry_.world, limits_, form_);
    if (shipped_ ? !alone() : request_.file.empty()) {
      return session.refuse({error_at(
          {},
          shipped_ ? "--all-shipped: expected no schedule, nor options for one" : "FILE is required, or --all-shipped",
          Code::usage)});
    }
    if (shipped_) {
      // Each proof is printed as it comes.
      const auto show = [&](const driver::ProveShippedOutcome& so_far) { return session.show_newest(so_far); };
      return session.finish(driver::run(driver::ProveShippedRequest{show}, session.context()));
    }
    if (!sizes_.empty()) {
      return session.finish(
          driver::run(driver::SizesRequest{request_.file, request_.defines, sizes_}, session.context()));
    }
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  // Whether nothing is asked of a single schedule.
  bool alone() const {
    return request_.file.empty() && request_.defines.empty() && request_.smt2.empty() && request_.certificate.empty() &&
           sizes_.empty() && !form_.all && !form_.explain;
  }

  const Registry& registry_;
  driver::ProveRequest request_;
  driver::LimitRequest limits_;
  std::vector<std::string> sizes_;
  bool shipped_ = false;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_prove_command(const Registry& registry) { return std::make_unique<Prove>(registry); }

}  // namespace quadrille::cli
