// The text of a certificate.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "model/fabric_notation.h"
#include "verifier/certificate/formula.h"

namespace quadrille {
namespace {

constexpr std::string_view title = "quadrille certificate ";
constexpr std::uint64_t largest_price = std::uint64_t{1} << 62;
constexpr std::size_t most_faults = 20;
constexpr std::uint32_t most_names_offered = 10'000;  // nodes of a fabric among which the nearest name is looked for
constexpr std::string_view blanks = " \t\r";

constexpr std::array<std::pair<std::string_view, Price::Resource>, 6> resources{{{"channel", Price::Resource::channel},
                                                                                 {"link", Price::Resource::link},
                                                                                 {"out", Price::Resource::out},
                                                                                 {"in", Price::Resource::in},
                                                                                 {"port", Price::Resource::port},
                                                                                 {"pairs", Price::Resource::pairs}}};

// Bytes begin … end-1 of the text.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Reader {
 public:
  Reader(const Source& source, std::uint32_t number) : text_(source.text), source_(number) {}

  Result<Certificate> read() {
    if (text_.size() >= Span::nowhere) return error_at({}, "the certificate is larger than 4 GiB");
    if (!read_title()) return faults_;
    while (next_line_ < text_.size()) sort_line(take_line());
    const auto fabric = read_fabric();
    const auto collective = fabric ? read_collective(*fabric) : std::nullopt;
    const auto steps = read_steps();
    const auto once = read_inject();
    const bool paths_kept = read_paths();
    const auto phases = fabric && steps ? read_phases(*fabric, *steps) : std::nullopt;
    const auto proof = read_evidence();
    if (proof && fabric && collective) check_formula(*fabric, *collective, *proof);
    if (faults_.empty() && !proof) read_prices(*fabric, *steps);
    if (!faults_.empty()) return sorted(std::move(faults_));
    Certificate certificate{*fabric, *collective, *steps, *once, paths_kept, phases, {}};
    if (proof) {
      certificate.evidence = *proof;
    } else {
      certificate.evidence = std::move(prices_);
    }
    return certificate;
  }

 private:
  // In the order of the text.
  static Diagnostics sorted(Diagnostics faults) {
    std::stable_sort(faults.begin(), faults.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
    return faults;
  }

  // --- pieces of text -------------------------------------------------------------------------------------------

  std::string_view view(Piece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }

  Span span(Piece piece) const {
    return {source_, static_cast<std::uint32_t>(piece.begin), static_cast<std::uint32_t>(piece.end)};
  }

  void complain(Piece piece, std::string message) {
    if (faults_.size() < most_faults) faults_.push_back(error_at(span(piece), std::move(message)));
  }

  // "; did you mean `x`?", if there is something near.
  static std::string offer(std::string_view word, const std::vector<std::string>& known) {
    const auto near = nearest(word, known);
    return near ? fmt::format("; did you mean `{}`?", *near) : "";
  }

  Piece trimmed(Piece piece) const {
    while (piece.begin < piece.end && blanks.find(text_[piece.begin]) != blanks.npos) ++piece.begin;
    while (piece.begin < piece.end && blanks.find(text_[piece.end - 1]) != blanks.npos) --piece.end;
    return piece;
  }

  Piece take_line() {
    const Piece line{next_line_, std::min(text_.find('\n', next_line_), text_.size())};
    next_line_ = line.end + 1;
    return trimmed(line);
  }

  // The first word of `rest`, which is left with what follows it.
  Piece take_word(Piece& rest) const {
    rest = trimmed(rest);
    Piece word{rest.begin, rest.begin};
    while (word.end < rest.end && blanks.find(text_[word.end]) == blanks.npos) ++word.end;
    rest = trimmed({word.end, rest.end});
    return word;
  }

  // A whole number from `least` to `most`; else a fault that says what it should be.
  std::optional<std::uint64_t> number(Piece piece, std::string_view what, std::uint64_t least, std::uint64_t most) {
    const std::string_view digits = view(piece);
    std::uint64_t value = 0;
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
      complain(piece, fmt::format("`{}` is not a whole number; expected {}", digits, what));
      return std::nullopt;
    }
    const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
    if (status != std::errc() || value < least || value > most) {
      complain(piece, fmt::format("{} is {}; expected {} from {} to {}", digits,
                                  status == std::errc() && value < least ? "too small" : "too large a number", what,
                                  least, most));
      return std::nullopt;
    }
    return value;
  }

