// The rules in words; fabric_build.cpp reads them.
#include "model/rules.h"

namespace quadrille {

std::vector<std::pair<std::string_view, std::string>> rules_given(const Rules& rules) {
  std::vector<std::pair<std::string_view, std::string>> given;
  if (rules.duplex == Duplex::half) given.emplace_back("duplex", "half");
  if (rules.ports == Ports::single) given.emplace_back("ports", "single");
  if (rules.queue.limit) {
    given.emplace_back("queue", *rules.queue.limit == 0 ? std::string("none") : std::to_string(*rules.queue.limit));
  }
  if (rules.switches_forward()) given.emplace_back("switches", "forward");
  if (rules.switches_reduce()) given.emplace_back("switches", "reduce");
  if (rules.in_rounds()) given.emplace_back("timing", "rounds");
  if (rules.paths == Paths::shared) given.emplace_back("paths", "shared");
  return given;
}

}  // namespace quadrille
