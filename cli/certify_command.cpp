// `quadrille certify`: its options.
#include "cli/commands.h"
#include "cli/request_command.h"
#include "cli/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_certify_command(const Program& program) {
  using Request = driver::CertifyRequest;
  return request_command<Request>(program, "certify", "Judge a certificate that there is no schedule of so many steps",
                                  [](Options& options, Asked<Request>& asked) {
                                    options.positional(
                                        {"FILE", "", "A certificate; the files that it names lie beside it", true},
                                        asked.request.file);
                                    declare_form(options, asked.form);
                                    declare_limits(options, asked.limits);
                                  });
}

}  // namespace quadrille::cli
