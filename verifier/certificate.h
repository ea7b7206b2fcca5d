// The judge of certificates reads and re-checks evidence that there is no schedule of T steps. It shares no code with
// the search that found the evidence (formats: verifier/CERTIFICATES.md; formulas: verifier/FORMULA.md and
// verifier/COMBINING_FORMULA.md).
//
// For: the evidence that nothing shorter exists (DRAT proofs, prices, groups), judged alone.
// Face: this header.
// Keeps: it links and reads the model alone, of it no topology, no collective's file and no view of messages: what it
// judges cannot get into it.
// Read first: verifier/certificate/judge.cpp, verifier/CERTIFICATES.md.
//
//   const Result<Certificate> certificate = read_certificate({path, text}, 0);
//   if (!certificate) …the diagnostics say what is wrong with the text, and where…
//   const CertificateReport report = judge(*certificate, {.proof = …});
//   if (report.verdict == CertificateVerdict::accepted) …claim_text(*certificate) is true…
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/standard_families.h"
#include "model/text/result.h"

namespace quadrille {

// --- what a certificate says ------------------------------------------------------------------------------------

// The price of using one resource, step by step.
struct Price {
  enum class Resource : std::uint8_t { channel, link, out, in, port, pairs };
  Resource resource = Resource::channel;
  std::uint32_t number = 0;           // of the channel (link: its lower-numbered one), or of the processor; pairs: 0
  std::uint32_t first_step = 1;       // the prices are for this step and the following ones, all within 1 … steps
  std::vector<std::uint64_t> prices;  // at most 2^62 each
};

// The files are as the certificate names them: paths relative to its folder.
struct ProofFile {
  // The subject of the formula: the copies of chunks; the partial reductions of a combining collective; the copies of
  // the chunks of the copying collective that a combining one is when time-reversed (verifier/FORMULA.md, Combining
  // collectives); or, in rounds, which processor has heard from which (verifier/ROUNDS_FORMULA.md).
  enum class About : std::uint8_t { copies, partial_reductions, time_reversed, rounds };
  std::string path;
  std::optional<std::string> formula;  // for other checkers; the judge writes its own
  About about = About::copies;
};
std::string_view to_string(ProofFile::About about);  // as the line `about` has it: "copies", "words", …

// The argument, in rounds, that too few messages come or go in a round (verifier/CERTIFICATES.md, Doublings). It needs
// no data.
struct Doublings {};

// Groups of processors, and the channels that cut each off from all others (verifier/CERTIFICATES.md, Groups).
struct GroupCuts {
  // What counts: entries into groups; out of them; or, in half duplex, both, on links.
  enum class Crossed : std::uint8_t { in, out, both };
  struct GroupCut {
    std::vector<NodeId> processors;
    std::vector<ChannelId> channels;  // both: of each link the lower-numbered one
  };
  Crossed border = Crossed::in;
  std::vector<GroupCut> groups;
};
std::string_view to_string(GroupCuts::Crossed border);  // "in", "out", "both"

struct Certificate {
  Fabric fabric;
  Collective collective;
  std::uint32_t steps = 0;  // claimed: there is no schedule of so many steps, or rounds, or fewer
  bool inject_once = false;
  bool paths_kept = false;              // on trees and stars, packets use the paths from where they start only
  std::optional<std::uint32_t> phases;  // where queues are not limited
  std::variant<std::vector<Price>, ProofFile, Doublings, GroupCuts> evidence;  // prices: each resource once
  std::optional<std::uint32_t> volume = {};  // in rounds: of so much at most, 1 or more
};

// Reads a certificate, or reports what is wrong with the text. A limit ends the reading with an error that has the
// reason's code (reason_of). `families` are the topologies and collectives that the certificate may name. They must
// live as long as the certificate.
Result<Certificate> read_certificate(const Source& source, std::uint32_t source_number, const Limits& limits = {},
                                     const Families& families = standard_families());

// The schedules for which the evidence shows the claim; all schedules, if every field is false or empty. Only proofs
// about copies and about partial reductions have a smaller scope. A restriction is named only where it makes a
// difference.
struct CertificateScope {
  bool inject_once = false;
  bool paths_kept = false;
  bool no_kept_reductions = false;  // processors keep no words beside the one that they hold
  std::optional<std::uint32_t> phases = {};
};
CertificateScope scope_of(const Certificate& certificate);

// "no schedule of total_exchange on fat_tree:… has 10 steps or fewer".
std::string claim_text(const Certificate& certificate);

// --- whether it is true -----------------------------------------------------------------------------------------

// Rejected means that the evidence does not show the claim. The claim may be true all the same.
enum class CertificateVerdict : std::uint8_t { accepted, rejected, unknown };
std::string_view to_string(CertificateVerdict verdict);  // "accepted", …

struct CertificateReport {
  CertificateVerdict verdict = CertificateVerdict::unknown;
  Reason reason = Reason::none;  // for unknown
  std::string why;               // in words, with the numbers

  // Prices: the priced capacity and the priced demand. The demand is absent where something that must be carried has no
  // route at all within the steps. Groups: the entries that there is room for, and those that must be made.
  std::optional<std::uint64_t> worth;
  std::optional<std::uint64_t> paid;

  // Proofs: the formula's size, and the lines of the proof that were read (all, or those up to the contradiction).
  std::uint64_t variables = 0;
  std::uint64_t clauses = 0;
  std::uint64_t proof_lines = 0;
};

// Fills the front of the span with the next bytes of a file. Returns their number: 0 at the end, nothing on an error.
using ReadBytes = std::function<std::optional<std::size_t>(std::span<char>)>;

struct JudgeOptions {
  ReadBytes proof = {};  // the proof's text, read once and piece by piece; needed for evidence of that kind
  Limits limits = {};    // time, and the memory of the formula, the proof's clauses and all tables
};

// Judges a certificate. Requires one that read_certificate returned. Cost of prices: sets of start processors x
// channels x steps with prices. Cost of groups: for each, a visit of what lies behind its channels. Cost of proofs:
// unit propagation over all their lines, and a scan of all clauses for each line that needs the RAT rule; there are no
// core-first or backward tricks, so a proof takes about as long as the solver took, or a few times that.
CertificateReport judge(const Certificate& certificate, const JudgeOptions& options);

}  // namespace quadrille
