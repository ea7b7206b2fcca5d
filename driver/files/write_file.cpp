// Writes whole files through the environment: fills them, then keeps them or reports the error.
#include "driver/files/write_file.h"

#include <fmt/format.h>

namespace quadrille::driver {

std::optional<std::string> write_file(const std::string& path, const std::function<void(NewFile& file)>& fill,
                                      Environment& environment) {
  const auto file = environment.create_file(path);
  fill(*file);
  if (const auto failure = file->keep()) return fmt::format("cannot write {}: {}", path, *failure);
  return std::nullopt;
}

std::optional<std::string> write_file(const std::string& path, std::string_view text, Environment& environment) {
  return write_file(
      path, [&](NewFile& file) { file.write(text); }, environment);
}

}  // namespace quadrille::driver
