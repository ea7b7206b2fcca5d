// Reads with expat, which reports lines and columns and keeps nothing: elements are taken as they begin. A file that
// declares a document type is refused before any of its entities could grow.
#include "programs/msccl/xml.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille::programs {
namespace {

// --- errors --------------------------------------------------------------------------------------------------------

// The executors' own XML reader fails to read some text, though it is XML.
//
// The three executors share a small XML reader of their own (mscclXmlGetNode, mscclXmlGetToken, mscclXmlGetValue).
// Between tags it skips blanks and line ends only; in a tag it skips blanks only; it ends a value at the next double
// quote, does not decode entities, and knows no declaration. This code walks over the text as that reader does, in
// states:
//   <algo a="1"␣b="2">⏎ <gpu …     a tab after the blank would end it with an error.

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

// The first error of each kind. Requires a text that is well-formed XML. Cost: linear.
std::vector<MscclReadError> xml_read_errors(std::string_view text, std::uint32_t source) {
  return ReadErrorWalk(text, source).read_errors();
}

// --- reading -------------------------------------------------------------------------------------------------------

constexpr int deepest = 16;  // elements in one another; the format has four
constexpr std::int64_t most_ranks = 65536;
constexpr std::size_t longest_text = std::size_t{1} << 30;

struct StepWord {
  std::string_view name;
  std::optional<Kind> kind;
};
constexpr std::array<StepWord, 10> step_words = {{{"nop", std::nullopt},
                                                  {"s", Kind::send},
                                                  {"r", Kind::receive},
                                                  {"rcs", Kind::receive_copy_send},
                                                  {"rrs", Kind::receive_reduce_send},
                                                  {"rrc", Kind::receive_reduce_copy},
                                                  {"rrcs", Kind::receive_reduce_copy_send},
                                                  {"cpy", Kind::copy},
                                                  {"re", Kind::reduce},
                                                  {"ra", std::nullopt}}};

class MscclReader {
 public:
  MscclReader(const Source& source, std::uint32_t index, const Limits& limits)
      : text_(source.text), index_(index), limits_(limits), parser_(XML_ParserCreate(nullptr)) {}
  ~MscclReader() { XML_ParserFree(parser_); }
  MscclReader(const MscclReader&) = delete;
  MscclReader& operator=(const MscclReader&) = delete;

  Result<MscclFile> read() {
    if (text_.size() > longest_text) return error_at({}, "a file of more than a gigabyte", Code::limit);
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, begins, ends);
    XML_SetStartDoctypeDeclHandler(parser_, declares);
    const auto status = XML_Parse(parser_, text_.data(), static_cast<int>(text_.size()), XML_TRUE);
    if (!wrong_.empty()) return wrong_;
    if (status != XML_STATUS_OK) return error_at(here(), reason(XML_GetErrorCode(parser_)), Code::syntax);
    if (!seen_) return error_at(here(), "expected an element algo", Code::syntax);
    return finished();
  }

 private:
  static void XMLCALL begins(void* self, const XML_Char* name, const XML_Char** attributes) {
    static_cast<MscclReader*>(self)->begin(name, attributes);
  }
  static void XMLCALL ends(void* self, const XML_Char*) { --static_cast<MscclReader*>(self)->depth_; }
  static void XMLCALL declares(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    auto* reader = static_cast<MscclReader*>(self);
    reader->fail(reader->here(), "a document type is declared, and MSCCL XML has none", Code::syntax);
  }

  static std::string reason(XML_Error code) {
    if (code == XML_ERROR_NO_ELEMENTS) return "the file ends before its first element does";
    return fmt::format("not XML: {}", XML_ErrorString(code));
  }

  Span here() const {
    const auto at = std::clamp<XML_Index>(XML_GetCurrentByteIndex(parser_), 0, static_cast<XML_Index>(text_.size()));
    const auto begin = static_cast<std::uint32_t>(at);
    const auto length = static_cast<std::uint32_t>(std::max(XML_GetCurrentByteCount(parser_), 0));
    return {index_, begin, std::min(begin + length, static_cast<std::uint32_t>(text_.size()))};
  }

