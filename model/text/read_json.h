// JSON as every reader takes it: a key stands in an object once.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

// Why a text is no JSON that can be read, and where: the byte, where it is known.
struct JsonFault {
  enum class Kind : std::uint8_t { syntax, second_key, large_number };
  Kind kind = Kind::syntax;
  std::optional<std::size_t> byte = {};
  std::string why = {};  // "unexpected end of input; …", "a second \"links\"", "number overflow …"
};

struct JsonRead {
  nlohmann::json value = {};
  std::optional<JsonFault> fault = {};
};

// The value, or the first fault. Calls `each` with every value, which may throw what ends the reading. Cost: linear,
// times the logarithm of an object's keys.
JsonRead read_json(std::string_view text, const std::function<void()>& each = {});

}  // namespace quadrille
