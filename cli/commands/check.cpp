// `quadrille check`, and `quadrille report`, which adds a page: their options. What it judges is told by the file: a
// table or a schedule, or another system's program.
#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"
#include "cli/render/report_text.h"
#include "driver/check/check_goal.h"
#include "driver/check/check_program.h"

namespace quadrille::cli {
namespace {

class CheckCommand final : public Command {
 public:
  // `report`: with a page, and with what replaying a table measures.
  CheckCommand(const Program& program, bool report) : program_(program), report_(report) {}

  std::string_view name() const override { return report_ ? "report" : "check"; }
  std::string_view purpose() const override {
    return report_ ? "Check, and replay, and show all of it on a page to look at"
                   : "Judge every property of a table, and its schedule's claims; or another system's program";
  }

  void declare(Options& options) override {
    declare_input(options, asked_.request.input);
    declare_costs(options, asked_.request.sizes, asked_.request.costs);
    declare_form(options, asked_.form);
    declare_page(options);
    options.opposite({"--no-claims", "", "Judge the table only, not the claims and invariants of its schedule"},
                     asked_.request.claims);
    options.flag({"--agreement", "", "Demand that all who end with the same value have added it up alike"},
                 asked_.request.agreement);
    options.word({"--rows", "A..B", "With --json: also the rows of these steps, or all; a million at most"},
                 asked_.request.rows);
    options.number({"--list", "NUMBER", "Describe so many violations of each property (3); all are counted"},
                   {0, std::uint64_t{1} << 32}, asked_.request.listed);
    declare_limits(options, asked_.limits);
    declare_program(options);
  }

  int run(driver::Environment& environment) override {
    asked_.form.page.command = command_text(name(), asked_.request.input);
    Session session(environment, program_.world, asked_.limits, asked_.form);
    const Kind kind = kind_of(session.context());
    if (const auto wrong = misplaced(kind)) {
      return session.finish(Result<driver::CheckOutcome>(error_at({}, *wrong, Code::usage)));
    }
    if (kind == Kind::table) return session.finish(driver::run(asked_.request, session.context()));
    const std::string& file = asked_.request.input.file;
    their_.order = !asked_.form.page.file.empty();
    if (kind == Kind::goal) {
      const driver::CheckGoalRequest request{file, their_.buffer, asked_.request.listed, their_.operations,
                                             their_.order};
      return session.finish(driver::run(request, session.context()));
    }
    their_.file = file;
    their_.listed = asked_.request.listed;
    return session.finish(driver::run(their_, session.context()));
  }

 private:
  void declare_page(Options& options) {
    PageRequest& page = asked_.form.page;
    if (!report_) return cli::declare_page(options, page, true);
    page.file = "page.html";
    page.replay = true;
    options.word({"-o,--output", "FILE.html", "Where the page goes (page.html)"}, page.file);
    declare_page_steps(options, page);
  }

  enum class Kind { table, msccl, goal };

  Kind kind_of(driver::Context& context) const {
    const std::string& file = asked_.request.input.file;
    if (file == "-") return their_.consumer.empty() ? Kind::table : Kind::msccl;
    if (driver::is_program(file, context)) return Kind::msccl;
    return driver::is_goal(file, context) ? Kind::goal : Kind::table;
  }

  void declare_program(Options& options) {
    options.choice({"--for", "EXECUTOR", "MSCCL XML: the executor that runs it; the strictest, if not given"},
                   {"msccl", "azure", "rccl"}, their_.consumer);
    options.word({"--collective", "COLLECTIVE", "MSCCL XML: what it is to do, instead of what it says (broadcast:2)"},
                 their_.collective);
    options.flag({"--in-place", "", "MSCCL XML: judge calls whose buffers overlap; as the file allows, if not given"},
                 their_.in_place);
    options.flag({"--out-of-place", "", "MSCCL XML: judge calls whose buffers are apart"}, their_.out_of_place);
    options.word({"--bytes", "LO..HI", "MSCCL XML: for whole messages of these sizes (1KiB..1MiB), not the file's"},
                 their_.bytes);
    options.word({"--buffer", "BYTES",
                  "MSCCL XML: of a connection, instead of the executor's own (4MiB); GOAL: what is sent eagerly"},
                 their_.buffer);
    options.word({"--mend", "OUT", "MSCCL XML: write the file to OUT with the changes that would mend it"},
                 their_.mend);
    options.word({"--why-hang", "RANK[:BLOCK]", "MSCCL XML: print what waits for what, from there on"},
                 their_.why_hang);
    options.flag({"--operations", "", "MSCCL XML and GOAL, with --json: also the operations, and what orders them"},
                 their_.operations);
  }

  // What does not go with that kind of file.
  std::optional<std::string> misplaced(Kind kind) const {
    const driver::CheckRequest& table = asked_.request;
    const std::string& file = table.input.file;
    const PageRequest& page = asked_.form.page;
    if (const std::string wrong = wrong_with(page); !wrong.empty()) return wrong;
    if (!table.rows.empty() && !asked_.form.json) return "--rows: expected --json, too: rows are listed there only";
    if (their_.operations && !asked_.form.json) {
      return "--operations: expected --json, too: operations are listed there only";
    }
    if (kind != Kind::table) {
      for (const auto& [given, option] : {std::pair(!table.input.defines.empty(), "-D"),
                                          {!table.input.on.empty(), "--on"},
                                          {!table.input.without.empty(), "--without"},
                                          {table.input.retime, "--retime"},
                                          {!table.input.timing.empty(), "--timing"},
                                          {!table.sizes.empty(), "--size"},
                                          {!table.costs.empty(), "--costs"},
                                          {!table.rows.empty(), "--rows"},
                                          {!page.steps.empty(), "--steps"}}) {
        if (given) {
          return fmt::format("{} does not go with {}, which is {}", option, file,
                             kind == Kind::goal ? "GOAL" : "MSCCL XML");
        }
      }
    }
    if (kind == Kind::msccl) return std::nullopt;
    for (const auto& [given, option] : {std::pair(!their_.consumer.empty(), "--for"),
                                        {!their_.collective.empty(), "--collective"},
                                        {their_.in_place, "--in-place"},
                                        {their_.out_of_place, "--out-of-place"},
                                        {!their_.bytes.empty(), "--bytes"},
                                        {!their_.mend.empty(), "--mend"},
                                        {!their_.why_hang.empty(), "--why-hang"}}) {
      if (given) return fmt::format("{} goes with MSCCL XML only, and {} is none", option, file);
    }
    if (kind == Kind::goal) return std::nullopt;
    for (const auto& [given, option] :
         {std::pair(!their_.buffer.empty(), "--buffer"), {their_.operations, "--operations"}}) {
      if (given) return fmt::format("{} goes with MSCCL XML and GOAL only, and {} is neither", option, file);
    }
    return std::nullopt;
  }

  const Program& program_;
  bool report_;
  Asked<driver::CheckRequest> asked_ = {};
  driver::CheckProgramRequest their_ = {};
};

}  // namespace

std::unique_ptr<Command> make_check_command(const Program& program) {
  return std::make_unique<CheckCommand>(program, false);
}

std::unique_ptr<Command> make_report_command(const Program& program) {
  return std::make_unique<CheckCommand>(program, true);
}

}  // namespace quadrille::cli
