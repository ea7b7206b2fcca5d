// The text of a certificate: lines are sorted by their first word (lines.h), then each kind is read, in an order in
// which what later ones need is known. Up to twenty faults are told, not only the first.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/certificate/formulas/rounds.h"
#include "verifier/certificate/groups.h"
#include "verifier/certificate/lines.h"
#include "verifier/certificate/price_lines.h"

namespace quadrille {
namespace {

using certificate::TextPiece;

constexpr ProofFile::About all_abouts[] = {ProofFile::About::copies, ProofFile::About::partial_reductions,
                                           ProofFile::About::time_reversed, ProofFile::About::rounds};

// What a formula may be about; `backwards` is what time_reversed was called.
std::optional<ProofFile::About> about_named(std::string_view name) {
  if (name == "backwards") return ProofFile::About::time_reversed;
  for (const auto about : all_abouts) {
    if (name == to_string(about)) return about;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const Source& source, std::uint32_t number, Work& work, const Limits& limits, const Families& families)
      : text_(source, number), work_(work), limits_(limits), families_(families), lines_(text_, work) {}

  Result<Certificate> read() {
    if (text_.size() >= Span::nowhere) return error_at({}, "the certificate is larger than 4 GiB", Code::range);
    if (!lines_.sort()) return text_.faults();
    const auto fabric = read_fabric();
    const auto collective = fabric ? read_collective(*fabric) : std::nullopt;
    const auto steps = read_steps();
    const auto once = read_inject();
    const bool paths_kept = read_paths();
    const auto phases = fabric && steps ? read_phases(*fabric, *steps) : std::nullopt;
    const auto volume = steps ? read_volume(*steps) : std::nullopt;
    const auto proof = read_evidence();
    if (fabric) check_timing(*fabric);
    if (fabric && collective && volume) check_volume(*fabric, *collective);
    if (proof && fabric && collective) check_formula(*fabric, *collective, *proof);
    std::vector<Price> prices;
    GroupCuts groups;
    // Prices and groups name what the fabric has, so a wrong head would make all of them wrong.
    if (text_.faults().empty() && !proof && !doublings_) {
      if (border_) {
        groups = certificate::read_groups(text_, lines_.all("group"), *border_, *fabric, work_);
      } else {
        prices = certificate::read_prices(text_, lines_.all("price"), *fabric, *steps, work_);
      }
    }
    if (!text_.faults().empty()) return sorted(text_.faults());
    Certificate certificate{*fabric, *collective, *steps, *once, paths_kept, phases, {}, volume};
    if (proof) {
      certificate.evidence = *proof;
    } else if (doublings_) {
      certificate.evidence = Doublings{};
    } else if (border_) {
      certificate.evidence = std::move(groups);
    } else {
      certificate.evidence = std::move(prices);
    }
    return certificate;
  }

 private:
  // In the order of the text.
  static Diagnostics sorted(Diagnostics faults) {
    std::stable_sort(faults.begin(), faults.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
    return faults;
  }

  // --- the head -------------------------------------------------------------------------------------------------

  // A graph stands in the line itself, as in the head of a table: no file is read.
  std::optional<Fabric> read_fabric() {
    const auto piece = lines_.needed("fabric", "fabric NOTATION");
    if (!piece) return std::nullopt;
    const Result<Fabric> fabric =
        parse_fabric({"", std::string(text_.view(*piece))}, text_.source(), {}, families_, limits_);
    if (fabric) {
      work_.take(1, fabric->memory());
      return *fabric;
    }
    text_.report_notation(fabric.diagnostics(), *piece);
    return std::nullopt;
  }

  std::optional<Collective> read_collective(const Fabric& fabric) {
    const auto piece = lines_.needed("collective", "collective NOTATION");
    if (!piece) return std::nullopt;
    const auto collective =
        parse_collective({"", std::string(text_.view(*piece))}, text_.source(), fabric.processors(), families_);
    if (collective) return *collective;
    text_.report_notation(collective.diagnostics(), *piece);
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_steps() {
    const auto piece = lines_.needed("steps", "steps T");
    const auto steps = piece ? text_.number(*piece, "the number of steps", 0, max_step) : std::nullopt;
    if (!steps) return std::nullopt;
    return static_cast<std::uint32_t>(*steps);
  }

  // Whether packets leave once; nothing after a fault.
  std::optional<bool> read_inject() {
    const auto piece = lines_.needed("inject", "inject many");
    if (!piece) return std::nullopt;
    if (text_.view(*piece) == "many") return false;
    if (text_.view(*piece) == "once") return true;
    text_.report_error(*piece, fmt::format("`inject {}`; expected `inject many` or `inject once`", text_.view(*piece)));
    return std::nullopt;
  }

  // Whether packets keep to their paths: only if that is said.
  bool read_paths() {
    const auto piece = lines_.line("paths");
    if (!piece || text_.view(*piece) == "any") return false;
    if (text_.view(*piece) != "kept")
      text_.report_error(*piece, fmt::format("`paths {}`; expected `paths kept` or `paths any`", text_.view(*piece)));
    return true;
  }

  std::optional<std::uint32_t> read_phases(const Fabric& fabric, std::uint32_t steps) {
    const auto piece = lines_.line("phases");
    if (!piece) return std::nullopt;
    if (fabric.rules().queue.limit) {
      text_.report_error(*piece, "phases are for fabrics whose queues are not limited");
      return std::nullopt;
    }
    if (steps == 0) {
      text_.report_error(*piece, "there are no phases in 0 steps");
      return std::nullopt;
    }
    const auto phases = text_.number(*piece, "the number of phases", 1, steps);
    if (!phases) return std::nullopt;
    return static_cast<std::uint32_t>(*phases);
  }

  std::optional<std::uint32_t> read_volume(std::uint32_t rounds) {
    const auto piece = lines_.line("volume");
    if (!piece) return std::nullopt;
    if (rounds == 0) {
      text_.report_error(*piece, "there is no volume in 0 rounds");
      return std::nullopt;
    }
    const auto volume = text_.number(*piece, "the volume", 1, max_step);
    if (!volume) return std::nullopt;
    return static_cast<std::uint32_t>(*volume);
  }

  // What is shown of a volume, and of which fabrics.
  void check_volume(const Fabric& fabric, const Collective& collective) {
    const TextPiece piece = *lines_.line("volume");
    if (!fabric.in_rounds()) return text_.report_error(piece, "volume is of rounds, and the fabric counts steps");
    if (doublings_) return text_.report_error(piece, "doublings show nothing of volume");
    if (const auto why = certificate::why_not_joined(fabric, collective, true)) return text_.report_error(piece, *why);
    if (const auto why = certificate::why_no_volume(fabric)) text_.report_error(piece, *why);
  }

  void refuse_all(std::string_view key, std::string_view evidence) {
    for (const TextPiece piece : lines_.all(key)) {
      if (text_.full()) return;
      text_.report_error(piece, fmt::format("a line `{}` belongs to `evidence {}` only", key, evidence));
    }
  }

  // What is said of schedules in steps only, or in rounds only.
  void check_timing(const Fabric& fabric) {
    const auto evidence = lines_.line("evidence");
    const bool rounds = fabric.in_rounds();
    if (!rounds && doublings_) text_.report_error(*evidence, "`evidence doublings` is for fabrics that count rounds");
    if (!rounds || !evidence) return;
    if (text_.view(*evidence) == "prices")
      text_.report_error(*evidence, "prices are of steps, and the fabric counts rounds");
    if (border_) text_.report_error(*evidence, "groups are of steps, and the fabric counts rounds");
    for (const auto& [key, all] : {std::pair("inject", "many"), std::pair("paths", "any")}) {
      const auto piece = lines_.line(key);
      if (piece && text_.view(*piece) != all) {
        text_.report_error(*piece, fmt::format("in rounds there is only `{} {}`", key, all));
      }
    }
    if (const auto phases = lines_.line("phases")) text_.report_error(*phases, "in rounds there are no phases");
  }

  // The proof; nothing if the evidence is another.
  std::optional<ProofFile> read_evidence() {
    const auto piece = lines_.needed("evidence", "evidence prices` or `evidence proof FILE");
    if (!piece) return std::nullopt;
    TextPiece rest = *piece;
    const TextPiece kind = text_.take_word(rest);
    const std::string_view name = text_.view(kind);
    static const std::vector<std::string> known = {"prices", "groups", "doublings", "proof"};
    if (std::ranges::find(known, name) == known.end()) {
      text_.report_error(
          kind, fmt::format("unknown evidence `{}`; expected `prices`, `groups in`, `doublings` or `proof FILE`{}",
                            name, certificate::offer(name, known)));
      return std::nullopt;
    }
    doublings_ = name == "doublings";
    if (name == "groups") border_ = read_border(rest);
    if (name != "prices") refuse_all("price", "prices");
    if (name != "groups") refuse_all("group", "groups");
    if (name == "proof") return read_proof(kind, rest);
    if (name != "groups" && rest.begin < rest.end) {
      text_.report_error(rest, fmt::format("did not expect more after `evidence {}`", name));
    }
    for (const char* of_proof : {"formula", "about"}) {
      const auto other = lines_.line(of_proof);
      if (other) text_.report_error(*other, fmt::format("a line `{}` belongs to `evidence proof` only", of_proof));
    }
    return std::nullopt;
  }

  GroupCuts::Crossed read_border(TextPiece piece) {
    for (const auto border : {GroupCuts::Crossed::in, GroupCuts::Crossed::out, GroupCuts::Crossed::both}) {
      if (text_.view(piece) == to_string(border)) return border;
    }
    text_.report_error(piece, fmt::format("`evidence groups {}`; expected `evidence groups in`, `evidence groups out` "
                                          "or `evidence groups both`",
                                          text_.view(piece)));
    return GroupCuts::Crossed::in;
  }

  ProofFile read_proof(TextPiece kind, TextPiece rest) {
    if (rest.begin == rest.end)
      text_.report_error(kind, "the proof's file is not named; expected `evidence proof FILE`");
    const auto formula = lines_.line("formula");
    if (formula && formula->begin == formula->end) text_.report_error(*formula, "the formula's file is not named");
    ProofFile file{std::string(text_.view(rest)), std::nullopt, read_about()};
    if (formula) file.formula = std::string(text_.view(*formula));
    return file;
  }

  // What the formula is about: copies, if that is not said.
  ProofFile::About read_about() {
    const auto piece = lines_.line("about");
    if (!piece) return ProofFile::About::copies;
    if (const auto about = about_named(text_.view(*piece))) return *about;
    std::vector<std::string> known;
    for (const auto about : all_abouts) known.emplace_back(to_string(about));
    text_.report_error(
        *piece,
        fmt::format("`about {}`; expected `about copies`, `about words`, `about time_reversed` or `about rounds`{}",
                    text_.view(*piece), certificate::offer(text_.view(*piece), known)));
    return ProofFile::About::copies;
  }

  // Reports an error if there is no such formula.
  void check_formula(const Fabric& fabric, const Collective& collective, const ProofFile& proof) {
    const auto about = lines_.line("about");
    if (fabric.in_rounds() && !about) {
      return text_.report_error(*lines_.line("evidence"),
                                "the fabric counts rounds: expected a line `about rounds`, too");
    }
    if (collective.combining() && !about) {
      return text_.report_error(*lines_.line("evidence"),
                                fmt::format("{} combines: expected a line `about words` or `about time_reversed`, too",
                                            to_string(collective.kind())));
    }
    if (about && about_named(text_.view(*about)) != proof.about) return;  // which is another fault
    const auto why = certificate::why_no_formula(fabric, collective, proof.about);
    if (why) text_.report_error(*about, fmt::format("`about {}`: {}", text_.view(*about), *why));
  }

  certificate::Pieces text_;
  Work& work_;
  const Limits& limits_;
  const Families& families_;
  certificate::Lines lines_;
  bool doublings_ = false;
  std::optional<GroupCuts::Crossed> border_;  // of groups
};

}  // namespace

Result<Certificate> read_certificate(const Source& source, std::uint32_t source_number, const Limits& limits,
                                     const Families& families) {
  Work work(limits);
  try {
    return Reader(source, source_number, work, limits, families).read();
  } catch (const Ended& ended) {
    const std::string_view what = ended.reason == Reason::limit ? "the certificate takes more memory than the limit"
                                  : ended.reason == Reason::timeout
                                      ? "the certificate has not been read when the time was up"
                                      : "the reading was cancelled";
    return error_at({}, std::string(what), code_of(ended.reason));
  }
}

}  // namespace quadrille
