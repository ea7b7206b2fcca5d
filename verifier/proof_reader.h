// The second reader judges proofs for every size (verifier/PROOF_FORMAT.md). It reads a schedule's core form and a
// proof, makes by itself the formulas that the proof rests on, and asks a solver, which the caller runs, to decide
// them. It shares no code with the prover.
//
// For: the last word on proofs for every size; no solver is linked.
// Face: this header.
// Keeps: it links and reads the model alone, of it no topology, no collective's file and no view of messages: what it
// judges cannot get into it.
// Read first: verifier/PROOF_FORMAT.md.
//
//   const Result<ReadProof> proof = read_proof({"core.txt", …}, 0, {"proof.txt", …}, 1);
//   if (!proof) …the diagnostics say what is wrong, and where…
//   for (const ProofTable& table : tables(*proof)) …difference(*proof, table, …the file's table…)…
//   const ProofReport report = judge(*proof, ask);
//   if (report.verdict == ReaderVerdict::accepted) …the schedule is right for every size…
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/standard_families.h"
#include "model/text/arguments.h"
#include "model/text/result.h"

namespace quadrille {

// Rejected means that the proof does not show the schedule right, though it may be. Unknown means that a solver has not
// answered.
enum class ReaderVerdict : std::uint8_t { accepted, rejected, unknown };
std::string_view to_string(ReaderVerdict verdict);

// A core form and a proof of it, as they were read.
class ReadProof {
 public:
  struct Parts;
  explicit ReadProof(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

// Reads a core form and its proof. Diagnostics place their spans in the sources of these two numbers. `families` must
// live as long as the result.
Result<ReadProof> read_proof(const Source& core, std::uint32_t core_number, const Source& proof,
                             std::uint32_t proof_number, const Families& families = standard_families());

// The theorem that is judged, in words that are made from the parsed core form, and not copied from the file's texts.
struct ProofSummary {
  std::string fabric;                                      // "complete, nodes = N"
  std::vector<std::pair<std::string, std::string>> rules;  // {"timing", "rounds"}, {"ports", "single"}, …
  std::string collective;                                  // "scatter, root = root"
  std::vector<std::string> parameters;                     // "N in 2..65536"
  std::vector<std::string> claims;                         // "rounds == N - 1"
  std::vector<std::string> unjudged;                       // claims that the proof does not show: "optimal volume"
  std::vector<std::string> invariants;
};
ProofSummary summary(const ReadProof& proof);

// A table of one size that lies beside the proof.
struct ProofTable {
  std::string file;
  std::map<std::string, std::int64_t> size;  // the core form's parameters
  Arguments arguments;                       // the schedule's
};
// Returns the tables that the proof names; never empty. A size that does not exist is an error.
Result<std::vector<ProofTable>> tables(const ReadProof& proof);

// Expands the core form at one size to a table without claims, or says why there is none. Cost: linear in the number of
// rows, which may be a million at most.
Result<SendTable> expanded(const ReadProof& proof, const std::map<std::string, std::int64_t>& size);

// Compares the core form at that size with the table, row by row. Returns their first difference in words; nothing if
// they are the same. Cost: linear in the number of rows, which may be a million at most.
std::optional<std::string> difference(const ReadProof& proof, const ProofTable& of, const SendTable& table);

// A solver's answer to a question in SMT-LIB 2.
struct SolverAnswer {
  enum class Word : std::uint8_t { unsat, sat, none } word = Word::none;
  std::string why;  // none: "no answer within 60 s"
};
using AskSolver = std::function<SolverAnswer(const std::string& smt2)>;
// The word for what a solver has printed to a question: `unsat` if each of its (check-sat) is answered so, `sat` if one
// is.
SolverAnswer::Word word_of_answer(std::string_view question, std::string_view printed);

struct ReadProperty {
  std::string name;  // "causal"
  ReaderVerdict verdict = ReaderVerdict::accepted;
  std::size_t leaves = 0;  // formulas
  std::size_t asked = 0;   // the formulas among them that a solver was asked
  std::string why;         // if it is not accepted: the first leaf that is not shown
};

struct ProofReport {
  ReaderVerdict verdict = ReaderVerdict::unknown;
  std::vector<ReadProperty> properties;
  std::string why;  // if it is not accepted
};

// Decides whether the proof shows every property for every size. Where limits are reached it ends early, and the rest
// is unknown.
ProofReport judge(const ReadProof& proof, const AskSolver& ask, const Limits& limits = {});

}  // namespace quadrille
