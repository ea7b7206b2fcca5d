// Reads messages from a list, line by line. Only the first error is reported, with its place.
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "model/text/number_in.h"
#include "runtime/router/traffic.h"

namespace quadrille {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Splits "1 2" and "1,2" in two; the second part is empty if there is only one word.
std::pair<std::string_view, std::string_view> halves(std::string_view line) {
  std::size_t at = line.find(',');
  if (at == line.npos) at = line.find_first_of(blanks);
  if (at == line.npos) return {line, {}};
  return {trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

class Reader {
 public:
  Reader(const Source& source, std::uint32_t number, std::uint32_t processors)
      : text_(source.text), number_(number), processors_(processors) {}

  Result<std::vector<RoutedMessage>> read() {
    bool first = true;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view line = trimmed(text_.substr(begin, end - begin));
      begin = end + 1;
      if (line.empty() || line.front() == '#') continue;
      const bool heading = first && (line == "from,to" || line == "from to");
      first = false;
      if (heading) continue;
      if (auto wrong = add(line)) return *std::move(wrong);
    }
    return std::move(messages_);
  }

 private:
  std::optional<Diagnostic> add(std::string_view line) {
    const auto [from, to] = halves(line);
    const auto source = number_in<std::uint32_t>(from);
    const auto target = number_in<std::uint32_t>(to);
    if (!source || !target) {
      return error_at(span(line), fmt::format("met '{}', expected two processors, such as '3,5'", line), Code::syntax);
    }
    if (*source >= processors_) return missing(from);
    if (*target >= processors_) return missing(to);
    messages_.push_back({*source, *target});
    return std::nullopt;
  }

  Diagnostic missing(std::string_view word) const {
    return error_at(span(word), fmt::format("there is no processor {}; expected 0 to {}", word, processors_ - 1),
                    Code::range);
  }

  Span span(std::string_view part) const {
    const auto begin = static_cast<std::uint32_t>(part.data() - text_.data());
    return {number_, begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  std::string_view text_;
  std::uint32_t number_;
  std::uint32_t processors_;
  std::vector<RoutedMessage> messages_;
};

}  // namespace

Result<std::vector<RoutedMessage>> read_traffic(const Source& source, std::uint32_t number, std::uint32_t processors) {
  return Reader(source, number, processors).read();
}

}  // namespace quadrille
