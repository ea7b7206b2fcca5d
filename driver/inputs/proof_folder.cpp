// The files are written into a folder with another name, which is renamed when all of them are there.
#include "driver/inputs/proof_folder.h"

#include <fmt/format.h>

#include "driver/files/write_file.h"
#include "formats/table_io.h"

namespace quadrille::driver {
namespace {

std::optional<std::string> write_table_file(const WrittenProof::Size& size,
                                            const std::shared_ptr<const ir::Schedule>& schedule,
                                            const std::string& path, Context& context) {
  ElaborateOptions options;
  options.limits = remaining(context);
  const Result<SendTable> table = elaborate(schedule, size.arguments, options);
  if (!table) return fmt::format("{}: {}", path, table.diagnostics().front().message);
  Written written;
  auto failure = write_file(
      path,
      [&](NewFile& file) {
        written = write_table(*table, "csv", [&](std::string_view text) { return file.write(text); });
      },
      context.environment);
  if (!failure && written.ended_early != Reason::none) failure = fmt::format("{} was not written to its end", path);
  return failure;
}

std::optional<std::string> write_files(const WrittenProof& proof, const std::shared_ptr<const ir::Schedule>& schedule,
                                       const std::string& folder, Context& context) {
  Environment& environment = context.environment;
  if (const auto failure = environment.create_folder(folder))
    return fmt::format("cannot make the folder {}: {}", folder, *failure);
  for (const WrittenProof::Size& size : proof.sizes) {
    if (auto failure = write_table_file(size, schedule, fmt::format("{}/{}", folder, size.file), context))
      return failure;
  }
  if (auto failure = write_file(fmt::format("{}/{}", folder, core_file), proof.core, environment)) return failure;
  return write_file(fmt::format("{}/{}", folder, proof_file_name), proof.proof, environment);
}

}  // namespace

std::optional<std::string> write_proof_folder(const WrittenProof& proof,
                                              const std::shared_ptr<const ir::Schedule>& schedule,
                                              const std::string& folder, Context& context) {
  const std::string unfinished = folder + ".unfinished";
  context.environment.remove_folder(unfinished);
  auto failure = write_files(proof, schedule, unfinished, context);
  if (!failure) {
    failure = context.environment.rename_folder(unfinished, folder);
    if (failure) failure = fmt::format("cannot make the folder {}: {}", folder, *failure);
  }
  if (failure) context.environment.remove_folder(unfinished);
  return failure;
}

bool is_proof_folder(const std::string& path, Context& context) {
  return context.environment.read_beginning(fmt::format("{}/{}", path, core_file), 1).has_value();
}

}  // namespace quadrille::driver
