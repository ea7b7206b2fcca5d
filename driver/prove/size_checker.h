// Checks single sizes of a schedule with the explicit checker. They confirm a refutation, and are evidence where
// there is no proof.
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
  Reason reason = Reason::none;  // for unknown: the reason
  std::string why;               // the same in words
  std::uint64_t steps = 0;
  std::uint64_t rows = 0;
  std::vector<Violation> violations;  // the first of each property
  Diagnostics refused;                // for violated: the compiler's errors, if there is no table at all

  // The first violation of that property; else the first of any that counts; null if there is none.
  const Violation* first(std::optional<Property> property) const;
};

// The treatment of claims that nothing is better.
enum class OptimalClaims : std::uint8_t {
  judged,           // as the command `check` judges them: by bounds, and by a search
  only_if_violated  // they refute a size if a schedule that ships is better, and do not count otherwise
};

class SizeChecker {
 public:
  // The context's limits are for all sizes together. A size whose table has more rows than `most_rows` is unknown.
  SizeChecker(std::shared_ptr<const ir::Schedule> schedule, Context& context, OptimalClaims optimal,
              std::uint64_t most_rows = any_number)
      : schedule_(std::move(schedule)), context_(context), optimal_(optimal), most_rows_(most_rows) {}

  static constexpr std::uint64_t any_number = ~std::uint64_t{0};

  // The result for a size, which is judged once. Requires a value for every parameter without a default.
  const SizeResult& at(const Arguments& arguments);

 private:
  SizeResult judge(const Arguments& arguments) const;
  SizeResult judge(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) const;
  bool few_rows(const SendTable& table) const;
  Report checked(const SendTable& table) const;
  SizeResult refusal(const Diagnostics& diagnostics) const;

  std::shared_ptr<const ir::Schedule> schedule_;
  Context& context_;
  OptimalClaims optimal_;
  std::uint64_t most_rows_;
  std::map<Arguments, SizeResult> known_;
};

}  // namespace quadrille::driver
