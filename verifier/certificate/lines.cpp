// All lines are known before any is read. For example `steps 3` is the piece `3`, by the word `steps`. Cost: a look at
// each character.
#include "verifier/certificate/lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::certificate {
namespace {

constexpr std::string_view title = "quadrille certificate ";

}  // namespace

bool Lines::sort() {
  if (!read_title()) return false;
  while (next_ < text_.size() && !text_.full()) sort_line(text_.take_line(next_));
  return true;
}

std::optional<TextPiece> Lines::line(const std::string& key) const {
  const auto found = lines_.find(key);
  return found == lines_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TextPiece> Lines::needed(const std::string& key, std::string_view form) {
  const auto found = line(key);
  if (!found) text_.report_error({text_.size(), text_.size()}, fmt::format("a line `{}` is missing", form));
  return found;
}

// Another version may mean anything by its lines.
bool Lines::read_title() {
  const TextPiece line = text_.take_line(next_);
  if (!text_.view(line).starts_with(title)) {
    text_.report_error(line, "this is not a certificate: the first line of one is `quadrille certificate 1`");
  } else if (text_.view(line).substr(title.size()) != "1") {
    text_.report_error(line, fmt::format("{}; this program reads version 1", text_.view(line)));
  }
  return text_.faults().empty();
}

void Lines::sort_line(TextPiece line) {
  work_.spend(line.end - line.begin + 1);
  if (line.begin == line.end || text_.view(line).front() == '#') return;
  TextPiece rest = line;
  const TextPiece word = text_.take_word(rest);
  const std::string key(text_.view(word));
  if (key == "price" || key == "group") {
    work_.take(1, 2 * sizeof(TextPiece));
    (key == "price" ? prices_ : groups_).push_back(rest);
    return;
  }
  static const std::vector<std::string> keys = {"fabric", "collective", "steps", "inject",  "paths",
                                                "phases", "evidence",   "about", "formula", "volume"};
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
    std::vector<std::string> known = keys;
    known.insert(known.end(), {"price", "group"});
    text_.report_error(word, fmt::format("unknown line `{}`{}", key, offer(key, known)));
  } else if (!lines_.emplace(key, rest).second) {
    text_.report_error(word, fmt::format("a second line `{}`", key));
  }
}

}  // namespace quadrille::certificate
