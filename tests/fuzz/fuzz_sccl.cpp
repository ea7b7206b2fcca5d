// Any bytes: reading them as an algorithm of SCCL must not crash; what is read can be judged, and written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "driver/inputs/world.h"
#include "export/sccl.h"
#include "formats/table_io.h"
#include "verifier/check.h"

using namespace quadrille;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const driver::World& world = driver::standard_world();
  static const FormatList formats{sccl_format()};
  Limits limits;
  limits.memory = std::uint64_t{1} << 28;
  const ReadOptions options{formats, &world.families, limits};
  const Source source{"input", "{\"msccl_type\":0," + std::string(reinterpret_cast<const char*>(data), size)};
  const auto table = read_table(source, 0, options);
  if (!table) {
    if (table.diagnostics().empty()) std::abort();
    return 0;
  }
  const Report report = check(*table);
  std::string text;
  const auto exported = exporting::export_sccl({*table, 1024, "", limits}, [&](std::string_view more) {
    text += more;
    return true;
  });
  if (!exported) return 0;
  const auto again = read_table({"again", text}, 0, options);
  if (!again) std::abort();
  // The text says of each round how long it takes, so its claim holds.
  const Report reread = check(*again);
  if (reread.of(Property::claims).violations != 0) std::abort();
  if (reread.of(Property::complete).violations != report.of(Property::complete).violations) std::abort();
  return 0;
}
