// `quadrille check`, and `quadrille report`, which adds a page: their options. What it judges is told by the file: a
// table or a schedule, or another system's program.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/judged_formats.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"
#include "cli/render/report_text.h"
#include "driver/check/check_program.h"

namespace quadrille::cli {
namespace {

class CheckCommand final : public Command {
 public:
  // `report`: with a page, and with what replaying a table measures.
  CheckCommand(const Registry& registry, bool report) : registry_(registry), report_(report) {}

  std::string_view name() const override { return report_ ? "report" : "check"; }
  std::string_view purpose() const override {
    return report_ ? "Check, and replay, and show all of it on a page to look at"
                   : "Judge every property of a table, and its schedule's claims; or another system's program";
  }

  void declare(Options& options) override {
    declare_input(options, asked_.request.input);
    declare_costs(options, asked_.request.sizes, asked_.request.costs);
    declare_size_of(options, asked_.request.size_of);
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
    Session session(environment, registry_.world, asked_.limits, asked_.form);
    const JudgedFormat* format = format_of(session.context());
    if (const auto wrong = misplaced(format)) {
      return session.finish(Result<driver::CheckOutcome>(error_at({}, *wrong, Code::usage)));
    }
    asked_.request.unlisted_channels = asked_.form.page.file.empty();
    if (format == nullptr) return session.finish(driver::run(asked_.request, session.context()));
    program_asked_.file = asked_.request.input.file;
    program_asked_.listed = asked_.request.listed;
    program_asked_.agreement = asked_.request.agreement;
    program_asked_.order = !asked_.form.page.file.empty();
    if (sms_ != 0) program_asked_.multiprocessors = sms_;
    return format->judge(program_asked_, session);
  }

 private:
  void declare_page(Options& options) {
    PageRequest& page = asked_.form.page;
    if (!report_) return cli::declare_page(options, page, true);
    page.file = "page.html";
    page.replay = true;
    options.command_line(page.command);
    options.word({"-o,--output", "FILE.html", "Where the page goes (page.html)"}, page.file);
    declare_page_steps(options, page);
  }

  // Null: a table or a schedule.
  const JudgedFormat* format_of(driver::Context& context) const {
    const std::string& file = asked_.request.input.file;
    if (file == "-") return program_asked_.consumer.empty() ? nullptr : judged_format(format_of_executor());
    const auto recognised = [&](const JudgedFormat& format) { return format.recognises(file, context); };
    const auto found = std::ranges::find_if(judged_formats(), recognised);
    if (found != judged_formats().end()) return &*found;
    // A path that cannot be read is told so, as the file of the executor that is named. Schedules that ship have no
    // path.
    const bool path = file.find_first_of("./") != file.npos;
    const bool unread = path && !program_asked_.consumer.empty() && !context.environment.read_beginning(file, 1);
    return unread ? judged_format(format_of_executor()) : nullptr;
  }

  std::string_view format_of_executor() const {
    return program_asked_.consumer == plan_executor ? plan_format : msccl_format;
  }

  void declare_program(Options& options) {
    options.choice(
        {"--for", "EXECUTOR",
         "MSCCL XML: the executor that runs it; the strictest, if not given; mscclpp: that of MSCCL++ plans"},
        {"msccl", "azure", "rccl", "mscclpp"}, program_asked_.consumer);
    options.word({"--collective", "COLLECTIVE",
                  "MSCCL XML, MSCCL++ plans: what it is to do, instead of what it says (broadcast:2)"},
                 program_asked_.collective);
    options.flag({"--in-place", "", "MSCCL XML: judge calls whose buffers overlap; as the file allows, if not given"},
                 program_asked_.in_place);
    options.flag({"--out-of-place", "", "MSCCL XML: judge calls whose buffers are apart"}, program_asked_.out_of_place);
    options.word({"--bytes", "LO..HI", "MSCCL XML: for whole messages of these sizes (1KiB..1MiB), not the file's"},
                 program_asked_.bytes);
    options.word({"--buffer", "BYTES",
                  "MSCCL XML: of a connection, instead of the executor's own (4MiB); GOAL: what is sent eagerly"},
                 program_asked_.buffer);
    options.word({"--mend", "OUT", "MSCCL XML: write the file to OUT with the changes that would mend it"},
                 program_asked_.mend);
    options.word({"--why-hang", "RANK[:BLOCK]", "MSCCL XML: print what waits for what, from there on"},
                 program_asked_.why_hang);
    options.number({"--sms", "NUMBER", "MSCCL++ plans: how many blocks of a GPU run at once (its multiprocessors)"},
                   {1, 65535}, sms_);
    options.flag({"--alone", "", "MSCCL++ plans: no other plan, and no other size, is launched between"},
                 program_asked_.alone);
    options.flag(
        {"--operations", "", "Other systems' programs, with --json: also the operations, and what orders them"},
        program_asked_.operations);
  }

