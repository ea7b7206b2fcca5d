// The propositional formula of "there is a schedule of T steps" for a combining collective. It is over partial
// reductions (model/MODEL.md): which contributions each processor holds, and which each packet carries.
//
// verifier/COMBINING_FORMULA.md defines its variables and constraints, and has the argument. Only the order of
// clauses differs, where no counter's number depends on it.
//
// Under a group a variable stands for its orbit. The permutations of ordered collectives map intervals to intervals.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "verifier/search/problem/combining_setting.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {

class CombiningFormula final : public ScheduleFormula {
 public:
  // Numbers the variables. Keeps references to the setting and the watch.
  CombiningFormula(const CombiningSetting& setting, std::uint32_t T, const Group& group, Watch* watch = nullptr);

  int write(ClauseSink& sink) override;
  std::vector<int> last_hops(std::uint32_t T) const override;
  void name_variables(const NameVariables& say) const override;
  std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const override;

 private:
  enum class Kind : std::uint8_t { hop, at, stay, carry, hold, come, come_named };
  // Identifies a variable except for its step. `subject` is the number of a packet, or a value; `place` is a node or
  // channel.
  struct Key {
    Kind kind;
    std::uint32_t subject;
    std::uint32_t place;
    std::uint32_t contribution = 0;
  };
  struct VariableBlock {
    int variable = 0;
    std::int64_t first = 1;
    std::int64_t last = 0;
  };
  // The images of packets, values, nodes and channels under an element of the group.
  struct Image {
    std::vector<std::uint32_t> names;
    std::vector<std::uint32_t> values;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> channels;
  };
  using Names = std::vector<std::uint32_t>;
  // Literals that stand for true and false.
  static constexpr int always = std::numeric_limits<int>::max();
  static constexpr int never = -always;

  static std::uint64_t packed(const Key& key);
  static Key unpacked(std::uint64_t key);
  std::string meaning(const Key& key) const;
  Key image(const Key& key, const Image& by) const;
  std::vector<Image> images_of(const Group& group) const;
  bool is_first(const Key& key) const;  // whether the key is the first of its orbit

  void number(const Key& key, std::int64_t first, std::int64_t last);
  void number_packet(std::uint32_t c);
  void number_held(std::uint32_t value, std::uint32_t processor);
  int literal(const Key& key, std::int64_t t) const;  // `never` where there is no such variable

  int hop(std::uint32_t c, ChannelId e, std::int64_t t) const { return literal({Kind::hop, c, e.value}, t); }
  int leaving(std::uint32_t c, std::uint32_t node, std::int64_t t, std::uint32_t k) const;
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
  void queues(std::int64_t t);

  const CombiningSetting& setting_;
  const Fabric& fabric_;
  Watch* watch_;
  std::uint32_t steps_;
  std::uint32_t n_;
  std::vector<Image> images_;  // none for the trivial group
  std::vector<Names> to_;      // [value · n + target]: the packets
  std::vector<Names> users_;   // [channel]: the packets that may cross it
  std::unordered_map<std::uint64_t, VariableBlock> ranges_;
  int next_ = 1;
  ClauseSink* sink_ = nullptr;
};

}  // namespace quadrille::searching
