#include "cli/written_file.h"

#include <fmt/format.h>

namespace quadrille::cli {

std::optional<std::string> write_file(const std::string& path, const std::function<void(NewFile& file)>& fill,
                                      Outside& outside) {
  const auto file = outside.create_file(path);
  fill(*file);
  if (const auto failure = file->keep()) return fmt::format("cannot write {}: {}", path, *failure);
  return std::nullopt;
}

std::optional<std::string> write_file(const std::string& path, std::string_view text, Outside& outside) {
  return write_file(
      path, [&](NewFile& file) { file.write(text); }, outside);
}

}  // namespace quadrille::cli
