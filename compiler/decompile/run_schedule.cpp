// For example, of allreduce_ring with N = 8 on dgx_h100 in rounds:
//
//     include "allreduce_ring"
//     fabric dgx_h100(timing: rounds, paths: shared)
//     collective allreduce(parts: 8)
//
//     run allreduce_ring(N: 8)
#include "compiler/decompile/run_schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "compiler/decompile/collective_line.h"
#include "compiler/decompile/fabric_line.h"

namespace quadrille {

Result<std::string> run_schedule(const std::string& name, const Arguments& arguments, const SendTable& table,
                                 const Families& families) {
  const Result<FabricText> line = fabric_line(table.fabric, families);
  if (!line) return line.diagnostics();
  std::vector<std::string> values;
  for (const auto& [parameter, value] : arguments) values.push_back(fmt::format("{}: {}", parameter, value));
  return fmt::format("include \"{0}\"\n{1}{2}\nrun {0}({3})\n", name, line->text, collective_line(table.collective),
                     fmt::join(values, ", "));
}

}  // namespace quadrille
