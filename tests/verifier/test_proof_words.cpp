// Expressions of core forms in words: what is said of a proof means what was judged. Random ones are read back by a
// small reader of its own, and have the same values.
//
// QUADRILLE_LONG=1 tries 20,000 of them, else 2,000; QUADRILLE_SEED chooses them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/proof_reader/words.h"

namespace {

using namespace quadrille;
using namespace quadrille::proof_reader;

const CoreExpression N = variable("N");
const CoreExpression rounds = variable("measure.rounds");

CoreExpression sum(std::vector<CoreExpression> terms) { return {Op::add, std::move(terms)}; }
CoreExpression at_least(const CoreExpression& a, const CoreExpression& b) { return {Op::at_least, {a, b}}; }

// Numbers and truths (1 and 0) by recursive descent, as people read them; whole numbers only.
class Reading {
 public:
  Reading(std::string text, Values values) : text_(std::move(text)), values_(std::move(values)) {}

  std::int64_t whole() {
    const std::int64_t result = either();
    CHECK(at_ == text_.size());
    return result;
  }

 private:
  bool take(const std::string& word) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, word.size(), word) != 0) return false;
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
    const std::size_t end = at_ + word.size();
    if (letter(word.back()) && end < text_.size() && letter(text_[end])) return false;
    at_ = end;
    return true;
  }

  std::int64_t either() {
    std::int64_t result = both();
    while (take("or")) result = both() != 0 || result != 0 ? 1 : 0;
    return result;
  }

  std::int64_t both() {
    std::int64_t result = comparison();
    while (take("and")) result = comparison() != 0 && result != 0 ? 1 : 0;
    return result;
  }

  std::int64_t comparison() {
    if (take("not")) return comparison() == 0 ? 1 : 0;
    const std::int64_t left = added();
    if (take("==")) return left == added() ? 1 : 0;
    if (take("!=")) return left != added() ? 1 : 0;
    if (take(">=")) return left >= added() ? 1 : 0;
    if (take("<=")) return left <= added() ? 1 : 0;
    if (take("<")) return left < added() ? 1 : 0;
    if (take(">")) return left > added() ? 1 : 0;
    return left;
  }

  std::int64_t added() {
    std::int64_t result = take("-") ? -multiplied() : multiplied();
    while (true) {
      if (take("+")) {
        result += multiplied();
      } else if (take("-")) {
        result -= multiplied();
      } else if (take("mod")) {
        result = rest(result, multiplied());
      } else {
        return result;
      }
    }
  }

  std::int64_t multiplied() {
    std::int64_t result = atom();
    while (take("*")) result *= atom();
    return result;
  }

  static std::int64_t rest(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }

  std::int64_t atom() {
    if (take("true")) return 1;
    if (take("false")) return 0;
    if (take("floor(")) {
      const std::int64_t a = multiplied();
      REQUIRE(take("/"));
      const std::int64_t b = multiplied();
      REQUIRE(take(")"));
      return (a - rest(a, b)) / b;
    }
    if (take("(")) {
      std::int64_t result = either();
      if (take("if")) {
        const bool condition = either() != 0;
        REQUIRE(take("else"));
        const std::int64_t otherwise = either();
        if (!condition) result = otherwise;
      }
      REQUIRE(take(")"));
      return result;
    }
    std::string word;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) word += text_[at_++];
    REQUIRE(!word.empty());
    if (is_whole_number(word)) return std::stoll(word);
    return values_.at(values_.contains(word) ? word : "measure." + word);
  }

  std::string text_;
  Values values_;
  std::size_t at_ = 0;
};

class RandomExpressions {
 public:
  explicit RandomExpressions(reference::Dice& dice) : dice_(dice) {}

