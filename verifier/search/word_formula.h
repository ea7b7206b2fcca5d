// The propositional formula of "there is a schedule of T steps" for a combining collective, by the words of
// model/MODEL.md: which contributions each processor holds, and each packet carries.
//
// Variables, for a packet c = (o -> g, value), a channel e = u->v, a node v, a contribution k and a step t:
//   hop(c, e, t)        c crosses e in step t;
//   at(c, v, t)         c is at v, neither o nor g, when step t ends, so that it can leave in step t + 1;
//   stay(c, v, t)       it is there because it was there before step t and nothing of its name came in step t;
//   carry(c, v, t, k)   if c is there: its word has k;
//   hold(value, p, t, k)    processor p's word has k when step t ends; hold(value, p, t, p) is true;
//   come(e, value, t, k)    over e a word with k comes to its target; where e has several lanes: come(e, c, t, k).
// They exist where they can matter: not before k, or c, can have come so far, nor when no way leads on in time to a
// processor that wants the value; no k that a processor must not hold in the end, since words only grow.
//
// Constraints (what does not exist is false):
//   1. hop(c, u->v, t), u != o, needs at(c, u, t-1). at(c, v, t) needs stay(c, v, t) or a hop of c into v in step t.
//      stay(c, v, t) needs at(c, v, t-1) and no hop of c into v in step t. One hop of c at most into v in a step.
//   2. stay: carry(t) = carry(t-1). A hop of c into v: carry(c, v, t) = the word at u, which is hold(value, o, t-1) at
//      u = o, else carry(c, u, t-1).
//   3. A hop to g: come(t) = the word at u; without a hop come is false.
//   4. hold(t) = hold(t-1) or any come(t). A word that comes is disjoint from the one held, or contains it: that is,
//      if it has anything that is held, then it has g's own contribution; and if it has that, all that is held.
//   5. Words that come to one processor in one step are disjoint; one that contains the word held begins with a smaller
//      contribution than all others (the order of joins).
//   6. Ordered: what p holds has no gap from p downwards, nor from p upwards.
//   7. Demands: all of the wanted word is held in the end. Capacities, half duplex, single ports, queues: as in
//      verifier/FORMULA.md, with stay for what a switch holds over.
//
// Why it is right. An assignment is a schedule: its rows are the hops. By 1 and 2 what leaves a node is what the latest
// row of its name brought; by 3 to 6 the joins come about in the order of the model, without error, and give `hold`.
//
// Conversely, let a schedule be right. Some of its joins can be left out: those that change nothing, and, if a word
// that comes later in the same step replaces the one held, those before it: it contains all of them and what was held
// before the step. Then of the words that come to a processor in a step the first may contain the one held, and the
// others are disjoint from it and from one another (5). Each join that is left has its chain of rows, back from the
// target to the packet's origin, by the latest arrival before each departure; all rows that are in no chain are left
// out, too, and the latest arrivals of those that stay are still the latest. A chain does not come back to the packet's
// origin, which sends its present word; nor does it pass the target, where the same word was joined before, so that it
// would bring nothing new. Of two rows of one name into one node in one step only the later one, by channel, is
// followed by departures, so the other one is in no chain; and no name is sent twice over one channel in a step. What
// comes to a processor from which no way leads on in time to one that wants the value changes nothing there. A
// contribution that a processor must not hold in the end never comes there. What is left is an assignment: nothing
// restricts it but the rules.
//
// Under a group a variable stands for its orbit. The permutations of ordered collectives turn intervals into intervals.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "verifier/search/problem.h"
#include "verifier/search/symmetry.h"
#include "verifier/search/word_setting.h"

namespace quadrille::searching {

class WordFormula final : public ScheduleFormula {
 public:
  // Numbers the variables. Keeps references to both.
  WordFormula(const WordSetting& setting, std::uint32_t T, const Group& group);

  int write(ClauseSink& sink) override;
  void name_variables(const NameVariables& say) const override;
  std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const override;

 private:
  enum class Kind : std::uint8_t { hop, at, stay, carry, hold, come, come_named };
  // A variable but for its step. `subject` is a packet's number, or a value; `place` a node or channel.
  struct Key {
    Kind kind;
    std::uint32_t subject;
    std::uint32_t place;
    std::uint32_t contribution = 0;
  };
  struct Range {
    int variable = 0;
    std::int64_t first = 1;
    std::int64_t last = 0;
  };
  // What an element of the group makes of packets, values, nodes and channels.
  struct Image {
    std::vector<std::uint32_t> names;
    std::vector<std::uint32_t> values;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> channels;
  };
  using Names = std::vector<std::uint32_t>;

  static std::uint64_t packed(const Key& key);
  static Key unpacked(std::uint64_t key);
  std::string meaning(const Key& key) const;
  Key image(const Key& key, const Image& by) const;
  std::vector<Image> images_of(const Group& group) const;
  bool is_first(const Key& key) const;  // of its orbit

  void number(const Key& key, std::int64_t first, std::int64_t last);
  void number_packet(std::uint32_t c);
  void number_words(std::uint32_t value, std::uint32_t processor);
  void number_arrivals(const Key& key, std::uint32_t value, std::uint32_t processor);
  int literal(const Key& key, std::int64_t t) const;  // `never` where there is no such variable

  int hop(std::uint32_t c, ChannelId e, std::int64_t t) const { return literal({Kind::hop, c, e.value}, t); }
  int word_at(std::uint32_t c, std::uint32_t node, std::int64_t t, std::uint32_t k) const;
  int held(std::uint32_t value, std::uint32_t processor, std::int64_t t, std::uint32_t k) const;
  std::vector<Key> arrivals(std::uint32_t value, std::uint32_t processor) const;

  void add(std::initializer_list<int> literals) { add(std::vector<int>(literals)); }
  void add(std::vector<int> literals);
  void add_same_if(int condition, int a, int b);
  void add_at_most(std::uint64_t k, std::vector<int> literals);

  void moving(std::uint32_t c);
  void staying(std::uint32_t c, std::uint32_t node, std::int64_t t);
  void arriving(std::uint32_t value, std::uint32_t processor, const Key& arrival, std::int64_t t);
  void joining(std::uint32_t value, std::uint32_t processor, const std::vector<Key>& arrivals, std::int64_t t);
  void keeping_order(std::uint32_t processor, const std::vector<Key>& arrivals, std::int64_t t);
  void demands();
  void capacities(std::int64_t t);
  void single_ports(std::int64_t t);
  void queues(std::int64_t t);
  void append_hops(ChannelId channel, std::int64_t t, std::vector<int>& literals) const;

  const WordSetting& setting_;
  const Fabric& fabric_;
  std::uint32_t steps_;
  std::uint32_t n_;
  std::vector<Image> images_;  // none for the trivial group
  std::vector<Names> to_;      // [value · n + target]: the packets
  std::vector<Names> users_;   // [channel]: the packets that may cross it
  std::unordered_map<std::uint64_t, Range> ranges_;
  int next_ = 1;
  ClauseSink* sink_ = nullptr;
};

}  // namespace quadrille::searching
