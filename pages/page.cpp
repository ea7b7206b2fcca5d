// The page is written from its head down: the policy, the style, the data, the painters, which CMake has put one after
// another (web.h). What comes from outside stands in script elements of no language, or in text, and is escaped.
#include "pages/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "pages/web.h"

namespace quadrille::pages {
namespace {

constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

std::string replaced(std::string_view text, char what, std::string_view by) {
  std::string result;
  result.reserve(text.size());
  for (const char each : text) {
    if (each == what) {
      result += by;
    } else {
      result += each;
    }
  }
  return result;
}

// JSON as it may stand in a script element: the same value.
std::string enclosed(std::string_view json) { return replaced(json, '<', "\\u003c"); }

// Text as it may stand in an element, or in a quoted attribute.
std::string as_html(std::string_view text) {
  return replaced(replaced(replaced(text, '&', "&amp;"), '<', "&lt;"), '"', "&quot;");
}

std::string block(std::string_view id, std::string_view json) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, enclosed(json));
}

std::string about(const PageParts& parts) {
  const nlohmann::ordered_json json{{"kind", parts.kind}, {"title", parts.title}, {"command", parts.command}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string head(const PageParts& parts) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n",
      policy, as_html(parts.title), web_style());
}

}  // namespace

std::string page(const PageParts& parts) {
  std::string text = head(parts);
  text += fmt::format(
      "<body>\n<header><h1>{}</h1></header>\n<main id=\"page\"></main>\n"
      "<noscript><p>The pictures need JavaScript; this is the report.</p></noscript>\n"
      "<details id=\"report\"><summary>The report as text</summary><pre>{}</pre></details>\n",
      as_html(parts.title), as_html(parts.text));
  text += block("about", about(parts));
  text += block("outcome", parts.outcome);
  for (const PageBlock& each : parts.blocks) text += block(each.id, each.json);
  for (const std::string_view script : web_scripts()) text += fmt::format("<script>\n{}</script>\n", script);
  return text + "</body>\n</html>\n";
}

}  // namespace quadrille::pages
