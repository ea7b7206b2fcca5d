// `quadrille certify`: its options, and the choice between a certificate of impossibility and a proof for every size,
// which is a folder.
#include "cli/commands/commands.h"
#include "cli/commands/shared_options.h"
#include "cli/session.h"
#include "driver/inputs/proof_folder.h"

namespace quadrille::cli {
namespace {

class Certify final : public Command {
 public:
  explicit Certify(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "certify"; }
  std::string_view purpose() const override {
    return "Judge a certificate that there is no schedule of so many steps, or a proof for every size";
  }

  void declare(Options& options) override {
    options.positional({"FILE", "", "A certificate, whose files lie beside it; or the folder of a proof", true}, path_);
    options.word({"--schedule", "FILE", "Of a proof: lower this schedule again, and compare"}, proof_.schedule);
    options.words({"-D,--define", "NAME=VALUE", "Of a proof: the values that it was written for; may be repeated"},
                  proof_.defines);
    declare_form(options, form_);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, registry_.world, limits_, form_);
    if (driver::is_proof_folder(path_, session.context())) {
      proof_.folder = path_;
      return session.finish(driver::run(proof_, session.context()));
    }
    if (!proof_.schedule.empty() || !proof_.defines.empty())
      return session.refuse(
          {error_at({}, path_ + " is no folder with a proof; --schedule and -D are for one only", Code::usage)});
    return session.finish(driver::run(driver::CertifyRequest{path_}, session.context()));
  }

 private:
  const Registry& registry_;
  std::string path_;
  driver::CertifyProofRequest proof_;
  driver::LimitRequest limits_;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_certify_command(const Registry& registry) { return std::make_unique<Certify>(registry); }

}  // namespace quadrille::cli
