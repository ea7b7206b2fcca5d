// The notation of collectives: `scatter:root=3,parts=2`, `reduce:root=0,ordered`, `allreduce:idempotent`,
// `custom:{"chunks":[…]}`.
//
// The notation is a name or alias, a colon, and arguments between commas; blanks around each do not matter. A custom
// collective has JSON after the colon; its first fault is reported. Written notation is read back as the same
// collective. Cost: linear in the text.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/collective_family.h"
#include "model/families.h"
#include "model/text/number_in.h"
#include "model/text/read_json.h"

namespace quadrille {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // what is written

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format("; did you mean `{}`?", *near) : std::string();
}

// --- custom:{…} ---------------------------------------------------------------------------------------------------

OrderedJson to_json(const CustomChunk& chunk) {
  OrderedJson json;
  json["origin"] = chunk.name.origin;
  json["target"] = chunk.name.target ? OrderedJson(*chunk.name.target) : OrderedJson("*");
  json["part"] = chunk.name.part;
  json["held_by"] = chunk.held_by;
  json["wanted_by"] = chunk.wanted_by;
  return json;
}

// Reads the object after `custom:`. The first fault is kept in `fault`; later readings then mean nothing.
class CustomReader {
 public:
  explicit CustomReader(std::uint32_t processors) : processors_(processors) {}

  std::string fault;

  std::vector<CustomChunk> chunks(const Json& json) {
    std::vector<CustomChunk> result;
    if (!json.is_object() || json.size() != 1 || !json.contains("chunks") || !json["chunks"].is_array()) {
      fault = "a custom collective is written {\"chunks\":[…]}";
      return result;
    }
    for (const auto& element : json["chunks"]) {
      if (fault.empty()) result.push_back(chunk(element, result.size()));
    }
    return result;
  }

 private:
  CustomChunk chunk(const Json& json, std::size_t index) {
    CustomChunk result;
    place_ = fmt::format("chunk number {} of the list", index + 1);
    if (!json.is_object() || !json.contains("origin")) {
      blame("an object with an \"origin\" is expected");
      return result;
    }
    for (const auto& [key, value] : json.items()) {
      if (key == "origin") {
        result.name.origin = number(key, value);
      } else if (key == "target") {
        if (value != "*" && !value.is_null()) result.name.target = number(key, value);
      } else if (key == "part") {
        result.name.part = number(key, value);
      } else if (key == "held_by") {
        result.held_by = numbers(key, value);
      } else if (key == "wanted_by") {
        result.wanted_by = numbers(key, value);
      } else {
        static const std::vector<std::string> keys = {"origin", "target", "part", "held_by", "wanted_by"};
        blame(fmt::format("unknown key \"{}\"{}", key, suggestion(key, keys)));
      }
    }
    if (!json.contains("held_by")) result.held_by = {result.name.origin};
    if (!json.contains("wanted_by")) result.wanted_by = targets(result.name);
    return result;
  }

  std::vector<std::uint32_t> targets(const ChunkName& name) const {
    if (name.target) return {*name.target};
    std::vector<std::uint32_t> everyone(processors_);
    for (std::uint32_t p = 0; p < processors_; ++p) everyone[p] = p;
    return everyone;
  }

  std::uint32_t number(std::string_view key, const Json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffff) {
      blame(fmt::format("\"{}\" is not a number below 2^32", key));
      return 0;
    }
    return value.get<std::uint32_t>();
  }

  std::vector<std::uint32_t> numbers(std::string_view key, const Json& value) {
    std::vector<std::uint32_t> result;
    if (!value.is_array()) blame(fmt::format("\"{}\" is not a list of processors", key));
    if (value.is_array())
      for (const auto& element : value) result.push_back(number(key, element));
    return result;
  }

  void blame(std::string_view what) {
    if (fault.empty()) fault = fmt::format("{}: {}", place_, what);
  }

  std::uint32_t processors_;
  std::string place_;
};

// --- reading ------------------------------------------------------------------------------------------------------

class CollectiveNotationReader {
 public:
  CollectiveNotationReader(std::string_view text, std::uint32_t source_number, std::uint32_t processors,
                           const Families& families)
      : text_(text), source_(source_number), processors_(processors), families_(families) {}

