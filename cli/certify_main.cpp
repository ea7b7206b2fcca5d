// quadrille-certify: the judge of certificates as a program of its own. It links the judge and the model, and nothing
// that makes certificates: what `quadrille search` found can be judged without any of what found it.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/render/certificate_report.h"
#include "model/limits/interrupt.h"
#include "model/limits/memory_ceiling.h"
#include "model/limits/read_within.h"
#include "model/text/printable.h"
#include "model/verdict.h"
#include "verifier/certificate.h"

namespace quadrille::cli {
namespace {

struct Request {
  std::string file;
  std::string schedule = {};              // what only `quadrille certify` can do, …
  std::vector<std::string> defines = {};  // … and says so
  bool json = false;
  double timeout = 1e9;  // seconds
  double memory = 8;     // GiB
};

int refuse(const std::string& message, int status = exit_bad_input) {
  fmt::print(stderr, "{}", message);
  return status;
}

int refuse_file(const std::string& path, const std::string& why, Reason reason = Reason::none) {
  return refuse(fmt::format("error: cannot read {}: {}\n", printable(path), why),
                reason == Reason::none ? exit_bad_input : exit_unknown);
}

// A file that is read piece by piece; it is waited for within the limits, if it is a pipe.
class ProofReader {
 public:
  ProofReader(const std::string& path, const Limits& limits)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), limits_(limits) {
    if (descriptor_ < 0) error_ = errno;
  }
  ~ProofReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  ProofReader(const ProofReader&) = delete;
  ProofReader& operator=(const ProofReader&) = delete;

  std::optional<std::size_t> read(std::span<char> bytes) {
    const auto got = read_ready(descriptor_, bytes, limits_);
    if (got) return got;
    error_ = errno;
    reason_ = limits_.reached();
    return std::nullopt;
  }
  bool failed() const { return error_ != 0 || reason_ != Reason::none; }
  Reason reason() const { return reason_; }  // the limit that was reached
  std::string why() const {
    if (reason_ == Reason::none) return std::strerror(error_);
    return fmt::format("it has not been read to its end: {}", to_string(reason_));
  }

 private:
  int descriptor_;
  const Limits& limits_;
  int error_ = 0;
  Reason reason_ = Reason::none;
};

// That of a proof for every size: `prove --certificate` writes a folder.
bool is_proof_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(path) / "core.txt", ignored);
}

int exit_status(CertificateVerdict verdict) {
  if (verdict == CertificateVerdict::accepted) return exit_done;
  return verdict == CertificateVerdict::rejected ? exit_violated : exit_unknown;
}

int run(const Request& request) {
  if (!request.schedule.empty() || !request.defines.empty()) {
    return refuse(
        "error: --schedule and -D are for proofs for every size, which take a compiler and a solver: use `quadrille "
        "certify FOLDER --schedule FILE`\n");
  }
  if (is_proof_folder(request.file)) {
    return refuse(
        fmt::format("error: {} is a proof for every size: `quadrille certify {}` judges it, as that takes a "
                    "solver, and this program asks none\n",
                    request.file, request.file));
  }
  const Interrupts interrupts;
  JudgeOptions options;
  options.limits = Limits().within(std::chrono::duration<double>(request.timeout));
  options.limits.stop = interrupts.token();
  options.limits.memory = static_cast<std::uint64_t>(request.memory * static_cast<double>(std::uint64_t{1} << 30));
  set_memory_ceiling(options.limits.memory);
  WholeText text = read_whole(request.file, options.limits);
  if (!text.text) return refuse_file(request.file, text.why, text.reason);
  const Sources sources{{request.file, *std::move(text.text)}};
  const Result<Certificate> certificate = read_certificate(sources[0], 0, options.limits);
  if (!certificate) {
    const bool ended = reason_of(certificate.diagnostics()) != Reason::none;
    return refuse(render(certificate.diagnostics(), sources), ended ? exit_unknown : exit_bad_input);
  }
  options.limits.memory -= std::min(options.limits.memory, certificate->fabric.memory());
  std::optional<ProofReader> proof_reader;
  std::string path;
  if (const auto* proof = std::get_if<ProofFile>(&certificate->evidence)) {
    path = (std::filesystem::path(request.file).parent_path() / proof->path).string();
    proof_reader.emplace(path, options.limits);
    if (proof_reader->failed()) return refuse_file(path, proof_reader->why());
    options.proof = [&](std::span<char> bytes) { return proof_reader->read(bytes); };
  }
  const CertificateReport report = judge(*certificate, options);
  if (proof_reader && proof_reader->failed()) return refuse_file(path, proof_reader->why(), proof_reader->reason());
  fmt::print("{}", request.json ? certificate_json(*certificate, report) : certificate_text(*certificate, report));
  return exit_status(report.verdict);
}

}  // namespace
}  // namespace quadrille::cli

int main(int argc, char** argv) {
  using namespace quadrille;
  cli::Request request;
  CLI::App app{"Judge a certificate that there is no schedule of so many steps", "quadrille-certify"};
  app.add_option("FILE", request.file, "A certificate; the files that it names lie beside it")
      ->type_name("")
      ->required();
  app.add_option("--schedule", request.schedule)->group("");  // hidden
  app.add_option("-D,--define", request.defines)->allow_extra_args(false)->group("");
  app.add_flag("--json", request.json, "Print one JSON object instead of text");
  app.add_option("--timeout", request.timeout, "Time for the whole command (no limit)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 1e9));
  app.add_option("--memory", request.memory, "Memory for the whole command (8)")
      ->type_name("GIB")
      ->check(CLI::Range(0.001, 1e6));
  app.footer("Exit status: 0 accepted, 1 rejected, 2 bad input or usage, 3 unknown (time, memory, Ctrl-C).");
  try {
    app.parse(argc, argv);
    return cli::run(request);
  } catch (const CLI::ParseError& stop) {
    return app.exit(stop) == 0 ? exit_done : exit_bad_input;
  } catch (const std::bad_alloc& refusal) {
    fmt::print(stderr, "error: {}\n", why_no_memory(refusal));
    return exit_unknown;
  }
}
