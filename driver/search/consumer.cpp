#include "driver/search/consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "export/msccl.h"
#include "export/mscclpp.h"
#include "export/rank_memory.h"
#include "programs/mscclpp/plan.h"

namespace quadrille::driver {
namespace {

constexpr std::string_view of_plans = "mscclpp";

// For example, 8 chunks have a unit each in 128 bytes: of 64 and 1024 bytes the plan is for the latter, and 1000 bytes
// it would refuse.
bool divides(const Collective& collective, const std::vector<std::uint64_t>& wholes) {
  const std::uint64_t least = programs::ExecutionPlan().alignment * exporting::call_chunks(collective);
  const auto fits = [&](std::uint64_t whole) { return whole < least || whole % least == 0; };
  return wholes.empty() || (std::ranges::all_of(wholes, fits) && std::ranges::max(wholes) >= least);
}

}  // namespace

const std::vector<std::string>& consumers() {
  static const std::vector<std::string> all = {"msccl", "azure", "rccl", std::string(of_plans)};
  return all;
}

std::optional<Diagnostic> cannot_say(const std::string& consumer, const Collective& collective) {
  if (consumer.empty() || exporting::family_of(collective) != programs::ProgramFamily::other) return std::nullopt;
  const std::string_view form = consumer == of_plans ? "an MSCCL++ plan" : "MSCCL XML";
  return error_at({}, fmt::format("--for {}: {} cannot be said in {}", consumer, collective.notation(), form),
                  Code::unsupported);
}

bool takes(const std::string& consumer, const SendTable& table, const std::vector<std::uint64_t>& wholes,
           const Limits& limits) {
  if (consumer.empty()) return true;
  const auto nowhere = [](std::string_view) { return true; };
  if (consumer != of_plans) return exporting::export_msccl({table, 1, consumer, limits}, nowhere).ok();
  return divides(table.collective, wholes) && exporting::export_mscclpp({table, 1, {}, limits}, nowhere).ok();
}

}  // namespace quadrille::driver