  void fail(Span span, std::string message, Code code) {
    if (wrong_.empty()) wrong_.push_back(error_at(span, std::move(message), code));
    XML_StopParser(parser_, XML_FALSE);
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    if (!wrong_.empty()) return;
    const Reason reason = (++elements_ & 4095) == 0 ? limits_.reached() : Reason::none;
    if (reason != Reason::none) {
      return fail(here(), fmt::format("the file has not been read to its end: {}", to_string(reason)), code_of(reason));
    }
    if (++depth_ > deepest) return fail(here(), "elements are nested too deeply", Code::syntax);
    attributes_ = attributes;
    element_ = name;
    if (name == "algo" && depth_ == 1) return algo();
    if (depth_ == 1) return fail(here(), fmt::format("expected an element algo, not {}", name), Code::syntax);
    if (name == "gpu" && depth_ == 2) return gpu();
    if (name == "tb" && depth_ == 3 && !file_.members.empty()) return block();
    if (name == "step" && depth_ == 4 && !file_.members.empty() && !file_.members.back().blocks.empty()) return step();
    if (name == "gpu" || name == "tb" || name == "step" || name == "algo") {
      fail(here(), fmt::format("{} does not stand in the element that it belongs to", name), Code::syntax);
    }
  }

  std::optional<std::string_view> find(std::string_view key) const {
    for (const XML_Char** it = attributes_; *it != nullptr; it += 2) {
      if (key == *it) return std::string_view(it[1]);
    }
    return std::nullopt;
  }

  std::string_view word(std::string_view key) {
    const auto found = find(key);
    if (!found) fail(here(), fmt::format("{} has no {}", element_, key), Code::missing);
    return found.value_or("");
  }

