#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/json_pieces.h"
#include "cli/refuse.h"
#include "model/counted.h"
#include "model/verdict.h"
#include "verifier/certificate.h"

namespace quadrille::cli {
namespace {

ExitStatus exit_status(Ruling ruling) {
  if (ruling == Ruling::accepted) return exit_done;
  return ruling == Ruling::rejected ? exit_violated : exit_unknown;
}

const ProofFile* proof_of(const Certificate& certificate) { return std::get_if<ProofFile>(&certificate.evidence); }

std::string_view about_text(ProofFile::About about) {
  if (about == ProofFile::About::copies) return "";
  return about == ProofFile::About::words ? " about words" : " about copies, backwards in time";
}

std::string evidence_text(const Certificate& certificate) {
  if (const ProofFile* proof = proof_of(certificate)) {
    return fmt::format("a proof{}: {}", about_text(proof->about), proof->path);
  }
  const auto& prices = std::get<std::vector<Price>>(certificate.evidence);
  return fmt::format("prices of {}", counted(prices.size(), "resource"));
}

std::string sizes_text(const Judgement& judgement) {
  return fmt::format("formula      {}, {}\nproof        {} read\n", counted(judgement.variables, "variable"),
                     counted(judgement.clauses, "clause"), counted(judgement.proof_lines, "line"));
}

std::string to_text(const Certificate& certificate, const Judgement& judgement) {
  return fmt::format("claim        {}\nevidence     {}\n{}because      {}\nverdict      {}\n", claim_text(certificate),
                     evidence_text(certificate), proof_of(certificate) ? sizes_text(judgement) : "", judgement.reason,
                     to_string(judgement.ruling));
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::string to_json(const Certificate& certificate, const Judgement& judgement) {
  Json json{{"verdict", to_string(judgement.ruling)},
            {"reason", judgement.reason},
            {"fabric", certificate.fabric.notation()},
            {"collective", certificate.collective.notation()},
            {"steps", certificate.steps},
            {"inject", certificate.inject_once ? "once" : "many"},
            {"paths", certificate.paths_kept ? "kept" : "any"},
            {"phases", or_null(certificate.phases)}};
  if (const ProofFile* proof = proof_of(certificate)) {
    json["evidence"] = "proof";
    json["proof"] = proof->path;
    json["about"] = to_string(proof->about);
    json["variables"] = judgement.variables;
    json["clauses"] = judgement.clauses;
    json["proof_lines"] = judgement.proof_lines;
  } else {
    json["evidence"] = "prices";
    json["worth"] = or_null(judgement.worth);
    json["paid"] = or_null(judgement.paid);
  }
  return json_text(json);
}

}  // namespace

int certify_command(const CertifyArguments& arguments, driver::Environment& environment) {
  Sources sources;
  const auto refuse_file = [&](const std::string& path) {
    return refuse({error_at({}, fmt::format("cannot read {}", path))}, sources, environment);
  };
  auto text = environment.read_file(arguments.file);
  if (!text) return refuse_file(arguments.file);
  sources.push_back({arguments.file, *std::move(text)});
  const Result<Certificate> certificate = read_certificate(sources[0], 0);
  if (!certificate) return refuse(certificate.diagnostics(), sources, environment);

  JudgeOptions options;
  std::unique_ptr<driver::OpenFile> file;
  bool unreadable = false;
  std::string path;
  if (const ProofFile* proof = proof_of(*certificate)) {
    path = (std::filesystem::path(arguments.file).parent_path() / proof->path).string();
    file = environment.open_file(path);
    if (!file) return refuse_file(path);
    options.proof = [&](std::span<char> bytes) {
      const auto got = file->read(bytes);
      unreadable = unreadable || !got;
      return got;
    };
  }
  environment.outlive_interrupt();
  options.cancelled = [&] { return environment.interrupted(); };
  const Judgement judgement = judge(*certificate, options);
  if (unreadable) return refuse_file(path);
  environment.print(arguments.json ? to_json(*certificate, judgement) : to_text(*certificate, judgement));
  return exit_status(judgement.ruling);
}

}  // namespace quadrille::cli
