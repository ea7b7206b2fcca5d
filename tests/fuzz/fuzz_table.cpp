// Any bytes: reading them as a table must not crash; and what is read must survive being written in every form.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/table_io.h"

namespace {

using namespace quadrille;

std::string written(const SendTable& table, const char* form) {
  std::string text;
  const Sink sink = [&text](std::string_view piece) {
    text += piece;
    return true;
  };
  if (!write_table(table, form, sink)) std::abort();
  return text;
}

void require_same(const SendTable& a, const SendTable& b) {
  const bool same = a.fabric.notation() == b.fabric.notation() && a.collective.notation() == b.collective.notation() &&
                    all_rows(a) == all_rows(b) && written(a, "csv") == written(b, "csv");
  if (!same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Source source{"input", std::string(reinterpret_cast<const char*>(data), size)};
  const auto format = is_table(source.text);
  const auto table = read_table(source, 0);
  if (table && !format) std::abort();
  if (!table && table.diagnostics().empty()) std::abort();
  if (!table || table->fabric.channels() > 100000) return 0;
  for (const auto form : {"csv", "json", "binary"}) {
    const auto again = read_table({"again", written(*table, form)}, 0);
    if (!again) std::abort();
    require_same(*table, *again);
  }
  return 0;
}
