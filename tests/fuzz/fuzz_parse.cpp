// Any bytes into the parser. What parses must format, and then parse and format to the same text and tree.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "dsl/format.h"
#include "dsl/parse.h"

namespace {

[[noreturn]] void broken(const char* promise, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", promise, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const quadrille::Source source{"fuzz.qd", std::string(reinterpret_cast<const char*>(data), size)};
  const auto file = quadrille::parse(source);
  if (!file.ok()) {
    for (const quadrille::Diagnostic& error : file.diagnostics()) {
      if (error.span.begin > error.span.end || error.span.end > size) broken("span outside the text", source.text);
      if (error.message.find("N5boost") != std::string::npos && source.text.find("N5boost") == std::string::npos) {
        broken("a type's name in a message", error.message);
      }
    }
    static_cast<void>(quadrille::render(file.diagnostics(), {source}));
    return 0;
  }
  const std::string text = quadrille::format(*file);
  const auto again = quadrille::parse({"formatted.qd", text});
  if (!again.ok()) broken("the formatted text does not parse", text);
  if (quadrille::format(*again) != text) broken("formatting twice differs", text);
  return 0;
}