  // What does not go with a file of that format; null: a table or a schedule.
  std::optional<std::string> misplaced(const JudgedFormat* format) const {
    const driver::CheckRequest& table = asked_.request;
    const PageRequest& page = asked_.form.page;
    if (const std::string wrong = wrong_with(page); !wrong.empty()) return wrong;
    if (!table.rows.empty() && !asked_.form.json) return "--rows: expected --json, too: rows are listed there only";
    if (program_asked_.operations && !asked_.form.json) {
      return "--operations: expected --json, too: operations are listed there only";
    }
    return format == nullptr ? misplaced_on_table() : misplaced_on_program(*format);
  }

  // Whether --for names an executor of the other format that has some.
  bool foreign_executor(const JudgedFormat& format) const {
    return !program_asked_.consumer.empty() && format.name != goal_format && format.name != format_of_executor();
  }

  std::optional<std::string> misplaced_on_program(const JudgedFormat& format) const {
    const driver::CheckRequest& table = asked_.request;
    const driver::CheckProgramRequest& asked = program_asked_;
    for (const auto& [given, option] : {std::pair<bool, std::string>(!table.input.defines.empty(), "-D"),
                                        {!table.input.on.empty(), "--on"},
                                        {!table.input.without.empty(), "--without"},
                                        {table.input.retime, "--retime"},
                                        {table.input.spread, "--spread"},
                                        {!table.input.timing.empty(), "--timing"},
                                        {!table.sizes.empty(), "--size"},
                                        {!table.size_of.empty(), "--size-of"},
                                        {!table.costs.empty(), "--costs"},
                                        {!table.rows.empty(), "--rows"},
                                        {table.agreement && format.name == goal_format, "--agreement"},
                                        {!asked.buffer.empty() && format.name == plan_format, "--buffer"},
                                        {sms_ != 0 && format.name != plan_format, "--sms"},
                                        {asked.alone && format.name != plan_format, "--alone"},
                                        {foreign_executor(format), "--for " + asked.consumer},
                                        {!asked_.form.page.steps.empty(), "--steps"}}) {
      if (given) return fmt::format("{} does not go with {}, which is {}", option, table.input.file, format.name);
    }
    if (format.name == goal_format && !asked.consumer.empty()) return misplaced_executor();
    return format.name == msccl_format ? std::nullopt : misplaced_outside_of_msccl(format.name == plan_format);
  }

  std::optional<std::string> misplaced_on_table() const {
    if (!program_asked_.consumer.empty()) return misplaced_executor();
    if (auto wrong = misplaced_outside_of_msccl(false)) return wrong;
    for (const auto& [given, option, formats] :
         {std::tuple(!program_asked_.buffer.empty(), "--buffer", "MSCCL XML and GOAL"),
          {program_asked_.operations, "--operations", "MSCCL XML, MSCCL++ plans and GOAL"},
          {sms_ != 0, "--sms", "MSCCL++ plans"},
          {program_asked_.alone, "--alone", "MSCCL++ plans"}}) {
      if (given) return fmt::format("{} goes with {} only, and {} is none", option, formats, asked_.request.input.file);
    }
    return std::nullopt;
  }

  std::string misplaced_executor() const {
    return fmt::format("--for goes with MSCCL XML and MSCCL++ plans only, and {} is neither",
                       asked_.request.input.file);
  }

  std::optional<std::string> misplaced_outside_of_msccl(bool plan) const {
    const driver::CheckProgramRequest& asked = program_asked_;
    for (const auto& [given, option] : {std::pair(!asked.collective.empty() && !plan, "--collective"),
                                        {asked.in_place, "--in-place"},
                                        {asked.out_of_place, "--out-of-place"},
                                        {!asked.bytes.empty(), "--bytes"},
                                        {!asked.mend.empty(), "--mend"},
                                        {!asked.why_hang.empty(), "--why-hang"}}) {
      if (given) return fmt::format("{} goes with MSCCL XML only, and {} is none", option, asked_.request.input.file);
    }
    return std::nullopt;
  }

  const Registry& registry_;
  bool report_;
  Asked<driver::CheckRequest> asked_ = {};
  driver::CheckProgramRequest program_asked_ = {};
  std::uint32_t sms_ = 0;  // 0: not given
};

}  // namespace

std::unique_ptr<Command> make_check_command(const Registry& registry) {
  return std::make_unique<CheckCommand>(registry, false);
}

std::unique_ptr<Command> make_report_command(const Registry& registry) {
  return std::make_unique<CheckCommand>(registry, true);
}

}  // namespace quadrille::cli
