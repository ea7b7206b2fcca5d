// Turns a solution into messages: each is followed back from where something arrives by it to where it begins.
//
//   end(1->2), follow(1->2, 0->1), start(0->1): a message from 0 to 2, by 1
//
// Cost: for each end, the length of its path.
#include <algorithm>

#include "verifier/search/rounds/formula.h"
#include "verifier/search/rounds/joins.h"

namespace quadrille::searching {

std::vector<DrawnMessage> RoundFormula::messages(const std::function<bool(int)>& is_true) const {
  std::vector<DrawnMessage> drawn;
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      bool brings = false;
      for (std::size_t k = 0; k < origins_.size() && ends(i) && !brings; ++k) {
        brings = carries(k, i) && is_true(got(r, k, i));
      }
      if (brings && !draw(r, i, drawn, is_true)) return {};
    }
  }
  return drawn;
}

// Follows a message back from its end, and adds its path to the message that begins with the same strand, or a new
// one.
bool RoundFormula::draw(std::uint32_t r, std::size_t end_strand, std::vector<DrawnMessage>& drawn,
                        const std::function<bool(int)>& is_true) const {
  std::vector<std::uint32_t> way;
  auto at = static_cast<std::uint32_t>(end_strand);
  while (true) {
    way.push_back(at);
    const Strand& it = network_.strands[at];
    if (it.starts && is_true(start(r, at))) break;
    std::size_t j = 0;
    while (j < it.after.size() && !is_true(follow(r, at, j))) ++j;
    if (j == it.after.size() || way.size() > network_.strands.size()) return false;
    at = it.after[j];
  }
  const auto same = [&](const DrawnMessage& it) { return it.round == r && it.first_strand == at; };
  auto message = std::ranges::find_if(drawn, same);
  if (message == drawn.end()) {
    drawn.push_back({r, at, network_.strands[at].from, {}, {}, {}});
    message = drawn.end() - 1;
    for (std::size_t k = 0; k < origins_.size() && (volume_ || once_); ++k) {
      if (carries(k, at) && is_true(carry(r, k, at))) note_values(k, *message);
    }
  }
  message->receivers.push_back(network_.strands[end_strand].to);
  for (const std::uint32_t i : way) {
    const Strand& it = network_.strands[i];
    if (it.channel) message->ways.emplace_back(*it.channel, it.lane);
  }
  return true;
}

// Notes what the message may carry. If messages join, an origin is a target, and stands for all values that are
// wanted there.
void RoundFormula::note_values(std::size_t k, DrawnMessage& message) const {
  if (volume_) message.values.insert(origins_[k].value);
  for (std::uint32_t value = 0; !volume_ && value < collective_.values(); ++value) {
    if (collective_.wanted_contributions(value, NodeId(origins_[k].starts.front()))) message.values.insert(value);
  }
}

std::optional<SendTable> RoundFormula::table(const SearchProblem& /*problem*/,
                                             const std::function<bool(int)>& is_true) const {
  return drawn_table(is_true);
}

std::optional<SendTable> RoundFormula::drawn_table(const std::function<bool(int)>& is_true) const {
  if (network_.reversed) return time_reversed_table(fabric_, collective_, "search", messages(is_true));
  return round_table(fabric_, collective_, "search", messages(is_true));
}

std::vector<StepRow> RoundFormula::rows(const std::function<bool(int)>& is_true) const {
  const auto table = drawn_table(is_true);
  return table ? all_rows(*table) : std::vector<StepRow>{};
}

}  // namespace quadrille::searching
