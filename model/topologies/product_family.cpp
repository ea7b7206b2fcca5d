// Products by their notation: the factors stand in parentheses, `product(torus:4x4,capacity=2,ring:3)`, and a comma
// begins the next one where a name follows that no `=` does. Each is read as a fabric of its own, so that a factor may
// be whatever a fabric may be, a product too. Cost: that of the factors.
#include <fmt/format.h>

#include <algorithm>

#include "model/fabric_notation.h"
#include "model/topologies/product.h"
#include "model/topology_family.h"

namespace quadrille::topologies {
namespace {

// How deep parentheses are nested: each level is a product of products.
std::size_t depth_of(std::string_view list) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : list) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')' && depth > 0) --depth;
  }
  return deepest;
}

std::optional<Fabric> read_factor(const std::string& text, FabricArguments& given) {
  const auto factor = parse_fabric({"factor", text}, 0, given.read_file(), given.families(), given.limits());
  if (!factor) {
    for (const Diagnostic& fault : factor.diagnostics())
      given.report_error("factors", fmt::format("the factor `{}`: {}", text, fault.message), fault.code);
    return std::nullopt;
  }
  if (factor->has_switches()) {
    given.report_error("factors",
                       fmt::format("the factor `{}` has switches; a product is of fabrics of processors alone", text),
                       Code::invalid);
  } else if (!(factor->rules() == Rules{})) {
    given.report_error("factors", fmt::format("the factor `{}` has rules; they stand after the product", text),
                       Code::invalid);
  } else {
    return *factor;
  }
  return std::nullopt;
}

std::shared_ptr<const Topology> make_product(FabricArguments& given) {
  constexpr std::size_t deepest = 16;
  const auto list = given.word("factors");
  if (!list || list->size() < 2 || list->front() != '(' || list->back() != ')') {
    given.report_error(given.whole_span(), "a product needs its factors, such as product(ring:4,hypercube:3)",
                       Code::missing);
    return nullptr;
  }
  if (depth_of(*list) > deepest) {
    given.report_error("factors", fmt::format("products in products, more than {} deep", deepest), Code::limit);
    return nullptr;
  }
  std::vector<Fabric> factors;
  const std::vector<std::string> texts = factors_in(*list);
  for (const std::string& text : texts) {
    if (auto factor = read_factor(text, given)) factors.push_back(*std::move(factor));
  }
  if (texts.size() < 2) given.report_error("factors", "a product has two factors or more");
  if (!given.faults().empty()) return nullptr;
  return std::make_shared<Product>(std::move(factors));
}

}  // namespace

TopologyFamily product() {
  FabricParameter factors{"factors", FabricParameter::Kind::text};
  factors.meaning = "two fabrics or more, in parentheses";
  return {"product",
          {},
          {factors},
          "the product of fabrics without switches: rings make tori",
          "product(ring:4,hypercube:3)",
          make_product};
}

}  // namespace quadrille::topologies
