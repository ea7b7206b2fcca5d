// The command `certify`: reads a certificate, opens the proof beside it and judges it while it is read, so that its
// text is never completely in memory. A file that fails meanwhile is an error, not a verdict.
#include "driver/prove/certify.h"

#include <filesystem>

#include "driver/inputs/input.h"

namespace quadrille::driver {

const ProofFile* proof_of(const Certificate& certificate) { return std::get_if<ProofFile>(&certificate.evidence); }

Result<CertifyOutcome> run(const CertifyRequest& request, Context& context) {
  Environment& environment = context.environment;
  const auto unreadable = [&](const std::string& path) { return cannot_read(path, environment); };
  auto text = environment.read_file(request.file);
  if (!text) return unreadable(request.file);
  context.sources.push_back({request.file, *std::move(text)});
  Result<Certificate> certificate =
      read_certificate(context.sources.back(), static_cast<std::uint32_t>(context.sources.size() - 1), context.limits,
                       context.world->families);
  if (!certificate) return certificate.diagnostics();

  JudgeOptions options;
  std::unique_ptr<OpenFile> file;
  bool failed = false;
  std::string path;
  if (const ProofFile* proof = proof_of(*certificate)) {
    path = (std::filesystem::path(request.file).parent_path() / proof->path).string();
    file = environment.open_file(path, context.limits);
    if (!file) return unreadable(path);
    options.proof = [&](std::span<char> bytes) {
      const auto got = file->read(bytes);
      failed = failed || !got;
      return got;
    };
  }
  options.limits = remaining(context);
  tell_stage(context, "judging the certificate");
  CertificateReport report = judge(*certificate, options);
  // A pipe may be waited for until the limits are reached; this is no fault of the file.
  const Reason reached = failed ? context.limits.reached() : Reason::none;
  if (reached != Reason::none) return error_at({}, path + ": the proof has not been read to its end", code_of(reached));
  if (failed) return unreadable(path);
  return CertifyOutcome{std::move(*certificate), std::move(report)};
}

}  // namespace quadrille::driver
