// What a collective tells the prover about its packets, against the collective itself, at every small size.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "model/families.h"
#include "model/terms/collective_terms.h"

namespace quadrille {
namespace {

Collective collective_of(const CollectiveFamily& family, std::uint32_t root, std::uint32_t n, std::uint32_t parts = 1) {
  CollectiveDescription description;
  description.kind = *collective_kind(family.facts().name);
  description.root = root;
  description.parts = parts;
  const auto collective = Collective::make(description, n);
  REQUIRE(collective.ok());
  return *collective;
}

class Comparison {
 public:
  Comparison(const CollectiveTerms& terms, const Collective& collective) : terms_(terms), collective_(collective) {}

  void run() {
    CHECK(static_cast<std::uint64_t>(value(terms_.demands, 0, 0)) == collective_.demands());
    for (std::uint32_t s = 0; s < collective_.processors(); ++s) {
      if (terms_.for_everyone) packet(s, std::nullopt);
      for (std::uint32_t t = 0; t < collective_.processors(); ++t) {
        if (!terms_.for_everyone) packet(s, t);
        if (s != t) default_packet(s, t);
      }
    }
  }

 private:
  std::int64_t value(const Term& term, std::uint32_t s, std::uint32_t t) const {
    return evaluate(term, {{collective_.processors(), collective_.description().root}, s, t, 0});
  }

  bool named(std::uint32_t s, std::uint32_t t) const {
    for (const PacketRule& rule : terms_.rules) {
      if (value(rule.must, s, t) == 0) return false;
    }
    return true;
  }

  void packet(std::uint32_t s, std::optional<std::uint32_t> t) const {
    CAPTURE(s);
    const auto chunk = collective_.chunk({s, t, 0});
    const bool told = t != s && named(s, t.value_or(0));
    CHECK(chunk.has_value() == told);
    if (!chunk) return;
    for (std::uint32_t p = 0; p < collective_.processors(); ++p) {
      CAPTURE(p);
      CHECK(collective_.starts_at(*chunk, NodeId(p)) == (p == s));
      CHECK(collective_.demand(*chunk, NodeId(p)).has_value() == (t ? p == *t : p != s));
    }
  }

  // Where the schedule says nothing and there is such a packet, it is the one told; else a rule fails.
  void default_packet(std::uint32_t s, std::uint32_t t) const {
    const auto origin = static_cast<std::uint32_t>(value(terms_.origin, s, t));
    const auto addressee = static_cast<std::uint32_t>(value(terms_.addressee, s, t));
    const auto chunk = collective_.default_chunk(s, t, 0);
    const bool exists = (terms_.for_everyone || origin != addressee) && named(origin, addressee);
    CHECK(chunk.has_value() == exists);
    if (!chunk) return;
    const ChunkName name = collective_.name(*chunk);
    CHECK(name.origin == origin);
    CHECK(name.target == (terms_.for_everyone ? std::nullopt : std::optional(addressee)));
  }

  const CollectiveTerms& terms_;
  const Collective& collective_;
};

TEST_CASE("a collective's terms are what the collective is, at every small size and for every root") {
  int compared = 0;
  for (const auto& family : standard_families().collectives) {
    const auto terms = family->terms();
    if (!terms) continue;
    CAPTURE(family->facts().name);
    ++compared;
    for (std::uint32_t n = 1; n <= 6; ++n) {
      for (std::uint32_t root = 0; root < (family->facts().rooted ? n : 1); ++root) {
        const Collective collective = collective_of(*family, root, n);
        Comparison(*terms, collective).run();
      }
    }
  }
  CHECK(compared == 5);
}

TEST_CASE("what is wanted of those that combine is what the collective wants, at every small size") {
  int compared = 0;
  for (const auto& family : standard_families().collectives) {
    const auto terms = family->reduction_terms();
    if (!terms) continue;
    CAPTURE(family->facts().name);
    CHECK_FALSE(family->terms().has_value());
    ++compared;
    for (std::uint32_t n = 1; n <= 5; ++n) {
      for (std::uint32_t root = 0; root < (family->facts().rooted ? n : 1); ++root) {
        for (std::uint32_t parts = 1; parts <= (family->facts().name == "barrier" ? 1U : 3U); ++parts) {
          const Collective collective = collective_of(*family, root, n, parts);
          const auto value_of = [&](const Term& term, std::uint32_t value, std::uint32_t processor) {
            return evaluate(term, {{n, root, parts}, value, processor, 0});
          };
          REQUIRE(value_of(terms->values, 0, 0) == collective.values());
          for (std::uint32_t value = 0; value < collective.values(); ++value) {
            for (std::uint32_t p = 0; p < n; ++p) {
              const auto wanted = collective.wanted_contributions(value, NodeId(p));
              CHECK(wanted.has_value() == (value_of(terms->wanted, value, p) != 0));
              if (!wanted) continue;
              CHECK(wanted->first == 0);
              CHECK(wanted->second == value_of(terms->last, value, p));
            }
          }
        }
      }
    }
  }
  CHECK(compared == 5);
}

TEST_CASE("of a packet for one processor, the terms of the dual are these with source and target exchanged") {
  for (const auto& family : standard_families().collectives) {
    const auto terms = family->terms();
    const auto dual = family->dual();
    if (!terms || terms->for_everyone || !dual) continue;
    const auto mirrored = dual->family().terms();
    REQUIRE(mirrored.has_value());
    for (std::int64_t s = 0; s < 4; ++s) {
      for (std::int64_t t = 0; t < 4; ++t) {
        const auto all = [](const CollectiveTerms& of, std::int64_t from, std::int64_t to) {
          bool result = true;
          for (const PacketRule& rule : of.rules) result = result && evaluate(rule.must, {{4, 1}, from, to, 0}) != 0;
          return result;
        };
        CHECK(all(*terms, s, t) == all(*mirrored, t, s));
      }
    }
  }
}

}  // namespace
}  // namespace quadrille
