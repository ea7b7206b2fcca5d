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
#include "driver/context.h"
#include "model/limits.h"
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

class SizeChecker {
 public:
  // The limits are for all sizes together. Claims that nothing is better leave a size unknown; with a context they are
  // violated where a schedule that ships is better, and do not count elsewhere.
  SizeChecker(std::shared_ptr<const ir::Schedule> schedule, Limits limits, Context* better = nullptr)
      : schedule_(std::move(schedule)), limits_(std::move(limits)), better_(better) {}

  // Requires a value for every parameter without a default. Every size is judged once.
  const SizeResult& at(const Arguments& arguments);

 private:
  SizeResult judge(const Arguments& arguments) const;
  Report checked(SendTable table) const;
  SizeResult refusal(const Diagnostics& diagnostics) const;

  std::shared_ptr<const ir::Schedule> schedule_;
  Limits limits_;
  Context* better_;
  std::map<Arguments, SizeResult> known_;
};

}  // namespace quadrille::driver
