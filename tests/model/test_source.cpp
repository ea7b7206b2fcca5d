#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "model/text/source.h"
#include "model/verdict.h"

namespace {

using namespace quadrille;

// The reference: character by character from the start.
Position walk_to(std::string_view text, std::uint32_t offset) {
  Position position;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    position = text[i] == '\n' ? Position{position.line + 1, 1} : Position{position.line, position.column + 1};
  }
  return position;
}

}  // namespace

TEST_CASE("lines and columns count from 1") {
  CHECK(position_of("", 0) == Position{1, 1});
  CHECK(position_of("ab\ncd", 0) == Position{1, 1});
  CHECK(position_of("ab\ncd", 2) == Position{1, 3});
  CHECK(position_of("ab\ncd", 3) == Position{2, 1});
  CHECK(position_of("ab\ncd", 5) == Position{2, 3});
  CHECK(position_of("ab\n", 3) == Position{2, 1});
}

TEST_CASE("an offset beyond the text is its end") { CHECK(position_of("ab\ncd", 4000000000U) == Position{2, 3}); }

TEST_CASE("columns count characters, not bytes") {
  const std::string_view text = "\xc3\xa9\xe2\x86\x92x";  // é, →, x
  CHECK(position_of(text, 0).column == 1);
  CHECK(position_of(text, 1).column == 1);  // inside the é
  CHECK(position_of(text, 2).column == 2);
  CHECK(position_of(text, 4).column == 2);  // inside the →
  CHECK(position_of(text, 5).column == 3);
  CHECK(position_of(text, 6).column == 4);
}

TEST_CASE("positions of plain text are found by walking") {
  CHECK(rc::check("position_of is walk_to", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ' ', '\n', '\r'));
    const auto offset = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(text.size()) + 2);
    RC_ASSERT(position_of(text, offset) == walk_to(text, offset));
  }));
}

TEST_CASE("the smallest span that covers two") {
  const Span a{0, 3, 5};
  const Span b{0, 4, 9};
  CHECK(cover(a, b) == Span{0, 3, 9});
  CHECK(cover(b, a) == Span{0, 3, 9});
  CHECK(cover(a, {}) == a);
  CHECK(cover({}, a) == a);
  CHECK_FALSE(cover({}, {}).known());
  CHECK(cover(a, {1, 0, 2}) == a);  // of another source
}

TEST_CASE("verdicts join to the worse, and unknown is not violated") {
  using enum Verdict;
  for (const Verdict verdict : {holds, violated, unknown}) {
    CHECK(both(verdict, holds) == verdict);
    CHECK(both(verdict, violated) == violated);
    CHECK(both(violated, verdict) == violated);
    CHECK(both(verdict, verdict) == verdict);
  }
  CHECK(both(unknown, holds) == unknown);
  CHECK(to_string(unknown) == "unknown");
  CHECK(to_string(holds) == "holds");
  CHECK(to_string(violated) == "violated");
  CHECK(exit_status(holds) == 0);
  CHECK(exit_status(violated) == 1);
  CHECK(exit_status(unknown) == 3);
}
