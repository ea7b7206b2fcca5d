// Crossings describe a topology to the prover, as data: the channels that a packet from s to t crosses on the default
// route, when it crosses them, and how many lanes they have. They are terms over s, t, an index and the topology's
// parameters, so they cover every size at once. A ring of N processors has two classes of channels:
//
//   class    index i        channel        offset   from -> to
//   up       0 … up - 1     (s + i) mod N  i        (s + i) mod N -> (s + i + 1) mod N
//   down     0 … down - 1   (s - i) mod N  i        (s - i) mod N -> (s - i - 1) mod N
//
// where up = (t - s) mod N if that is at most N/2, else 0; and down = (s - t) mod N if that is less than N/2, else 0.
// A binary tree has a class for each direction. Its index is the level, and a packet crosses level i if s and t are
// in different subtrees below it: see topologies/fat_tree.cpp.
//
//   FabricForm form{"ring", {{"", 1}}};
//   const auto crossings = crossings_of(form);
//   route(*crossings, {.parameters = {6}, .source = 4, .target = 0})    // 4->5, 5->0
//
// **Requirements**, for all values of the parameters that make a fabric, all processors s != t and all values of the
// index from `first` to `last` with which `crossed` holds (a wrong theorem may follow if one is violated; a test
// compares crossings with the router on every pair at every small size):
// * the default route from s to t has exactly these channels, `hops` of them, each at its offset, which is the number
//   of channels before it;
// * two crossings of one class are of the same channel exactly if all their `channel` numbers are equal; channels of
//   different classes are different;
// * the channel has at least `capacity` lanes; and 0 <= lane < capacity;
// * nothing depends on the size except through the parameters.
//
// It is not required that `lane` tells packets on different lanes apart (the prover shows what it needs of that).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/standard_families.h"
#include "model/terms/term.h"
#include "model/terms/term_capacities.h"

namespace quadrille {

// The name of a switch is level.place; a processor's level is 0.
struct SwitchPlace {
  Term level = 0;
  Term place = 0;
};

// A class of channels of one kind: "up" in a tree, "dimension 2, downwards" in a torus.
struct ChannelClass {
  std::string name;
  Term first = 0;  // the index runs over first … last (none, if last is less)
  Term last = 0;
  Term crossed = 1;                    // truth: whether the packet crosses a channel at this index
  Term offset;                         // the number of channels that it crosses before
  std::vector<Term> channel;           // the channel, as numbers; `index` alone is written as terms::index()
  Term capacity = 1;                   // the least number of lanes that it has
  Term lane = 0;                       // one of them: 0 … capacity - 1
  Term from, to;                       // its ends, as the fabric numbers its nodes
  SwitchPlace from_switch, to_switch;  // and their names, where they are switches
};

// A parameter is a number in the fabric's description: the `position`-th of the argument `key`.
struct CrossingParameter {
  std::string key;  // never "": the unnamed argument has its name here
  std::size_t position = 0;
  bool operator==(const CrossingParameter&) const = default;
};

struct Crossings {
  std::string name;                           // for messages: "complete graph"
  std::vector<CrossingParameter> parameters;  // Term::parameter(i) is the i-th of these
  Term processors;
  Term valid = 1;  // truth, over the parameters: whether such a fabric exists
  Term hops;       // from s to t; 0 if they are the same
  std::vector<ChannelClass> classes;
  std::optional<TermCapacities> capacities = {};  // nothing: no lower bounds are known for every size
};

// The form of a fabric's description before its numbers are known.
struct FabricForm {
  struct Argument {
    std::string key;          // "" for the unnamed one
    std::size_t numbers = 0;  // how many; 0: the argument is a word
    std::string word = {};
  };
  std::string kind;  // "torus"
  std::vector<Argument> arguments;
};

// The crossings of all fabrics of this form; nothing if none are known. The fabric's rules do not matter.
std::optional<Crossings> crossings_of(const FabricForm& form, const Families& families = standard_families());

// Reads a form's arguments as parameters. The key "" stands for `unnamed`.
class CrossingArguments {
 public:
  CrossingArguments(const FabricForm& form, std::string unnamed);

  // The argument's one number, as a parameter; `otherwise` if there is no such argument. Nothing if it has any other
  // form.
  std::optional<Term> number(const std::string& key, std::optional<Term> otherwise = {});
  // The argument's numbers; empty if there is no such argument.
  std::vector<Term> numbers(const std::string& key);
  // The argument's word; empty if there is no such argument, or it has numbers.
  std::string word(const std::string& key) const;
  bool has(const std::string& key) const { return find(key) != nullptr; }

  const std::vector<CrossingParameter>& parameters() const { return parameters_; }

 private:
  const FabricForm::Argument* find(const std::string& key) const;

  const FabricForm& form_;
  std::string unnamed_;
  std::vector<CrossingParameter> parameters_;
};

// --- on concrete numbers ---------------------------------------------------------------------------------------------

struct Crossing {
  std::size_t channel_class = 0;
  std::vector<std::int64_t> channel;
  std::int64_t offset = 0;
  std::int64_t capacity = 0;
  std::int64_t lane = 0;
  std::int64_t from = 0, to = 0;
  std::string name;  // "3->1.0", the fabric's name for it
};

// The crossings of the packet from values.source to values.target, by offset.
std::vector<Crossing> route(const Crossings& crossings, TermValues values);

// The name of the channel at these values: "3->1.0". Requires that `crossed` holds.
std::string channel_name(const ChannelClass& each, const TermValues& values);

}  // namespace quadrille
