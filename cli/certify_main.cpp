// quadrille-certify: the judge of certificates as a program of its own. It links the judge and the model, and nothing
// that makes certificates: what `quadrille search` found can be judged without any of what found it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "cli/certificate_report.h"
#include "model/interrupt.h"
#include "model/memory_ceiling.h"
#include "model/printable.h"
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

int refuse_file(const std::string& path, int reason) {
  const int known = std::filesystem::is_directory(path) ? EISDIR : reason != 0 ? reason : EIO;
  return refuse(fmt::format("error: cannot read {}: {}\n", printable(path), std::strerror(known)));
}

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
  errno = 0;
  std::ifstream certificate_file(request.file, std::ios::binary);
  if (!certificate_file || std::filesystem::is_directory(request.file)) return refuse_file(request.file, errno);
  const Sources sources{{request.file, std::string(std::istreambuf_iterator<char>(certificate_file), {})}};
  const Result<Certificate> certificate = read_certificate(sources[0], 0, options.limits);
  if (!certificate) {
    const bool ended = reason_of(certificate.diagnostics()) != Reason::none;
    return refuse(render(certificate.diagnostics(), sources), ended ? exit_unknown : exit_bad_input);
  }
  options.limits.memory -= std::min(options.limits.memory, certificate->fabric.memory());
  std::ifstream proof_file;
  std::string path;
  if (const auto* proof = std::get_if<ProofFile>(&certificate->evidence)) {
    path = (std::filesystem::path(request.file).parent_path() / proof->path).string();
    errno = 0;
    proof_file.open(path, std::ios::binary);
    if (!proof_file || std::filesystem::is_directory(path)) return refuse_file(path, errno);
    options.proof = [&](std::span<char> bytes) -> std::optional<std::size_t> {
      proof_file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      if (proof_file.bad()) return std::nullopt;
      return static_cast<std::size_t>(proof_file.gcount());
    };
  }
  const CertificateReport report = judge(*certificate, options);
  if (proof_file.bad()) return refuse_file(path, EIO);
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
