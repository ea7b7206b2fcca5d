// The operations are carried out in an order that happens-before allows. Without races every order gives the same: two
// unordered operations touch no chunk in common, or only read it. For example, of
//   rank 0: send input 0 to rank 1;  rank 1: receive it, add input 0, store in output 0
// what is carried is contribution 0, and output 0 of rank 1 becomes the sum of contributions 0 and 1.
//
// A fused reduction adds its sources to the target one after another, target first; two executors may also add the
// target last (ExecutorRules::target_last). Cost: linear in the chunks of the operations and their sources.
#include "programs/data_walk.h"

#include <optional>

namespace quadrille::programs {

DataWalk::DataWalk(const Program& program, const ProgramNetwork& network, const HappensBefore& order, bool target_last,
                   Sums& sums, Work& work)
    : program_(program),
      cells_(program),
      network_(network),
      order_(order),
      target_last_(target_last),
      sums_(sums),
      work_(work) {
  for (std::size_t r = 0; r < program.ranks.size(); ++r) {
    memory_.emplace_back(cells_.count(r));
    start(r);
  }
  std::size_t chunks = 0;
  for (const QueuedOperation& action : network.actions) {
    firsts_.push_back(chunks);
    chunks += action.operation->count;
  }
  carried_.assign(chunks, Sums::undefined);
  local_.assign(chunks, Sums::undefined);
}

void DataWalk::all() {
  std::vector<std::uint32_t> actions(order_.events());
  for (std::uint32_t a = 0; a < network_.actions.size(); ++a) {
    const std::uint32_t last = a + 1 < network_.actions.size() ? order_.begin(a + 1) : order_.events();
    for (std::uint32_t e = order_.begin(a); e < last; ++e) actions[e] = a;
  }
  for (const std::uint32_t event : order_.order()) {
    const std::uint32_t action = actions[event];
    work_.spend(32 + 32 * network_.actions[action].operation->sources.size());
    const std::uint32_t offset = event - order_.begin(action);
    if (offset < 2) continue;
    const std::uint32_t count = network_.actions[action].operation->count;
    if (offset - 2 < count) {
      act(action, offset - 2);
    } else {
      read(action, offset - 2 - count);
    }
  }
}

void DataWalk::start(std::size_t rank) {
  if (!has_input(rank)) return;
  const std::uint32_t size = program_.ranks[rank].input;
  for (std::uint32_t c = 0; c < size; ++c) {
    memory_[rank][*cells_.cell(rank, Space::input, c)].value = sums_.leaf(static_cast<std::uint32_t>(rank) * size + c);
  }
}

SumNumber DataWalk::look(std::uint32_t action, Space space, std::int64_t offset) {
  const SumNumber value = cell(network_.actions[action].rank, space, offset).value;
  if (value == Sums::undefined && (blind_.empty() || blind_.back() != action)) blind_.push_back(action);
  return value;
}

void DataWalk::read(std::uint32_t action, std::uint32_t j) {
  const ProgramOperation& operation = *network_.actions[action].operation;
  local_[firsts_[action] + j] = look(action, operation.source, operation.sources.front() + j);
}

void DataWalk::act(std::uint32_t action, std::uint32_t j) {
  const QueuedOperation& it = network_.actions[action];
  const ProgramOperation& operation = *it.operation;
  const std::size_t here = firsts_[action] + j;
  const bool read_before = order_.read_at(action, j) != order_.at_chunk(action, j);
  if (reads_source(operation.kind) && operation.kind != Kind::reduce && !read_before) read(action, j);
  SumNumber value = local_[here];
  if (operation.kind == Kind::reduce) {
    value = reduced(action, j);
  } else if (receives(operation.kind)) {
    const SumNumber arrived = carried_[firsts_[it.sender] + j];
    value = reads_source(operation.kind) ? sums_.add(arrived, value) : arrived;
  }
  carried_[here] = value;
  if (!writes_target(operation.kind)) return;
  const auto cell = cells_.cell(it.rank, operation.target, operation.target_offset + j);
  memory_[it.rank][*cell] = {value, action};
}

SumNumber DataWalk::reduced(std::uint32_t action, std::uint32_t j) {
  const ProgramOperation& operation = *network_.actions[action].operation;
  const SumNumber target = look(action, operation.target, operation.target_offset + j);
  std::optional<SumNumber> sum;
  if (!target_last_) sum = target;
  for (const std::int64_t source : operation.sources) {
    const SumNumber next = look(action, operation.source, source + j);
    sum = sum ? sums_.add(*sum, next) : next;
  }
  return target_last_ ? sums_.add(*sum, target) : *sum;
}

}  // namespace quadrille::programs
