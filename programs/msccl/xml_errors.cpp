// The three executors share a small XML reader of their own (mscclXmlGetNode, mscclXmlGetToken, mscclXmlGetValue).
// Between tags it skips blanks and line ends only; in a tag it skips blanks only; it ends a value at the next double
// quote, does not decode entities, and knows no declaration. This code walks over the text as that reader does, in
// states:
//   <algo a="1"␣b="2">⏎ <gpu …     a tab after the blank would end it with an error.
#include "programs/msccl/xml_errors.h"

#include <array>

namespace quadrille::programs {
namespace {

constexpr std::size_t longest_value = 254;

class ReadErrorWalk {
 public:
  ReadErrorWalk(std::string_view text, std::uint32_t source) : text_(text), source_(source) {}

  std::vector<MscclReadError> read_errors() {
    if (text_.starts_with("\xef\xbb\xbf") || text_.find('\0') != text_.npos) {
      add(encoding, 0, "a byte order mark, or more than a byte to a character");
      return std::move(found_);
    }
    while (at_ < text_.size()) between();
    return std::move(found_);
  }

 private:
  enum Which : std::size_t { encoding, declaration, blank, content, line_end, quote, entity, length, kinds };

  void add(Which which, std::size_t at, const char* what) {
    if (seen_[which]) return;
    seen_[which] = true;
    const auto begin = static_cast<std::uint32_t>(at);
    found_.push_back(
        {std::string(what) + ": the executors' own XML reader does not get over it", {source_, begin, begin + 1}});
  }

  void between() {
    const char c = text_[at_];
    if (c != '<') {
      if (c == '\t') add(blank, at_, "a tab");
      if (c != '\t' && c != ' ' && c != '\n' && c != '\r') add(content, at_, "text between tags");
      ++at_;
    } else if (text_.substr(at_).starts_with("<!--")) {
      const std::size_t end = text_.find("-->", at_);
      at_ = end == text_.npos ? text_.size() : end + 3;
    } else if (text_.substr(at_).starts_with("<?") || text_.substr(at_).starts_with("<!")) {
      add(declaration, at_, "a declaration, an instruction or a section");
      const std::size_t end = text_.find('>', at_);
      at_ = end == text_.npos ? text_.size() : end + 1;
    } else {
      tag();
    }
  }

  void tag() {
    for (++at_; at_ < text_.size() && text_[at_] != '>'; ++at_) {
      const char c = text_[at_];
      if (c == '\t') add(blank, at_, "a tab");
      if (c == '\n' || c == '\r') add(line_end, at_, "a line end inside of a tag");
      if (c == '"' || c == '\'') value(c);
    }
    ++at_;
  }

  void value(char with) {
    const std::size_t begin = at_;
    if (with == '\'') add(quote, begin, "a value in single quotes");
    const std::size_t end = std::min(text_.find(with, begin + 1), text_.size());
    const std::string_view inside = text_.substr(begin + 1, end - begin - 1);
    if (inside.find('&') != inside.npos) add(entity, begin, "an entity");
    if (inside.size() > longest_value) add(length, begin, "a value of more than 254 characters");
    at_ = end;
  }

  std::string_view text_;
  std::uint32_t source_;
  std::size_t at_ = 0;
  std::array<bool, kinds> seen_ = {};
  std::vector<MscclReadError> found_ = {};
};

}  // namespace

std::vector<MscclReadError> xml_read_errors(std::string_view text, std::uint32_t source) {
  return ReadErrorWalk(text, source).read_errors();
}

}  // namespace quadrille::programs
