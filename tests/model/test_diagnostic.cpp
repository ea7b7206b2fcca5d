#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "model/text/diagnostic.h"

namespace {

using namespace quadrille;

std::string rendered(const std::string& text, std::uint32_t begin, std::uint32_t end) {
  return render(error_at({0, begin, end}, "wrong", Code::range), {{"file.qd", text}});
}

}  // namespace

TEST_CASE("a message shows its line and marks its span") {
  CHECK(rendered("one\ntwo three\nfour", 8, 13) ==
        "file.qd:2:5: error: wrong\n"
        "two three\n"
        "    ^~~~~\n");
}

TEST_CASE("a point is a caret, also at the end of a line and of the text") {
  CHECK(rendered("ab", 1, 1) == "file.qd:1:2: error: wrong\nab\n ^\n");
  CHECK(rendered("ab\ncd", 2, 2) == "file.qd:1:3: error: wrong\nab\n  ^\n");
  CHECK(rendered("ab\ncd", 5, 5) == "file.qd:2:3: error: wrong\ncd\n  ^\n");
  CHECK(rendered("ab", 99, 120) == "file.qd:1:3: error: wrong\nab\n  ^\n");
  CHECK(rendered("", 0, 0) == "file.qd:1:1: error: wrong\n\n^\n");
}

TEST_CASE("marks end with the line") {
  CHECK(rendered("ab\ncd\n", 1, 6) == "file.qd:1:2: error: wrong\nab\n ^\n");
  CHECK(rendered("abc\r\nd", 1, 6) == "file.qd:1:2: error: wrong\nabc\n ^~\n");
}

TEST_CASE("tabs stay tabs, characters of several bytes take one mark, control characters are not shown") {
  CHECK(rendered("\tx\tyz", 3, 5) == "file.qd:1:4: error: wrong\n\tx\tyz\n\t \t^~\n");
  CHECK(rendered("\xc3\xa9\xe2\x86\x92x", 2, 6) == "file.qd:1:2: error: wrong\n\xc3\xa9\xe2\x86\x92x\n ^~\n");
  CHECK(rendered("a\x1b[1mb", 0, 1) == "file.qd:1:1: error: wrong\na?[1mb\n^\n");
}

TEST_CASE("of a long line the part around the caret is shown") {
  const std::string text = rendered(std::string(5000, 'a') + "!" + std::string(5000, 'b'), 5000, 5001);
  CHECK(text == "file.qd:1:5001: error: wrong\n..." + std::string(60, 'a') + "!" + std::string(59, 'b') + "...\n   " +
                    std::string(60, ' ') + "^\n");
  const std::string begin = rendered(std::string(500, 'a'), 0, 400);
  CHECK(begin == "file.qd:1:1: error: wrong\n" + std::string(60, 'a') + "...\n^" + std::string(59, '~') + "\n");
}

TEST_CASE("without a place only the message is printed") {
  CHECK(render(error_at({}, "wrong", Code::range), {}) == "error: wrong\n");
  CHECK(render(error_at({7, 0, 0}, "wrong", Code::range), {}) == "error: wrong\n");
  CHECK(render(Diagnostic{Severity::warning, {}, "odd", {}}, {}) == "warning: odd\n");
}

TEST_CASE("notes follow, with their own lines") {
  Diagnostic diagnostic = error_at({0, 4, 5}, "twice", Code::range);
  diagnostic.notes = {{{0, 0, 1}, "first here"}, {{}, "no place"}};
  const std::string one =
      "f:2:1: error: twice\n"
      "a = 2\n"
      "^\n"
      "f:1:1: note: first here\n"
      "a=1\n"
      "^\n"
      "note: no place\n";
  const Sources sources{{"f", "a=1\na = 2"}};
  CHECK(render(diagnostic, sources) == one);
  CHECK(render(Diagnostics{diagnostic, diagnostic}, sources) == one + one);
}

TEST_CASE("rendering never fails, and its lines are whole") {
  CHECK(rc::check("any bytes, any span", [] {
    const auto text = *rc::gen::arbitrary<std::string>();
    const auto begin = *rc::gen::inRange<std::uint32_t>(0, 150);
    const auto end = *rc::gen::inRange<std::uint32_t>(0, 150);
    const std::string result = rendered(text, begin, end);
    RC_ASSERT(std::count(result.begin(), result.end(), '\n') == 3);
    RC_ASSERT(result.find('^') != std::string::npos);
  }));
}

TEST_CASE("the nearest word is offered if it is near") {
  const std::vector<std::string> words = {"capacity", "arity", "levels", "ring", "line"};
  CHECK(nearest("capcity", words) == "capacity");
  CHECK(nearest("Levels", words) == "levels");
  CHECK(nearest("rign", words) == "ring");
  CHECK(nearest("level", words) == "levels");
  CHECK(nearest("ring", words) == "ring");
  CHECK_FALSE(nearest("torus", words));
  CHECK_FALSE(nearest("", words));
  CHECK_FALSE(nearest("capacity", std::vector<std::string>{}));
  CHECK_FALSE(nearest("x", std::vector<std::string>{"y"}));  // nothing in common
  CHECK(nearest("bat", std::vector<std::string>{"cat", "hat"}) == "cat");
}

TEST_CASE("what is wrong is told from what has no answer by its code") {
  const Diagnostic mistake = error_at({}, "no such thing", Code::name);
  const Diagnostic late = error_at({}, "not done in time", Code::timeout);
  const Diagnostic large = error_at({}, "too large", code_of(Reason::limit));
  const Diagnostic warning{Severity::warning, {}, "odd", {}, Code::none};
  CHECK(reason_of(Diagnostics{}) == Reason::none);
  CHECK(reason_of({mistake}) == Reason::none);
  CHECK(reason_of({warning, large, late}) == Reason::limit);
  CHECK(reason_of({late, mistake}) == Reason::none);
  CHECK(render(late, {}) == "error: not done in time\n");
}
