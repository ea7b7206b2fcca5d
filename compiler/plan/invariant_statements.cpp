// Ranges, and ranges `mod` a number, become one or two ranges of origins without being listed. Cost: one evaluation of
// the set a statement; other sets are listed and sorted.
#include "compiler/plan/invariant_statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/arithmetic.h"
#include "compiler/evaluate/lines.h"
#include "compiler/ir_remainders.h"

namespace quadrille {
namespace {

using Slot = Evaluator::Slot;

std::vector<OriginRange> range(const Evaluator::Progression& all) {
  if (all.count == 0) return {};
  const auto distance = static_cast<std::int64_t>(all.count - 1);
  return {all.step > 0 ? OriginRange{all.first, all.first + distance} : OriginRange{all.first - distance, all.first}};
}

// {x mod m for x in first..last}, m > 0
std::vector<OriginRange> remainders(const OriginRange& of, std::int64_t m, Span span) {
  if (of.last - of.first >= m - 1) return {{0, m - 1}};
  const std::int64_t first = checked_modulo(of.first, m, span);
  const std::int64_t last = checked_modulo(of.last, m, span);
  if (first <= last) return {{first, last}};
  return {{0, last}, {first, m - 1}};
}

std::optional<std::vector<OriginRange>> cyclic(const ir::Expression& set, Evaluator& evaluator, Slot* frame) {
  const auto parts = ir::remainders_of(set);
  if (!parts) return std::nullopt;
  const auto all = evaluator.progression(*parts->range, frame);
  const std::int64_t m = evaluator.value(*parts->divisor, frame);
  constexpr std::uint64_t countable = std::uint64_t{1} << 62;
  if (!all || m <= 0 || all->count > countable) return std::nullopt;
  return all->count == 0 ? std::vector<OriginRange>() : remainders(range(*all).front(), m, set.span);
}

}  // namespace

std::vector<OriginRange> ranges(std::vector<std::int64_t> elements) {
  std::sort(elements.begin(), elements.end());
  std::vector<OriginRange> result;
  for (const std::int64_t x : elements) {
    if (!result.empty() && (x == result.back().last || x - 1 == result.back().last)) {
      result.back().last = x;
    } else {
      result.push_back({x, x});
    }
  }
  return result;
}

std::vector<OriginRange> origins_of(const ir::Expression& set, Evaluator& evaluator, Slot* frame) {
  if (const auto* choice = std::get_if<ir::Conditional>(&set.node))
    return origins_of(evaluator.truth(*choice->condition, frame) ? *choice->then : *choice->otherwise, evaluator,
                      frame);
  if (const auto all = evaluator.progression(set, frame)) return range(*all);
  if (auto all = cyclic(set, evaluator, frame)) return *std::move(all);
  std::vector<std::int64_t> elements;
  evaluator.collect(set, frame, elements);
  return ranges(std::move(elements));
}

StatementMaker::StatementMaker(const Collective& collective, Evaluator& evaluator, Slot* frame)
    : collective_(collective), parts_(parts_of(collective)), evaluator_(evaluator), frame_(frame) {}

HeldOrigins StatementMaker::about(const ir::HeldItem& item) {
  HeldOrigins statement;
  const std::int64_t processor = evaluator_.value(*item.processor, frame_);
  if (processor >= collective_.processors()) fail(item.processor->span, "a switch holds nothing", Code::type);
  statement.processor = NodeId(static_cast<std::uint32_t>(processor));
  if (item.part) statement.part = number(*item.part, parts_, "part");
  statement.target = target(item, statement.part);
  statement.at_least = item.at_least;
  statement.span = item.span;
  return statement;
}

std::uint32_t StatementMaker::number(const ir::Expression& e, std::uint32_t end, std::string_view what) {
  const std::int64_t value = evaluator_.value(e, frame_);
  if (value < 0 || value >= end) fail(e.span, fmt::format("there is no {} {}", what, value), Code::range);
  return static_cast<std::uint32_t>(value);
}

// Returns the target of the chunks that the statement is about; where it names none, the collective implies it.
std::optional<std::uint32_t> StatementMaker::target(const ir::HeldItem& item, std::uint32_t part) {
  if (collective_.combining()) {
    if (item.target || item.everyone)
      fail(item.span, fmt::format("a partial reduction has no addressee; {} combines", to_string(collective_.kind())),
           Code::invalid);
    return std::nullopt;
  }
  if (item.target) return number(*item.target, collective_.processors(), "processor");
  if (item.everyone || collective_.listed()) return std::nullopt;
  for (const std::uint32_t source : {0U, 1U, collective_.description().root}) {
    if (source >= collective_.processors()) continue;
    if (const auto usual = collective_.default_chunk(source, std::nullopt, part))
      return collective_.name(*usual).target;
  }
  fail(item.span, "expected for whom the chunks are, as in held(k, -> d)", Code::missing);
}

}  // namespace quadrille
