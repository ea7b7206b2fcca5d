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

std::optional<Diagnostic> write_output(const std::string& path,
                                       const std::function<bool(const std::function<bool(std::string_view)>&)>& write,
                                       Environment& environment) {
  if (path.empty()) {
    write([&](std::string_view text) { return environment.print(text); });
    return std::nullopt;
  }
  const auto file = environment.create_file(path);
  if (!write([&](std::string_view text) { return file->write(text); })) return std::nullopt;
  const auto failure = file->keep();
  if (!failure) return std::nullopt;
  return error_at({}, fmt::format("cannot write {}: {}", path, *failure), Code::file);
}

std::optional<Diagnostic> write_whole(const std::string& path, const std::function<bool(const Sink& sink)>& write,
                                      Environment& environment) {
  bool whole = true;
  const auto noted = [&](const Sink& sink) {
    whole = write(sink);
    return whole;
  };
  auto failure = write_output(path, noted, environment);
  if (failure || whole) return failure;
  return error_at({}, fmt::format("{}: a limit was reached before it was written to its end", path), Code::limit);
}

}  // namespace quadrille::driver