  CoreExpression number(int depth) {
    if (depth == 0 || dice_.below(4) == 0) {
      const std::vector<CoreExpression> leaves{N, rounds, variable("k"), variable("k"), 0, 1, 2, -1, -3};
      return leaves[dice_.below(leaves.size())];
    }
    const CoreExpression a = number(depth - 1);
    const CoreExpression b = number(depth - 1);
    const auto positive = CoreExpression(static_cast<std::int64_t>(1 + dice_.below(4)));
    switch (dice_.below(7)) {
      case 0:
      case 1:
        return sum({a, b, number(depth - 1)});
      case 2:
        return CoreExpression(-2) * a;
      case 3:
        return a * b;
      case 4:
        return {Op::divide, {a, positive}};
      case 5:
        return {Op::modulo, {a, positive}};
      default:
        return choice(truth(depth - 1), a, b);
    }
  }

  CoreExpression truth(int depth) {
    const std::uint64_t kind = dice_.below(depth > 0 ? 6 : 3);
    if (kind == 0) return at_least(number(depth), number(depth));
    if (kind <= 2) return {Op::equal, {number(depth), kind == 1 ? CoreExpression(0) : number(depth)}};
    const CoreExpression a = truth(depth - 1);
    if (kind == 3) return {Op::negation, {a}};
    return {kind == 4 ? Op::conjunction : Op::disjunction, {a, truth(depth - 1)}};
  }

 private:
  reference::Dice& dice_;
};

TEST_CASE("sums change sides, so that a claim reads as it would be written") {
  const CoreExpression minus_n = CoreExpression(-1) * N;
  CHECK(in_words(equal(sum({1, minus_n, rounds}), 0)) == "rounds == N - 1");
  CHECK(in_words(at_least(sum({N, CoreExpression(-1) * rounds}), 0)) == "rounds <= N");
  CHECK(in_words(negated(at_least(sum({rounds, minus_n}), 0))) == "rounds < N");
  CHECK(in_words(at_least(minus_n, -5)) == "N <= 5");
  CHECK(in_words(equal(sum({rounds, CoreExpression(-1) * variable("measure.volume")}), 0)) == "rounds == volume");
  CHECK(in_words(equal(N, 0)) == "N == 0");
  CHECK(in_words(at_least(5, 0)) == "0 <= 5");
}

TEST_CASE("operations have parentheses where they need them") {
  const CoreExpression k = variable("k");
  CHECK(in_words(CoreExpression(Op::modulo, {k + CoreExpression(1), N})) == "(k + 1) mod N");
  CHECK(in_words(CoreExpression(Op::divide, {N, 2})) == "floor(N / 2)");
  CHECK(in_words(CoreExpression(Op::power, {N - CoreExpression(1)})) == "2^(N - 1)");
  CHECK(in_words(CoreExpression(Op::digits, {N})) == "bits(N)");
  CHECK(in_words((N + CoreExpression(1)) * k) == "(N + 1) * k");
  CHECK(in_words(choice(less(k, N), k, k - N)) == "(k if N >= k + 1 else k - N)");
  const CoreExpression neither(Op::conjunction, {negated(equal(k, 0)), negated(equal(k, N))});
  CHECK(in_words(all_of({less(0, N), negated(neither)})) == "N >= 1 and (k == 0 or k == N)");
  CHECK(in_words(CoreRange{"N", 2, std::nullopt}) == "N in 2..");
  CHECK(in_words(CoreRange{"k", 0, N - CoreExpression(1)}) == "k in 0..N - 1");
}

TEST_CASE("an expression in words has the value of the expression") {
  const std::uint64_t seed = reference::first_seed();
  CAPTURE(seed);
  reference::Dice dice(seed);
  RandomExpressions expressions(dice);
  const int tries = tests::long_run() ? 20'000 : 2'000;
  for (int i = 0; i < tries; ++i) {
    const CoreExpression x = dice.below(2) == 0 ? expressions.number(3) : expressions.truth(3);
    const std::string words = in_words(x);
    CAPTURE(words);
    for (const auto& [n, r, k] : {std::array{5, 4, 0}, std::array{2, 7, -3}, std::array{0, 1, 6}}) {
      const Values values{{"N", n}, {"measure.rounds", r}, {"k", k}};
      const auto value = evaluate(x, values);
      REQUIRE(value);
      REQUIRE(Reading(words, values).whole() == *value);
    }
  }
}

}  // namespace
