// Text of somebody else's, made fit to be shown.
#include <doctest/doctest.h>

#include <string>

#include "model/text/diagnostic.h"
#include "model/text/printable.h"

namespace {

using namespace quadrille;

TEST_CASE("characters that move the cursor, break the line or are invisible are written out, all others stay") {
  CHECK(printable("plain: ö ∞ \"x\" \\") == "plain: ö ∞ \"x\" \\");
  CHECK(printable("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(printable("\x1b[2K\x7f") == "\\x1b[2K\\u007f");
  CHECK(printable("\xc2\x9b"
                  "2K") == "\\u009b2K");
  CHECK(printable("\xe2\x80\xae"
                  "abc") == "\\u202eabc");
  CHECK(printable("\xe2\x80\xa8|\xef\xbb\xbf|\xf3\xa0\x80\xa1") == "\\u2028|\\ufeff|\\udb40\\udc21");
  CHECK(printable(std::string("\0", 1)) == "\\x00");
}

TEST_CASE("bytes that are not UTF-8 are written out one by one") {
  CHECK(printable("\x9b"
                  "2K") == "\\x9b2K");
  CHECK(printable("\xc0\x8a") == "\\xc0\\x8a");
  CHECK(printable("\xe2\x80") == "\\xe2\\x80");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
}

TEST_CASE("what a file says breaks no line of a message, nor of the line that is shown") {
  const Sources sources{{"a\nb.txt", "say \x1b[31m\xc2\x9b x"}};
  const Diagnostic it = error_at({0, 4, 5}, "met `x\nerror: y\x1b[0m`", Code::name);
  CHECK(render(it, sources) == "a\\nb.txt:1:5: error: met `x\\nerror: y\\x1b[0m`\nsay ?[31m? x\n    ^\n");
}

}  // namespace
