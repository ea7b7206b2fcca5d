#include "tests/verifier/proofs.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"

namespace quadrille::tests {

std::string broadcast(const std::string& range_of_h) {
  return fmt::format(
      "param L in 1..10\nparam h in {}\nfabric fat_tree(levels: L, capacity: constant)\n"
      "collective broadcast(root: 0)\nat 1: send 0 -> all\n",
      range_of_h);
}

std::shared_ptr<const ir::Schedule> compiled(const std::string& text) {
  reference::Compiled result = reference::compiled(text);
  REQUIRE_MESSAGE(result.schedule, result.errors);
  return std::move(result.schedule);
}

bool holds(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  return reference::holds_at(schedule, arguments).value_or(false);
}

std::vector<const char*> few(std::vector<const char*> all) {
  if (!brief || all.size() <= 2) return all;
  if (sanitized) return {all[0], all[1]};
  std::vector<const char*> result;
  for (std::size_t i = 0; i < all.size(); i += 2) result.push_back(all[i]);
  return result;
}

Proof proof_of(const std::string& text) {
  const auto schedule = compiled(text);
  ProveOptions options;
  options.holds_at = [&](const Arguments& at) { return std::optional<bool>(holds(schedule, at)); };
  return prove(*schedule, options);
}

Proof proof_of_shipped(const std::string& name, const std::map<std::string, std::string>& arguments) {
  ProveOptions options;
  options.arguments = arguments;
  return prove(*compiled(std::string(shipped_schedule(name)->text)), options);
}

}  // namespace quadrille::tests
