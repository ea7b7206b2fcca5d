// Families of topologies: names, their arguments, and the topologies that they make.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/crossings.h"
#include "model/text/file_text.h"
#include "model/topology.h"

namespace quadrille {

// A fabric's description before it is built, the common form of the notation and of a schedule's `fabric` line. An
// unnamed first argument (the 8 of `ring:8`, the 4x4 of `torus:4x4`) has the key "".
struct FabricDescription {
  using Argument = std::variant<std::string, std::vector<std::int64_t>>;  // a word, or one or more numbers
  struct Entry {
    Argument value;
    Span span;
  };
  std::string kind;  // the family's name
  Span span;
  std::map<std::string, Entry> arguments;
};

// An argument that a family takes.
struct FabricParameter {
  std::string name;
  enum class Kind : std::uint8_t { number, numbers, text } kind = Kind::number;
  std::uint32_t low = 1;  // of a number, or each of the numbers
  std::uint32_t high = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::string> usual = {};  // the default, in the form of the notation; nothing: the argument is needed
  std::vector<std::string> words = {};    // words that are also allowed
  std::string meaning = {};               // "lanes of each channel"
  std::string values = {};                // a definition's own set of values: "2..16"; empty: low to high
};

// The values that it may have, in words: "1 to 26", "2..16", "a text".
std::string values_of(const FabricParameter& parameter);

struct Families;

// Takes a description's arguments out of it, one by one, and records errors in them.
class FabricArguments {
 public:
  // Keeps references to all arguments but the limits. The first parameter may be given without its name.
  FabricArguments(const FabricDescription& description, const std::vector<FabricParameter>& parameters,
                  const ReadFile& read_file, Limits limits = {}, const Families* families = nullptr);

  bool has(const std::string& name) const { return find(name) != nullptr; }

  // The given word; nothing if the argument is missing, or has numbers.
  std::optional<std::string> word(const std::string& name) const;

  // The given number, or the default; 0 if it is missing without default, no number, or out of its range.
  std::uint32_t number(const std::string& name);

  // The given numbers, which are required. Empty on error.
  std::vector<std::uint32_t> numbers(const std::string& name);

  // The index of the given word among the parameter's words, from 0; 0 (the default) if it is missing or none of
  // them.
  std::size_t choice(const std::string& name);

  // Sets rules (rule_parameters) that the topology suggests; those of the description itself have precedence.
  void suggest_rule(const std::string& name, FabricDescription::Argument value);
  const std::map<std::string, FabricDescription::Argument>& suggested_rules() const { return suggested_; }

  Span span() const { return description_.span; }  // of the family's name
  Span span(const std::string& name) const;        // of an argument that is there
  Span whole_span() const;                         // from the name to the last argument
  const ReadFile& read_file() const { return read_file_; }
  const Limits& limits() const { return limits_; }
  const Families& families() const;  // the families that a topology that is made of others may name

  // Records an error; most errors are values that are out of range.
  void report_error(Span span, std::string message, Code code = Code::range) {
    faults_.push_back(error_at(span, std::move(message), code));
  }
  void report_error(const std::string& name, std::string message, Code code = Code::range) {
    report_error(span(name), std::move(message), code);
  }
  void report_error(const Diagnostics& faults) { faults_.insert(faults_.end(), faults.begin(), faults.end()); }
  const Diagnostics& faults() const { return faults_; }

 private:
  const FabricDescription::Entry* find(const std::string& name) const;
  const FabricDescription::Entry* find_named(const std::string& name) const;
  const FabricParameter& parameter(const std::string& name) const;

  const FabricDescription& description_;
  const std::vector<FabricParameter>& parameters_;
  const ReadFile& read_file_;
  Limits limits_;
  const Families* families_;  // null: the standard ones
  std::string unnamed_;
  std::map<std::string, FabricDescription::Argument> suggested_;
  Diagnostics faults_;
};

struct TopologyFamily {
  std::string name;                  // "torus"
  std::vector<std::string> aliases;  // other names that are understood
  std::vector<FabricParameter> parameters;
  std::string summary;  // "a grid whose dimensions are rings"
  std::string example;  // "torus:4x4x2"
  // Makes the topology. Errors are recorded in the arguments; then the result is not used, and may be null.
  std::function<std::shared_ptr<const Topology>(FabricArguments& arguments)> make;
  // The crossings by which the prover knows all topologies of a form at once; may be missing.
  std::function<std::optional<Crossings>(const FabricForm& form)> crossings = {};
};

// The arguments that all fabrics take (model/rules.h).
const std::vector<FabricParameter>& rule_parameters();

}  // namespace quadrille
