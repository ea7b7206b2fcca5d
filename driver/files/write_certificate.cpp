// Evidence that a number of steps is too few, as files that `certify` reads. certificate.txt has the question, and
// either prices, or groups, or the name of a proof beside it (proof.drat, and the formula for other checkers). At the
// prices of channels, ports and the like, the priced capacity of these steps is less than the least price of the
// demands. The certificate is written last, so it never names a file that is not there.
#include "driver/files/write_certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/files/write_file.h"

namespace quadrille::driver {
namespace {

// The files beside a certificate by formula: the proof, and the formula for other checkers.
constexpr std::string_view proof_file = "proof.drat";
constexpr std::string_view formula_file = "formula.cnf";

std::string head_text(const SearchedQuestion& searched, const Impossibility& impossible) {
  // Doublings count rounds: if so many rounds are too few, so is that volume, because each round takes some.
  const bool of_volume =
      searched.goal.phases && searched.fabric.in_rounds() && !impossible.of_any_volume && !impossible.by_doublings;
  std::string text =
      fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\n", searched.fabric.notation(),
                  searched.collective.notation(), of_volume ? *searched.goal.phases : impossible.steps);
  if (of_volume) text += fmt::format("volume {}\n", impossible.steps);
  // What is counted covers all schedules; a formula may cover fewer.
  const bool narrow = impossible.by_formula;
  const Narrowing narrowing =
      narrow ? narrowing_of(searched.fabric, searched.collective, searched.goal, impossible.about) : Narrowing{};
  text += fmt::format("inject {}\n", narrowing.inject_once ? "once" : "many");
  if (narrowing.paths_kept) text += "paths kept\n";
  if (narrow && !of_volume && searched.goal.phases && *searched.goal.phases < impossible.steps) {
    text += fmt::format("phases {}\n", *searched.goal.phases);
  }
  return text + fmt::format("# {}\n", impossible.reason);
}

std::string groups_text(const GroupBorders& borders) {
  std::string text = fmt::format("evidence groups {}\n", borders.border);
  for (const GroupBorders::NamedGroup& group : borders.groups) {
    text += fmt::format("group {}: {}\n", fmt::join(group.processors, " "), fmt::join(group.channels, " "));
  }
  return text;
}

std::string why_none(const SearchedQuestion& searched) {
  const auto& impossible = searched.result.impossibility;
  if (!impossible || impossible->steps == 0)
    return fmt::format("no number of {}s is known to be too few", searched.fabric.in_rounds() ? "round" : "step");
  if (!searched.result.lower_bound)
    return "no number of steps is enough, and no prices show it: a formula is about one";
  if (!searched.result.why_no_formula.empty())
    return "no prices show this bound, and " + searched.result.why_no_formula;
  return impossible->by_formula || searched.engine == Engine::z3
             ? "Z3 gives no proofs"
             : "no prices show this bound, and the formula of one step less was not decided";
}

// Writes the files; returns nothing, or what could not be written.
std::optional<std::string> write_files(const SearchedQuestion& searched, const std::string& text,
                                       const std::string& folder, Environment& environment) {
  if (const auto failure = environment.create_folder(folder)) {
    return fmt::format("cannot make the folder {}: {}", folder, *failure);
  }
  const Impossibility& it = *searched.result.impossibility;
  if (it.by_formula) {
    if (auto failure = write_file(fmt::format("{}/{}", folder, proof_file), it.proof, environment)) return failure;
    if (auto failure = write_file(fmt::format("{}/{}", folder, formula_file), it.formula, environment)) return failure;
  }
  return write_file(folder + "/certificate.txt", text, environment);
}

}  // namespace

std::optional<std::string> certificate_text(const SearchedQuestion& searched) {
  const auto& impossible = searched.result.impossibility;
  if (!impossible) return std::nullopt;
  if (impossible->by_formula ? impossible->proof.empty() : !impossible->by_counting()) return std::nullopt;
  std::string text = head_text(searched, *impossible);
  if (impossible->by_formula) {
    text += fmt::format("evidence proof {}\n", proof_file);
    if (impossible->about != FormulaKind::copies) text += fmt::format("about {}\n", to_string(impossible->about));
    return text + fmt::format("formula {}\n", formula_file);
  }
  if (impossible->by_doublings) return text + "evidence doublings\n";
  if (impossible->groups) return text + groups_text(*impossible->groups);
  text += "evidence prices\n";
  for (const PriceList& list : *impossible->prices) {
    text += fmt::format("price {} {}: {}\n", list.resource, list.first, fmt::join(list.prices, " "));
  }
  return text;
}

CertificateFiles write_certificate(const SearchedQuestion& searched, const std::string& folder,
                                   Environment& environment) {
  CertificateFiles files;
  const auto text = certificate_text(searched);
  if (!text) {
    files.note = fmt::format("{} is not written: {}", folder, why_none(searched));
    return files;
  }
  files.failure = write_files(searched, *text, folder, environment);
  if (!files.failure) files.written = folder + "/certificate.txt";
  return files;
}

}  // namespace quadrille::driver
