// Single sizes of a schedule, judged by the explicit checker: what a refutation is confirmed by, and what can be had
// where there is no proof.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "model/limits/limits.h"
#include "verifier/check.h"

namespace quadrille::driver {

struct SizeResult {
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::none;  // unknown: why
  std::string why;               // the same in words
  std::uint64_t steps = 0;
  std::uint64_t rows = 0;
  std::vector<Violation> violations;  // the first of each property
  Diagnostics refused;                // violated: the compiler's word on it, where there is no table at all

  // The first violation of that property; else of any that counts; null if there is none.
  const Violation* first(std::optional<Property> property) const;
};

// What becomes of claims that nothing is better.
enum class OptimalClaims : std::uint8_t {
  judged,           // as the command `check` judges them: by bounds, and by a search
  only_if_violated  // they refute a size where a schedule that ships is better, and do not count elsewhere
};

class SizeChecker {
 public:
  // The context's limits are for all sizes together.
  SizeChecker(std::shared_ptr<const ir::Schedule> schedule, Context& context, OptimalClaims optimal)
      : schedule_(std::move(schedule)), context_(context), optimal_(optimal) {}

  // Requires a value for every parameter without a default. Every size is judged once.
  const SizeResult& at(const Arguments& arguments);

 private:
  SizeResult judge(const Arguments& arguments) const;
  Report checked(const SendTable& table) const;
  SizeResult refusal(const Diagnostics& diagnostics) const;

  std::shared_ptr<const ir::Schedule> schedule_;
  Context& context_;
  OptimalClaims optimal_;
  std::map<Arguments, SizeResult> known_;
};

}  // namespace quadrille::driver