  // --- lines ----------------------------------------------------------------------------------------------------

  bool read_title() {
    const Piece line = take_line();
    if (!view(line).starts_with(title)) {
      complain(line, "this is not a certificate: the first line of one is `quadrille certificate 1`");
    } else if (view(line).substr(title.size()) != "1") {
      complain(line, fmt::format("{}; this program reads version 1", view(line)));
    }
    return faults_.empty();
  }

  void sort_line(Piece line) {
    if (line.begin == line.end || text_[line.begin] == '#') return;
    Piece rest = line;
    const Piece word = take_word(rest);
    const std::string key(view(word));
    if (key == "price") {
      price_lines_.push_back(rest);
      return;
    }
    static const std::vector<std::string> keys = {"fabric", "collective", "steps", "inject", "paths",
                                                  "phases", "evidence",   "about", "formula"};
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      std::vector<std::string> known = keys;
      known.emplace_back("price");
      complain(word, fmt::format("unknown line `{}`{}", key, offer(key, known)));
    } else if (!lines_.emplace(key, rest).second) {
      complain(word, fmt::format("a second line `{}`", key));
    }
  }

  std::optional<Piece> line(const std::string& key) const {
    const auto found = lines_.find(key);
    return found == lines_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<Piece> needed(const std::string& key, std::string_view form) {
    const auto found = line(key);
    if (!found) complain({text_.size(), text_.size()}, fmt::format("a line `{}` is missing", form));
    return found;
  }

  // --- the head -------------------------------------------------------------------------------------------------

  // Faults in a notation's own text, moved to where it stands.
  void complain_of_notation(const Diagnostics& diagnostics, Piece piece) {
    const auto moved = [&](Span inside) {
      if (!inside.known()) return span(piece);
      return span({piece.begin + inside.begin, piece.begin + inside.end});
    };
    for (Diagnostic diagnostic : diagnostics) {
      if (faults_.size() == most_faults) return;
      diagnostic.span = moved(diagnostic.span);
      for (auto& note : diagnostic.notes) note.first = moved(note.first);
      faults_.push_back(std::move(diagnostic));
    }
  }

  // A graph stands in the line itself, as in the head of a table: no file is read.
  std::optional<Fabric> read_fabric() {
    const auto piece = needed("fabric", "fabric NOTATION");
    if (!piece) return std::nullopt;
    const Result<Fabric> fabric = parse_fabric({"", std::string(view(*piece))}, source_);
    if (fabric) return *fabric;
    complain_of_notation(fabric.diagnostics(), *piece);
    return std::nullopt;
  }

  std::optional<Collective> read_collective(const Fabric& fabric) {
    const auto piece = needed("collective", "collective NOTATION");
    if (!piece) return std::nullopt;
    const auto collective = parse_collective({"", std::string(view(*piece))}, source_, fabric.processors());
    if (collective) return *collective;
    complain_of_notation(collective.diagnostics(), *piece);
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_steps() {
    const auto piece = needed("steps", "steps T");
    const auto steps = piece ? number(*piece, "the number of steps", 0, max_step) : std::nullopt;
    if (!steps) return std::nullopt;
    return static_cast<std::uint32_t>(*steps);
  }

  // Whether packets leave once; nothing after a fault.
  std::optional<bool> read_inject() {
    const auto piece = needed("inject", "inject many");
    if (!piece) return std::nullopt;
    if (view(*piece) == "many") return false;
    if (view(*piece) == "once") return true;
    complain(*piece, fmt::format("`inject {}`; expected `inject many` or `inject once`", view(*piece)));
    return std::nullopt;
  }

  // Whether packets keep to their paths: only if that is said.
  bool read_paths() {
    const auto piece = line("paths");
    if (!piece || view(*piece) == "any") return false;
    if (view(*piece) != "kept")
      complain(*piece, fmt::format("`paths {}`; expected `paths kept` or `paths any`", view(*piece)));
    return true;
  }

  std::optional<std::uint32_t> read_phases(const Fabric& fabric, std::uint32_t steps) {
    const auto piece = line("phases");
    if (!piece) return std::nullopt;
    if (fabric.rules().queue.limit) {
      complain(*piece, "phases are for fabrics whose queues are not limited");
      return std::nullopt;
    }
    if (steps == 0) {
      complain(*piece, "there are no phases in 0 steps");
      return std::nullopt;
    }
    const auto phases = number(*piece, "the number of phases", 1, steps);
    if (!phases) return std::nullopt;
    return static_cast<std::uint32_t>(*phases);
  }

  // The proof; nothing if the evidence is prices.
  std::optional<ProofFile> read_evidence() {
    const auto piece = needed("evidence", "evidence prices` or `evidence proof FILE");
    if (!piece) return std::nullopt;
    Piece rest = *piece;
    const Piece kind = take_word(rest);
    const bool proof = view(kind) == "proof";
    if (!proof && view(kind) != "prices") {
      complain(kind, fmt::format("unknown evidence `{}`; expected `prices` or `proof FILE`{}", view(kind),
                                 offer(view(kind), {"prices", "proof"})));
      return std::nullopt;
    }
    if (!proof) {
      if (rest.begin < rest.end) complain(rest, "did not expect more after `evidence prices`");
      for (const char* of_proof : {"formula", "about"}) {
        const auto other = line(of_proof);
        if (other) complain(*other, fmt::format("a line `{}` belongs to `evidence proof` only", of_proof));
      }
      return std::nullopt;
    }
    if (rest.begin == rest.end) complain(kind, "the proof's file is not named; expected `evidence proof FILE`");
    const auto formula = line("formula");
    if (formula && formula->begin == formula->end) complain(*formula, "the formula's file is not named");
    for (const Piece price : price_lines_) complain(price, "a line `price` belongs to `evidence prices` only");
    ProofFile file{std::string(view(rest)), std::nullopt, read_about()};
    if (formula) file.formula = std::string(view(*formula));
    return file;
  }

  // What the formula is about: copies, if that is not said.
  ProofFile::About read_about() {
    const auto piece = line("about");
    if (!piece) return ProofFile::About::copies;
    std::vector<std::string> known;
    for (const auto about : {ProofFile::About::copies, ProofFile::About::words, ProofFile::About::backwards}) {
      if (view(*piece) == to_string(about)) return about;
      known.emplace_back(to_string(about));
    }
    complain(*piece, fmt::format("`about {}`; expected `about copies`, `about words` or `about backwards`{}",
                                 view(*piece), offer(view(*piece), known)));
    return ProofFile::About::copies;
  }

  // Complains if there is no such formula.
  void check_formula(const Fabric& fabric, const Collective& collective, const ProofFile& proof) {
    const auto about = line("about");
    if (collective.combining() && !about) {
      return complain(*line("evidence"),
                      fmt::format("{} combines: expected a line `about words` or `about backwards`, too",
                                  to_string(collective.kind())));
    }
    if (about && view(*about) != to_string(proof.about)) return;  // which is another fault
    const auto why = certificate::why_no_formula(fabric, collective, proof.about);
    if (why) complain(*about, fmt::format("`about {}`: {}", view(*about), *why));
  }

  // --- prices ---------------------------------------------------------------------------------------------------

  void read_prices(const Fabric& fabric, std::uint32_t steps) {
    for (const Piece price : price_lines_) read_price(price, fabric, steps);
  }

  void read_price(Piece rest, const Fabric& fabric, std::uint32_t steps) {
    const Piece whole = rest;
    const Piece kind = take_word(rest);
    const Piece name = take_word(rest);
    const Piece colon{std::min(text_.find(':', rest.begin), rest.end), rest.end};
    if (colon.begin == rest.end) {
      return complain(whole, "expected `price RESOURCE FIRST: PRICE …`, such as `price channel 0->1.0 1: 3 2 1 0`");
    }
    const auto resource = read_resource(kind, name, fabric);
    const auto first = number(trimmed({rest.begin, colon.begin}), "the first step", 1, std::max(steps, 1U));
    if (!resource || !first) return;
    if (!named_.insert({resource->first, resource->second}).second) {
      return complain({kind.begin, name.end}, fmt::format("a second line for {} {}", view(kind), view(name)));
    }
    Price price{resource->first, resource->second, static_cast<std::uint32_t>(*first), {}};
    rest = trimmed({colon.begin + 1, rest.end});
    while (rest.begin < rest.end) {
      const Piece word = take_word(rest);
      if (price.first_step + price.prices.size() > steps) {
        return complain(
            word, fmt::format("a price for step {}; there are {}", price.first_step + price.prices.size(), steps));
      }
      const auto value = number(word, "a price", 0, largest_price);
      if (!value) return;
      price.prices.push_back(*value);
    }
    prices_.push_back(std::move(price));
  }

  std::optional<std::pair<Price::Resource, std::uint32_t>> read_resource(Piece kind, Piece name, const Fabric& fabric) {
    const auto* known =
        std::find_if(resources.begin(), resources.end(), [&](const auto& each) { return each.first == view(kind); });
    if (known == resources.end()) {
      std::vector<std::string> words;
      for (const auto& each : resources) words.emplace_back(each.first);
      complain(kind, fmt::format("unknown resource `{}`{}", view(kind), offer(view(kind), words)));
      return std::nullopt;
    }
    if (!fits(known->second, kind, fabric)) return std::nullopt;
    if (known->second == Price::Resource::pairs) return read_pairs(name);
    const bool channel = known->second == Price::Resource::channel || known->second == Price::Resource::link;
    const auto number = channel ? read_channel(known->second, name, fabric) : read_processor(name, fabric);
    if (!number) return std::nullopt;
    return std::pair(known->second, *number);
  }

  std::optional<std::pair<Price::Resource, std::uint32_t>> read_pairs(Piece name) {
    if (view(name) == "all") return std::pair(Price::Resource::pairs, std::uint32_t{0});
    complain(name, fmt::format("expected `pairs all`, not `{}`", view(name)));
    return std::nullopt;
  }

  // Whether there is such a resource under the fabric's rules.
  bool fits(Price::Resource resource, Piece kind, const Fabric& fabric) {
    const Rules& rules = fabric.rules();
    const bool half = rules.duplex == Duplex::half;
    const bool single = rules.ports == Ports::single;
    if (resource == Price::Resource::link && !half) {
      complain(kind, "a link is a resource with `duplex=half` only");
      return false;
    }
    if ((resource == Price::Resource::out || resource == Price::Resource::in) && !single) {
      complain(kind, fmt::format("`{}` is a resource with `ports=single` only", view(kind)));
      return false;
    }
    if (resource == Price::Resource::port && !(half && single)) {
      complain(kind, "`port` is a resource with `ports=single` and `duplex=half` only");
      return false;
    }
    const bool direct = fabric.nodes() == fabric.processors() && fabric.processors() > 1;
    if (resource == Price::Resource::pairs && !(half && single && direct)) {
      complain(kind,
               "`pairs` is a resource with `ports=single` and `duplex=half`, between processors without switches");
      return false;
    }
    return true;
  }

  std::optional<NodeId> read_node(Piece name, const Fabric& fabric) {
    const auto node = fabric.node_named(view(name));
    if (node) return node;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < fabric.nodes() && fabric.nodes() <= most_names_offered; ++i) {
      names.push_back(fabric.name(NodeId(i)));
    }
    complain(name, fmt::format("the fabric has no node `{}`{}", view(name), offer(view(name), names)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_processor(Piece name, const Fabric& fabric) {
    const auto node = read_node(name, fabric);
    if (!node) return std::nullopt;
    if (fabric.is_processor(*node)) return node->value;
    complain(name, fmt::format("{} is a switch; expected a processor", view(name)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_channel(Price::Resource resource, Piece name, const Fabric& fabric) {
    const std::size_t arrow = view(name).find("->");
    if (arrow == std::string_view::npos) {
      complain(name, fmt::format("`{}` is no channel; expected FROM->TO", view(name)));
      return std::nullopt;
    }
    const auto from = read_node({name.begin, name.begin + arrow}, fabric);
    const auto to = read_node({name.begin + arrow + 2, name.end}, fabric);
    if (!from || !to) return std::nullopt;
    const auto channel = fabric.channel_between(*from, *to);
    if (!channel) {
      complain(name, fmt::format("the fabric has no channel from {} to {}", fabric.name(*from), fabric.name(*to)));
      return std::nullopt;
    }
    if (resource == Price::Resource::link && fabric.reverse(*channel) < *channel) {
      complain(name, fmt::format("a link is named by its channel with the lower number, {}",
                                 fabric.name(fabric.reverse(*channel))));
      return std::nullopt;
    }
    return channel->value;
  }

  std::string_view text_;
  std::uint32_t source_;
  std::size_t next_line_ = 0;
  std::map<std::string, Piece, std::less<>> lines_;  // what follows the first word
  std::vector<Piece> price_lines_;
  std::set<std::pair<Price::Resource, std::uint32_t>> named_;
  std::vector<Price> prices_;
  Diagnostics faults_;
};

}  // namespace

Result<Certificate> read_certificate(const Source& source, std::uint32_t source_number) {
  return Reader(source, source_number).read();
}

}  // namespace quadrille