  Result<Collective> read() {
    const std::size_t begin = std::min(text_.find_first_not_of(' '), text_.size());
    const std::size_t colon = std::min(text_.find(':', begin), text_.size());
    const auto word = trimmed(begin, colon);
    const auto kind = collective_kind(text_of(word), families_);
    if (!kind) return unknown_kind(word);
    description_.kind = *kind;
    if (colon == text_.size() && kind->facts().chunks_given)
      return error_at(word, "a custom collective lists its chunks: custom:{\"chunks\":[…]}", Code::syntax);
    if (colon == text_.size()) return make();
    if (kind->facts().chunks_given) return custom(colon + 1);
    for (std::size_t at = colon + 1; at <= text_.size() && errors_.empty();) {
      const std::size_t comma = std::min(text_.find(',', at), text_.size());
      argument(trimmed(at, comma));
      at = comma + 1;
    }
    return make();
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  std::string_view text_of(Span span) const { return text_.substr(span.begin, span.end - span.begin); }

  Span trimmed(std::size_t begin, std::size_t end) const {
    while (begin < end && text_[begin] == ' ') ++begin;
    while (end > begin && text_[end - 1] == ' ') --end;
    return span(begin, end);
  }

  Result<Collective> make() {
    if (!errors_.empty()) return errors_;
    return Collective::make(std::move(description_), processors_, span(0, text_.size()));
  }

  Diagnostic unknown_kind(Span word) const {
    if (word.begin == word.end)
      return error_at(word, "no collective is named here; expected, for example, broadcast", Code::syntax);
    std::vector<std::string> names;
    for (const auto& family : families_.collectives) {
      names.push_back(family->facts().name);
      names.insert(names.end(), family->facts().aliases.begin(), family->facts().aliases.end());
    }
    const std::string near = suggestion(text_of(word), names);
    const std::string usual = fmt::format("; expected {}", fmt::join(collective_names(families_), ", "));
    return error_at(word, fmt::format("unknown collective `{}`{}", text_of(word), near.empty() ? usual : near),
                    Code::name);
  }

  Result<Collective> custom(std::size_t begin) {
    const JsonRead json = read_json(text_.substr(begin));
    if (json.fault) return json_fault(*json.fault, begin);
    CustomReader reader(processors_);
    description_.chunks = reader.chunks(json.value);
    if (!reader.fault.empty()) return error_at(span(begin, text_.size()), reader.fault, Code::syntax);
    return make();
  }

  Diagnostic json_fault(const JsonFault& fault, std::size_t begin) const {
    if (fault.kind == JsonFault::Kind::large_number)
      return error_at(span(begin, text_.size()), "a number of the custom collective is too large", Code::syntax);
    const std::size_t at = std::min(text_.size(), begin + fault.byte.value_or(0));
    return error_at(
        span(at, std::min(at + 1, text_.size())),
        fault.kind == JsonFault::Kind::second_key ? fault.why : "the custom collective is not correct JSON here",
        Code::syntax);
  }

  // One of `root=3`, `parts=2`, `ordered`, `idempotent`; `operation=ordered` is the same as the word alone.
  void argument(Span at) {
    const auto text = text_of(at);
    const std::size_t equals = text.find('=');
    const auto key = trimmed(at.begin, at.begin + std::min(equals, text.size()));
    const auto name = text_of(key);
    if (std::string fault = fault_of_argument(description_.kind.facts(), name); !fault.empty())
      return blame(key, std::move(fault), Code::name);
    if (name == "operation" && equals != text.npos) return operation(trimmed(at.begin + equals + 1, at.end));
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end())
      return blame(key, fmt::format("`{}` is given twice", name));
    seen_.push_back(name);
    if (const auto operation = operation_named(name)) {
      if (description_.operation != Operation::commutative) blame(key, "the operation is either ordered or idempotent");
      description_.operation = *operation;
      if (equals != text.npos) blame(at, fmt::format("`{}` takes no value", name));
    } else if (equals == text.npos) {
      blame(at, fmt::format("`{}` needs a value: {}=…", name, name));
    } else {
      auto& field = name == "root" ? description_.root : description_.parts;
      number(trimmed(at.begin + equals + 1, at.end), field);
    }
  }

  void operation(Span at) {
    const auto named = operation_named(text_of(at));
    if (!named) return blame(at, fmt::format("`{}`; expected commutative, ordered or idempotent", text_of(at)));
    argument(at);
  }

  void number(Span at, std::uint32_t& result) {
    const auto text = text_of(at);
    const auto number = number_in<std::uint32_t>(text);
    if (!number) return blame(at, fmt::format("`{}` is not a number below 2^32", text));
    result = *number;
  }

  void blame(Span at, std::string message, Code code = Code::syntax) {
    errors_.push_back(error_at(at, std::move(message), code));
  }

  std::string_view text_;
  std::uint32_t source_;
  std::uint32_t processors_;
  const Families& families_;
  CollectiveDescription description_;
  std::vector<std::string_view> seen_;
  Diagnostics errors_;
};

}  // namespace

std::string Collective::notation() const {
  const auto& it = description();
  if (it.kind.facts().chunks_given) {
    OrderedJson list = OrderedJson::array();
    for (const auto& chunk : it.chunks) list.push_back(to_json(chunk));
    OrderedJson json;
    json["chunks"] = std::move(list);
    return fmt::format("custom:{}", json.dump());
  }
  std::vector<std::string> arguments;
  if (rooted()) arguments.push_back(fmt::format("root={}", it.root));
  if (it.parts != 1) arguments.push_back(fmt::format("parts={}", it.parts));
  const CollectiveFacts& facts = it.kind.facts();
  const bool usual = facts.always_idempotent || it.operation == Operation::commutative ||
                     (facts.always_ordered && it.operation == Operation::ordered);
  if (!usual) arguments.emplace_back(to_string(it.operation));
  const auto kind = to_string(it.kind);
  return arguments.empty() ? std::string(kind) : fmt::format("{}:{}", kind, fmt::join(arguments, ","));
}

Result<Collective> parse_collective(const Source& source, std::uint32_t source_number, std::uint32_t processors,
                                    const Families& families) {
  return CollectiveNotationReader(source.text, source_number, processors, families).read();
}

}  // namespace quadrille
