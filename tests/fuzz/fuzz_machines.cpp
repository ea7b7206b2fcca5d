// Any bytes: reading them as a machine (the first byte says of which kind) must not crash; a fabric that comes of it is
// written out and read to the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "machines/machines.h"
#include "model/fabric_notation.h"

using namespace quadrille;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<const char*, 6> kinds = {"smi:x",           "smi:x,host=yes", "nccl:x",
                                                "nccl:x,host=yes", "ib:x",           "sccl:x"};
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const ReadFile read = [&](const std::string&) { return FileText(text); };
  static const Families families = with_machines(standard_families());
  const auto fabric = parse_fabric({"fuzz", kinds[data[0] % kinds.size()]}, 0, read, families);
  if (!fabric) {
    if (fabric.diagnostics().empty()) std::abort();
    return 0;
  }
  const auto again = parse_fabric({"again", fabric->notation()}, 0);
  if (!again || again->notation() != fabric->notation()) std::abort();
  return 0;
}
