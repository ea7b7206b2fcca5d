// Reading a proof: which applications it must have follows from the core form alone (rules.h); the proof says how each
// is applied. One that is missing, or more than is needed, is an error of the proof's.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "verifier/proof_reader/parts.h"

namespace quadrille {
namespace proof_reader {
namespace {

constexpr std::size_t most_tables = 20;
constexpr std::size_t most_applications = 50000;

ProofProperty property_named(const ProofItem& item) {
  for (std::size_t i = 0; i < properties; ++i) {
    if (to_string(static_cast<ProofProperty>(i)) == word(item)) return static_cast<ProofProperty>(i);
  }
  throw Refused{item.span, fmt::format("there is no property `{}`", item.word)};
}

// (apart m1 m2 …): the words behind the rule's name are its subjects, and then come lists. (turns m1 H) has one.
Application application(ProofProperty property, const ProofItem& it) {
  Application result{property, head(it), {}, it};
  const std::size_t last = result.rule == "turns" ? std::min<std::size_t>(it.size(), 2) : it.size();
  for (std::size_t i = 1; i < last && !it.items[i].list; ++i) result.subjects.push_back(word(it.items[i]));
  return result;
}

using Key = std::tuple<ProofProperty, std::string, std::vector<std::string>>;
Key key_of(const Application& it) { return {it.property, it.rule, it.subjects}; }

class ProofReader {
 public:
  ProofReader(const std::vector<ProofItem>& items, ReadProof::Parts& parts) : items_(items), parts_(parts) {}

  void read() {
    if (items_.empty() || !items_[0].list || items_[0].size() != 2 || head(items_[0]) != "quadrille_proof")
      throw Refused{{}, "this is no proof: it does not begin with (quadrille_proof 1)"};
    if (whole_number(items_[0].items[1]) != 1)
      throw Refused{items_[0].span, "a proof of a version that is not known: 1 is expected"};
    for (std::size_t i = 1; i < items_.size(); ++i) read_one(items_[i]);
    if (parts_.tables.empty()) throw Refused{{}, "the proof names no table of the schedule at some size"};
    choose();
  }

 private:
  void read_one(const ProofItem& it) {
    if (head(it) == "table") return read_table(it);
    if (head(it) != "property") throw Refused{it.span, fmt::format("`{}` is nothing that proofs have", head(it))};
    const ProofProperty property = property_named(item(it, 1));
    for (std::size_t i = 2; i < it.size(); ++i) {
      Application found = application(property, it.items[i]);
      if (found_.size() >= most_applications) throw Refused{it.span, "more than 50000 applications of rules"};
      if (!found_.emplace(key_of(found), found).second)
        throw Refused{it.items[i].span, found.words() + " stands there twice"};
    }
  }

  // (table "size-1.csv" (N 2) …)
  void read_table(const ProofItem& it) {
    const std::string& file = text(item(it, 1));
    const bool plain = !file.empty() && file[0] != '.' && std::ranges::all_of(file, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    });
    if (!plain) throw Refused{it.span, fmt::format("`{}` is no name of a file beside the proof", file)};
    if (parts_.tables.size() >= most_tables) throw Refused{it.span, "more than 20 tables"};
    ReadProof::Parts::Table table{file, {}, it.span};
    const CoreRanges& parameters = parts_.core.parameters;
    expect_size(it, 2 + parameters.size(), 2 + parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const ProofItem& value = it.items[2 + i];
      expect_size(value, 2, 2);
      if (head(value) != parameters[i].name)
        throw Refused{value.span, fmt::format("`{}` is expected here", parameters[i].name)};
      table.size[parameters[i].name] = whole_number(value.items[1]);
      const auto inside = evaluate(in_range(parameters[i], whole_number(value.items[1])), table.size);
      if (inside != 1) throw Refused{value.span, fmt::format("{} is out of its range", parameters[i].name)};
    }
    parts_.tables.push_back(std::move(table));
  }

  void choose() {
    const auto has = [&](const Application& it) { return found_.contains(key_of(it)); };
    for (const Application& needed : required(parts_.subject(), has)) {
      const auto found = found_.find(key_of(needed));
      if (found == found_.end()) throw Refused{{}, "the proof leaves out " + needed.words()};
      if (needed.rule == "turns") put_apex(found->second);
      if (needed.rule == "arrivals") parts_.arrivals = read_arrivals(found->second.item, parts_.subject());
      parts_.applications.push_back(std::move(found->second));
      found_.erase(found);
    }
    if (found_.empty()) return;
    const Application& more = found_.begin()->second;
    throw Refused{more.item.span, more.words() + " is no rule of proof, or nothing that this core form needs"};
  }

  // (turns m1 H)
  void put_apex(const Application& turns) {
    for (CoreMessage& message : parts_.core.messages) {
      if (message.name != turns.subjects[0]) continue;
      expect_size(turns.item, 3, 3);
      message.apex = read_number(turns.item.items[2], names_of(message.variables, names_of(parts_.core.parameters)));
    }
  }

  const std::vector<ProofItem>& items_;
  ReadProof::Parts& parts_;
  std::map<Key, Application> found_;
};

}  // namespace

void read_applications(const std::vector<ProofItem>& items, ReadProof::Parts& parts) {
  ProofReader(items, parts).read();
}

}  // namespace proof_reader

Result<ReadProof> read_proof(const Source& core, std::uint32_t core_number, const Source& proof,
                             std::uint32_t proof_number, const Families& families) {
  using namespace proof_reader;
  std::uint32_t reading = core_number;
  std::size_t length = core.text.size();
  try {
    auto parts = std::make_shared<ReadProof::Parts>();
    parts->families = &families;
    parts->core = read_core_form(read_items(core, core_number));
    parts->machine = machine_of(parts->core, families);
    reading = proof_number;
    length = proof.text.size();
    read_applications(read_items(proof, proof_number), *parts);
    return ReadProof(std::move(parts));
  } catch (const Refused& refused) {
    // What has no place of its own is said of the file.
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(length, 1));
    return error_at(refused.span.known() ? refused.span : Span{reading, 0, end}, refused.message, Code::invalid);
  }
}

}  // namespace quadrille
