// The file that a page is: whatever its parts say, its elements end where they should, and the library in it is the one
// that it is said to be.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "pages/page.h"
#include "pages/web.h"

namespace quadrille::pages {
namespace {

TEST_CASE("JSON and text that name elements stay data") {
  const std::string evil = "</script><script>evil()</script><!--";
  const nlohmann::json json{{"name", evil}};
  const std::string html = page({evil, "check", evil, json.dump(), evil, {{"rows", json.dump()}}});
  CHECK(html.find("<script>evil") == std::string::npos);
  CHECK(html.find("<!--") == std::string::npos);
  const std::string begin = "id=\"rows\">";
  const std::size_t from = html.find(begin) + begin.size();
  CHECK(nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from)) == json);
}

TEST_CASE("scripts and style hold nothing that ends their element, and ask for nothing from elsewhere") {
  for (const std::string_view script : web_scripts()) {
    CHECK(script.find("</script") == std::string_view::npos);
    CHECK(script.find("<!--") == std::string_view::npos);
    CHECK(script.size() > 1000);
  }
  CHECK(web_style().find("</") == std::string_view::npos);
  CHECK(web_style().find("url(") == std::string_view::npos);
  CHECK(web_scripts()[1].find("fetch(") == std::string_view::npos);
  CHECK(web_scripts()[1].find("innerHTML") == std::string_view::npos);
}

TEST_CASE("the embedded library is the file that lies beside it") {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/pages/web/d3.v7.min.js", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(web_scripts()[0] == text);
}

}  // namespace
}  // namespace quadrille::pages
