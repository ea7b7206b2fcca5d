// Expat calls back at each tag; the elements that are open are a stack.
#include "machines/xml_tree.h"

#include <expat.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace quadrille::machines {
namespace {

constexpr std::size_t most_depth = 64;
constexpr std::size_t most_elements = 1'000'000;

class TreeReader {
 public:
  explicit TreeReader(const MachineFile& file) : file_(file), parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<TreeReader*>(self)->open(name, attributes);
        },
        [](void* self, const char*) { static_cast<TreeReader*>(self)->close(); });
    XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char*, const char*, const char*, int) {
      static_cast<TreeReader*>(self)->stop("a document type is not read");
    });
  }

  Result<XmlElement> read() {
    const auto status = XML_Parse(parser_.get(), file_.text.data(), static_cast<int>(file_.text.size()), 1);
    if (fault_) return *fault_;
    if (status != XML_STATUS_OK) {
      const auto at = XML_GetCurrentByteIndex(parser_.get());
      return file_.fault_at(at < 0 ? 0 : static_cast<std::size_t>(at),
                            fmt::format("this is no XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    }
    return std::move(root_);
  }

 private:
  std::size_t here() const {
    const auto at = XML_GetCurrentByteIndex(parser_.get());
    return at < 0 ? 0 : static_cast<std::size_t>(at);
  }

  void open(const char* name, const char** attributes) {
    if (fault_) return;
    if (open_.size() == most_depth) return stop(fmt::format("elements are more than {} deep", most_depth));
    if (++elements_ > most_elements) return stop(fmt::format("the file has more than {} elements", most_elements));
    XmlElement element;
    element.name = name;
    element.begin = here();
    for (; *attributes != nullptr; attributes += 2) element.attributes.emplace(attributes[0], attributes[1]);
    open_.push_back(std::move(element));
  }

  void close() {
    if (fault_) return;
    XmlElement element = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
      root_ = std::move(element);
    } else {
      open_.back().children.push_back(std::move(element));
    }
  }

  void stop(const std::string& message) {
    if (fault_) return;
    fault_ = file_.fault_at(here(), message);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  const MachineFile& file_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::vector<XmlElement> open_;
  XmlElement root_;
  std::size_t elements_ = 0;
  std::optional<Diagnostic> fault_;
};

}  // namespace

std::string XmlElement::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

Result<XmlElement> read_xml(const MachineFile& file) { return TreeReader(file).read(); }

}  // namespace quadrille::machines
