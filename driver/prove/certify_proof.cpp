// A proof for every size is read and compared, size by size, with the tables beside it; then the solvers are asked.
// If the schedule's source is given, it is lowered and compiled again: the core form must be the same, text for text,
// and the tables row by row.
#include "driver/prove/certify_proof.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir.h"
#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "driver/inputs/proof_folder.h"
#include "verifier/proof_reader.h"

namespace quadrille::driver {
namespace {

// --- the other solver ----------------------------------------------------------------------------------------------

// Solvers runs solvers that are separate programs: cvc5 and z3, whichever are installed.
//
// A question is given to a new process of the solver, on its standard input; the answer is what it prints.
//
//   cvc5 --lang=smt2 -      z3 -smt2 -in
//
// Cost: starting a program for each question, some hundredths of a second, and the solver's work.

// Asks the first solver, and the next one if it has no answer.
class Solvers {
 public:
  explicit Solvers(Context& context) : context_(context) {}

  SolverAnswer ask(const std::string& smt2);

  // The solvers that have answered something, in alphabetical order.
  const std::set<std::string>& used() const { return used_; }

 private:
  Context& context_;
  std::set<std::string> used_;
  std::set<std::string> missing_;
};

using namespace std::chrono_literals;

constexpr auto longest_question = 60s;  // for one question

const std::array<std::vector<std::string>, 2> commands = {{{"cvc5", "--lang=smt2", "-"}, {"z3", "-smt2", "-in"}}};

SolverAnswer Solvers::ask(const std::string& smt2) {
  SolverAnswer answer{SolverAnswer::Word::none, "no solver was found: neither cvc5 nor z3 is on the PATH"};
  for (const auto& command : commands) {
    const std::string& name = command[0];
    if (missing_.contains(name)) continue;
    const ProgramRun run =
        context_.environment.run_program(command, smt2, remaining(context_).within(longest_question));
    if (!run.found) {
      missing_.insert(name);
      continue;
    }
    answer = {run.ended ? word_of_answer(smt2, run.output) : SolverAnswer::Word::none,
              run.ended ? fmt::format("{} does not know", name) : fmt::format("no answer from {} in the time", name)};
    if (answer.word == SolverAnswer::Word::none) continue;
    used_.insert(name);
    return answer;
  }
  return answer;
}

// --- certifying ----------------------------------------------------------------------------------------------------

class ProofJudge {
 public:
  ProofJudge(const CertifyProofRequest& request, Context& context) : request_(request), context_(context) {}

  Result<CertifyProofOutcome> judged() {
    if (auto wrong = read_sources()) return *std::move(wrong);
    const auto number = static_cast<std::uint32_t>(context_.sources.size());
    Result<ReadProof> proof = read_proof(context_.sources[number - 2], number - 2, context_.sources[number - 1],
                                         number - 1, context_.world->families);
    if (!proof) return proof.diagnostics();
    proof_ = *proof;
    outcome_.summary = summary(*proof_);
    if (auto wrong = open_source()) return *std::move(wrong);
    if (auto wrong = compare_tables()) return *std::move(wrong);
    Solvers solvers(context_);
    tell_stage(context_, "asking a solver");
    outcome_.report = judge(
        *proof_, [&](const std::string& smt2) { return solvers.ask(smt2); }, remaining(context_));
    outcome_.solvers.assign(solvers.used().begin(), solvers.used().end());
    reject_differences();
    return std::move(outcome_);
  }

 private:
  std::string path(const std::string& file) const { return fmt::format("{}/{}", request_.folder, file); }

  std::optional<Diagnostics> read_sources() {
    for (const char* file : {core_file, proof_file_name}) {
      auto text = context_.environment.read_file(path(file));
      if (!text) return Diagnostics{cannot_read(path(file), context_.environment)};
      context_.sources.push_back({path(file), *std::move(text)});
    }
    core_text_ = context_.sources[context_.sources.size() - 2].text;
    return std::nullopt;
  }

  // Lowers the source as `prove --certificate` does.
  std::optional<Diagnostics> open_source() {
    if (request_.schedule.empty()) return std::nullopt;
    const Result<OpenedSchedule> opened = open_schedule(request_.schedule, request_.defines, context_);
    if (!opened) return opened.diagnostics();
    schedule_ = opened->schedule;
    given_ = opened->given;
    outcome_.schedule = request_.schedule;
    const Result<WrittenProof> written = write_proof(*schedule_, given_, remaining(context_));
    if (!written) return written.diagnostics();
    if (written->core != core_text_) outcome_.other_core = "the core form is not that of the schedule";
    return std::nullopt;
  }

  std::optional<Diagnostics> compare_tables() {
    const Result<std::vector<ProofTable>> all = tables(*proof_);
    if (!all) return all.diagnostics();
    for (const ProofTable& each : *all) {
      if (!context_.environment.read_beginning(path(each.file), 1))
        return Diagnostics{cannot_read(path(each.file), context_.environment)};
      const Result<SendTable> table = context_.environment.load_table(
          path(each.file), context_.sources,
          {.formats = context_.world->formats, .families = &context_.world->families, .limits = remaining(context_)});
      if (!table) return table.diagnostics();
      auto different = difference(*proof_, each, *table);
      if (!different && schedule_) different = made_otherwise(each);
      outcome_.tables.push_back({each, std::move(different)});
    }
    return std::nullopt;
  }

  // The difference between the schedule's table at this size and the core form's; nothing if they are the same.
  std::optional<std::string> made_otherwise(const ProofTable& each) const {
    Arguments arguments = given_;
    for (const auto& [name, value] : each.arguments) arguments[name] = value;
    ElaborateOptions options;
    options.limits = remaining(context_);
    const Result<SendTable> table = elaborate(schedule_, arguments, options);
    if (!table) return "the schedule does not compile there: " + table.diagnostics().front().message;
    const auto different = difference(*proof_, each, *table);
    return different ? std::optional("compiled anew: " + *different) : std::nullopt;
  }

  // A core form that differs from the schedule's own proves nothing of the schedule.
  void reject_differences() {
    const auto reject = [&](const std::string& why) {
      if (outcome_.report.verdict != ReaderVerdict::rejected) outcome_.report.why = why;
      outcome_.report.verdict = ReaderVerdict::rejected;
    };
    if (outcome_.other_core) reject(*outcome_.other_core);
    for (const ComparedTable& each : outcome_.tables) {
      if (each.difference) reject(fmt::format("{}: {}", each.table.file, *each.difference));
    }
  }

  const CertifyProofRequest& request_;
  Context& context_;
  CertifyProofOutcome outcome_;
  std::optional<ReadProof> proof_;
  std::string core_text_;
  std::shared_ptr<const ir::Schedule> schedule_;
  Arguments given_;
};

}  // namespace

Result<CertifyProofOutcome> run(const CertifyProofRequest& request, Context& context) {
  return ProofJudge(request, context).judged();
}

}  // namespace quadrille::driver
