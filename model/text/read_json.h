// Reads JSON for every reader: each key of an object must occur once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/text/diagnostic.h"

namespace quadrille {

// The fault because of which a text is not readable JSON, and its byte, if it is known.
struct JsonFault {
  enum class Kind : std::uint8_t { syntax, second_key, large_number };
  Kind kind = Kind::syntax;
  std::optional<std::size_t> byte = {};
  std::string why = {};  // "unexpected end of input; …", "a second \"links\"", "number overflow …"
};

// Thrown by readers of JSON where a text says what it must not, and caught by them.
struct JsonRefusal {
  std::string why;
  Code code = Code::syntax;
};

struct JsonRead {
  nlohmann::json value = {};
  std::optional<JsonFault> fault = {};
};

// A whole number up to 1000000000; `place` names it in the refusal. Throws JsonRefusal.
std::uint64_t whole_number(const nlohmann::json& json, const std::string& place);

// The value, or the first fault. Calls `each` with every value; `each` may throw to end the reading. Cost: linear,
// times the logarithm of an object's keys.
JsonRead read_json(std::string_view text, const std::function<void()>& each = {});

}  // namespace quadrille