  // Parses a number. Executors read numbers as C does: they read 010 as eight.
  std::int64_t parsed(std::string_view key, std::string_view text, std::int64_t least, std::int64_t most) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
      fail(here(), fmt::format("{}: expected a whole number, not `{}`", key, shortened(text)), Code::type);
    } else if (error != std::errc() || number < least || number > most) {
      fail(here(), fmt::format("{}={}: expected {} to {}", key, shortened(text), least, most), Code::range);
    } else if (digits.size() > 1 && digits.front() == '0') {
      fail(here(), fmt::format("{}={}: executors read a number that begins with 0 as octal", key, text), Code::range);
    }
    return std::clamp(number, least, most);
  }
  static std::string shortened(std::string_view text) {
    return text.size() <= 40 ? std::string(text) : fmt::format("{}…", text.substr(0, 40));
  }
  std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most = 2147483647) {
    const auto text = find(key);
    if (!text) return fail(here(), fmt::format("{} has no {}", element_, key), Code::missing), least;
    return parsed(key, *text, least, most);
  }
  std::optional<std::int64_t> bytes(std::string_view key) {
    const auto text = find(key);
    if (!text) return std::nullopt;
    return parsed(key, *text, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  }

  void algo() {
    seen_ = true;
    file_.span = here();
    file_.name = find("name").value_or("");
    const std::string_view protocol = word("proto");
    if (const auto known = protocol_of(protocol)) {
      file_.protocol = *known;
    } else {
      fail(here(), fmt::format("proto: expected Simple, LL or LL128, not `{}`", shortened(protocol)), Code::name);
    }
    file_.collective = word("coll");
    file_.channels = number("nchannels", 1);
    file_.chunks = number("nchunksperloop", 1);
    file_.ranks = number("ngpus", 1, most_ranks);
    file_.in_place = number("inplace", 0, 1) == 1;
    if (find("outofplace")) file_.out_of_place = number("outofplace", 0, 1) == 1;
    file_.least_bytes = bytes("minBytes");
    file_.most_bytes = bytes("maxBytes");
    ranks_.assign(static_cast<std::size_t>(file_.ranks), false);
  }

  void gpu() {
    MscclRank rank;
    rank.span = here();
    rank.id = number("id", 0);
    rank.input_chunks = number("i_chunks", 0);
    rank.output_chunks = number("o_chunks", 0);
    rank.scratch_chunks = number("s_chunks", 0);
    if (!wrong_.empty()) return;
    if (rank.id >= file_.ranks) {
      return fail(rank.span, fmt::format("gpu {} of {}: they are numbered from 0", rank.id, file_.ranks), Code::range);
    }
    if (ranks_[static_cast<std::size_t>(rank.id)]) {
      return fail(rank.span, fmt::format("gpu {} is there twice", rank.id), Code::duplicate);
    }
    ranks_[static_cast<std::size_t>(rank.id)] = true;
    file_.members.push_back(std::move(rank));
    blocks_.clear();
  }

  void block() {
    MscclBlock it;
    it.span = here();
    it.id = number("id", 0, 65535);
    it.send = number("send", -1);
    it.receive = number("recv", -1);
    it.channel = number("chan", 0, 65535);
    if (!wrong_.empty()) return;
    if (!blocks_.insert(it.id).second) {
      return fail(it.span, fmt::format("thread block {} of gpu {} is there twice", it.id, file_.members.back().id),
                  Code::duplicate);
    }
    file_.members.back().blocks.push_back(std::move(it));
  }

  Space space(std::string_view key) {
    const std::string_view name = word(key);
    if (name == "i") return Space::input;
    if (name == "o") return Space::output;
    if (name != "s") fail(here(), fmt::format("{}: expected i, o or s, not `{}`", key, shortened(name)), Code::name);
    return Space::scratch;
  }

  void step() {
    constexpr std::int64_t least = -2147483648;
    MscclStep it;
    it.span = here();
    const std::string_view type = word("type");
    const auto known =
        std::find_if(step_words.begin(), step_words.end(), [&](const StepWord& each) { return each.name == type; });
    if (known == step_words.end()) {
      return fail(here(), fmt::format("type: no step is called `{}`", shortened(type)), Code::name);
    }
    it.kind = known->kind;
    it.adds_result = type == "ra";
    it.s = number("s", least);
    it.source = space("srcbuf");
    it.source_offset = number("srcoff", least);
    it.target = space("dstbuf");
    it.target_offset = number("dstoff", least);
    it.count = number("cnt", least);
    it.depends_on_block = number("depid", least);
    it.depends_on_step = number("deps", least);
    it.has_dependence = number("hasdep", least);
    file_.members.back().blocks.back().steps.push_back(it);
  }

  MscclFile finished() {
    std::sort(file_.members.begin(), file_.members.end(),
              [](const MscclRank& a, const MscclRank& b) { return a.id < b.id; });
    file_.read_errors = xml_read_errors(text_, index_);
    return std::move(file_);
  }

  std::string_view text_;
  std::uint32_t index_;
  const Limits& limits_;
  XML_Parser parser_;
  MscclFile file_ = {};
  Diagnostics wrong_ = {};
  std::vector<bool> ranks_ = {};
  std::set<std::int64_t> blocks_ = {};  // of the last rank
  const XML_Char** attributes_ = nullptr;
  std::string element_ = {};
  std::size_t elements_ = 0;
  int depth_ = 0;
  bool seen_ = false;
};

}  // namespace

std::string_view word_of(const MscclStep& step) {
  return step.adds_result ? step_words.back().name : std::ranges::find(step_words, step.kind, &StepWord::kind)->name;
}

bool is_msccl_xml(std::string_view beginning) {
  if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
  if (beginning.starts_with("\xff\xfe<") || beginning.starts_with(std::string_view("\xfe\xff\0<", 4))) return true;
  const auto start = beginning.find_first_not_of(" \t\r\n");
  return start != beginning.npos && beginning[start] == '<';
}

Result<MscclFile> read_msccl_xml(const Source& source, std::uint32_t index, const Limits& limits) {
  return MscclReader(source, index, limits).read();
}

}  // namespace quadrille::programs
