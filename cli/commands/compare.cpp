// `quadrille compare`: its options, and the rows that a terminal shows before the table is done.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/shared_options.h"
#include "cli/render/report_text.h"
#include "cli/session.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

class Compare final : public Command {
 public:
  explicit Compare(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "compare"; }
  std::string_view purpose() const override {
    return "Measure every algorithm that ships for a collective, and your own, on one fabric";
  }

  void declare(Options& options) override {
    options.positionals({"FILE", "", "Schedules of your own, each of which is measured, too; - is standard input"},
                        request_.files);
    options.words({"-D,--define", "NAME=VALUE",
                   "Give a parameter of the files its value, instead of all that are of use; may be repeated"},
                  request_.defines);
    options.words({"--only", "NAME", "Measure only this one, of those that ship or of the files; may be repeated"},
                  request_.only);
    declare_consumer(options, request_.consumer);
    declare_question(options, request_.collective, request_.on, request_.without);
    options.word({"--levels", "SIZES",
                  "How many processors a server has, how many servers a rack, and so on: 8,4,2; those of the fabric if "
                  "not given"},
                 request_.levels);
    declare_costs(options, request_.sizes, request_.costs);
    declare_size_of(options, request_.size_of);
    options.flag({"--steps", "", "With --size: also measure the steps of packets, and what is written in steps"},
                 request_.steps);
    options.word({"-o,--output", "FILE",
                  "Where the best table goes, in the format of the extension (csv, json, qsend); any other name is a "
                  "folder for a table and a schedule for each range of sizes"},
                 request_.output);
    options.word({"--schedule", "FILE", "Where the best goes as a schedule in the language"}, request_.schedule);
    options.flag({"--verbose", "", "Show of each algorithm what takes its time at each size"}, form_.all);
    declare_form(options, form_);
    declare_page(options, form_.page, false);
    declare_limits(options, limits_);
  }

  int run(driver::Environment& environment) override {
    Session session(environment, registry_.world, limits_, form_);
    if (session.context().limits.progress) {
      request_.on_row = [&](const driver::Compared& row) {
        session.context().limits.progress({.stage = "", .done = std::nullopt});
        environment.print_error(row_text(row));
      };
    }
    return session.finish(driver::run(request_, session.context()));
  }

 private:
  // "allreduce_ring N=8: 14 rounds, 36.43 us, 23.52 ms"
  static std::string row_text(const driver::Compared& row) {
    std::string text = printable(row.algorithm) + ":";
    if (const auto& measures = row.first().in_rounds) text += fmt::format(" {} rounds", measures->rounds);
    if (row.steps) text += fmt::format("{} {} steps", row.first().in_rounds ? "," : "", *row.steps);
    for (const auto& time : row.times) text += ", " + time_text(time);
    return text + "\n";
  }

  const Registry& registry_;
  driver::CompareRequest request_;
  driver::LimitRequest limits_;
  FormRequest form_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command(const Registry& registry) { return std::make_unique<Compare>(registry); }

}  // namespace quadrille::cli
