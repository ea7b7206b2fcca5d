// The library takes the last of several equal keys. Here the keys of every open object are kept, and the second of
// two equal keys is a fault: `{"links": [], "links": [[0, 1]]}` at the byte where its name ends.
#include "model/text/read_json.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "model/text/printable.h"
#include "model/text/tracked_iterator.h"

namespace quadrille {
namespace {

using Json = nlohmann::json;

// The library's words without its own prefix: "unexpected end of input; expected '['".
std::string reason(const Json::exception& exception) {
  const std::string_view words = exception.what();
  const std::size_t dash = words.find(" - ");
  if (dash != std::string_view::npos) return std::string(words.substr(dash + 3));
  const std::size_t bracket = words.find("] ");
  return std::string(bracket == std::string_view::npos ? words : words.substr(bracket + 2));
}

}  // namespace

std::uint64_t whole_number(const Json& json, const std::string& place) {
  constexpr std::uint64_t most = 1'000'000'000;
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most)
    throw JsonRefusal{fmt::format("{} is no whole number up to {}", place, most)};
  return json.get<std::uint64_t>();
}

JsonRead read_json(std::string_view text, const std::function<void()>& each) {
  const char* at = text.data();
  const char* end = text.data() + text.size();
  std::vector<std::set<std::string>> open;  // the keys of the objects that are open, outermost first
  const auto byte_before = [&](const char* next) {
    return next == text.data() ? 0 : static_cast<std::size_t>(next - text.data() - 1);
  };
  const auto see = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      if (!open.back().insert(name).second) throw JsonRefusal{fmt::format("a second \"{}\"", printable(name))};
    }
    if (each) each();
    return true;
  };
  try {
    return {Json::parse(TrackedIterator(text.data(), &at), TrackedIterator(end, &at), see), std::nullopt};
  } catch (const JsonRefusal& second_key) {
    return {{}, JsonFault{JsonFault::Kind::second_key, byte_before(at), second_key.why}};
  } catch (const Json::parse_error& error) {
    return {{}, JsonFault{JsonFault::Kind::syntax, error.byte == 0 ? 0 : error.byte - 1, reason(error)}};
  } catch (const Json::exception& error) {
    return {{}, JsonFault{JsonFault::Kind::large_number, byte_before(at), reason(error)}};
  }
}

}  // namespace quadrille
