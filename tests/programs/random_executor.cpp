#include "tests/programs/random_executor.h"

#include <algorithm>
#include <numeric>

namespace quadrille::programs {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

bool is_send(Kind kind) {
  return kind == Kind::send || kind == Kind::receive_copy_send || kind == Kind::receive_reduce_send ||
         kind == Kind::receive_reduce_copy_send;
}
bool is_receive(Kind kind) { return kind != Kind::send && kind != Kind::copy && kind != Kind::reduce; }
bool adds_local(Kind kind) {
  return kind == Kind::receive_reduce_send || kind == Kind::receive_reduce_copy ||
         kind == Kind::receive_reduce_copy_send;
}
bool stores(Kind kind) { return kind != Kind::send && kind != Kind::receive_reduce_send; }

}  // namespace

RandomExecutor::RandomExecutor(const MscclFile& file, const Setup& setup)
    : file_(file), setup_(setup), random_(mixed(setup.seed)), wires_(file, setup.executor) {
  family_ = file.collective == "reduce_scatter" ? "reducescatter" : file.collective;
  const bool simple = file.protocol == Protocol::simple;
  rules_ = {!setup.bounded ? std::int64_t{1} << 40 : simple ? 2 : 8, !simple};
  early_ = !simple;
  leaky_ = setup.executor == "rccl" && file.protocol == Protocol::ll;
  target_last_ = setup.executor != "rccl" && simple && setup.seed % 2 == 0;
  part_ = file.chunks / file.ranks;
  const auto ranks = static_cast<std::size_t>(file.ranks);
  const auto all = static_cast<std::size_t>(file.chunks);
  input_.resize(ranks);
  output_.resize(ranks);
  scratch_.resize(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    input_[r].resize(all);
    output_[r].resize(all);
  }
  for (const MscclRank& rank : file.members) {
    scratch_[static_cast<std::size_t>(rank.id)].resize(static_cast<std::size_t>(rank.scratch_chunks));
    for (const MscclBlock& block : rank.blocks) load(rank, block);
  }
  begin_call();
}

void RandomExecutor::begin_call() {
  for (auto* buffers : {&input_, &output_, &scratch_}) {
    for (std::vector<Val>& buffer : *buffers) std::fill(buffer.begin(), buffer.end(), Val{});
  }
  const std::int64_t mine = family_ == "allgather" ? part_ : file_.chunks;
  for (std::size_t r = 0; r < input_.size(); ++r) {
    for (std::int64_t c = 0; c < mine; ++c) {
      const std::uint64_t x = contribution(r, c);
      *cell(r, Space::input, c) = {x, mixed(x), false};
    }
  }
  flags_.clear();
  for (Worker& worker : workers_) {
    worker.at = 0;
    worker.phase = 0;
    worker.begun = false;
    worker.over = false;
  }
}

std::uint64_t RandomExecutor::contribution(std::size_t rank, std::int64_t chunk) const {
  return mixed(mixed(call_) + rank * 1000003 + static_cast<std::uint64_t>(chunk));
}

Val* RandomExecutor::cell(std::size_t rank, Space space, std::int64_t offset) {
  const auto own = static_cast<std::int64_t>(rank) * part_;
  if (space == Space::scratch) return &scratch_[rank].at(static_cast<std::size_t>(offset));
  if (setup_.in_place) {
    if (family_ == "allgather" && space == Space::input)
      return &output_[rank].at(static_cast<std::size_t>(own + offset));
    if (family_ == "reducescatter") {
      return &input_[rank].at(static_cast<std::size_t>(space == Space::output ? own + offset : offset));
    }
    return &output_[rank].at(static_cast<std::size_t>(offset));
  }
  return &(space == Space::input ? input_ : output_)[rank].at(static_cast<std::size_t>(offset));
}

Val RandomExecutor::read(std::size_t rank, Space space, std::int64_t offset) {
  const Val value = *cell(rank, space, offset);
  if (value.poison) poisoned_ = true;
  return value;
}

Val RandomExecutor::add(const Val& a, const Val& b) {
  const std::uint64_t low = std::min(a.order, b.order);
  const std::uint64_t high = std::max(a.order, b.order);
  return {a.sum + b.sum, mixed(mixed(low) + 3 * high), a.poison || b.poison};
}

bool RandomExecutor::begins_with_barrier(const Job& job) const {
  return !job.waits.empty() || (is_send(job.kind) && job.count > 0);
}

bool RandomExecutor::one_pending(Worker& worker) {
  if (worker.pending.empty()) return false;
  const std::size_t i = random_() % worker.pending.size();
  const Pending it = worker.pending[i];
  worker.pending.erase(worker.pending.begin() + static_cast<std::ptrdiff_t>(i));
  (*it.message)[it.slot] = {read(worker.rank, it.space, it.source), true};
  return true;
}

void RandomExecutor::barrier(Worker& worker) {
  while (one_pending(worker)) {
  }
}

bool RandomExecutor::begin_or_end(Worker& worker) {
  if (!worker.begun) {
    worker.begun = true;
    if (worker.outgoing != nullptr) worker.sent = worker.outgoing->send_step;
    if (worker.incoming != nullptr) worker.received = worker.incoming->receive_step;
    // Simple's constructor gives back what was received before, too.
    if (worker.incoming != nullptr && !rules_.numbered) worker.incoming->head = worker.received;
    return true;
  }
  if (worker.at < worker.jobs.size()) return false;
  worker.over = true;
  if (worker.outgoing != nullptr) worker.outgoing->send_step = worker.sent;
  if (worker.incoming != nullptr) worker.incoming->receive_step = worker.received;
  return true;
}

// Phases: 0 waits, 1 room and message, 2 early reads, 3 chunk by chunk, 4 the message is done.
bool RandomExecutor::advance(Worker& worker) {
  if (worker.over) return false;
  if (begin_or_end(worker)) return true;
  const Job& job = worker.jobs[worker.at];
  const bool leaks = leaky_ && job.kind == Kind::send;
  if (worker.phase == 0) {
    for (const auto& [block, number] : job.waits) {
      const auto flag = flags_.find({worker.rank, block});
      if (flag == flags_.end() || flag->second < number) return false;
    }
    if (begins_with_barrier(job)) barrier(worker);
    worker.from = 0;
    worker.phase = 2;
  } else if (worker.phase == 2) {
    if (worker.from >= job.count) {
      if (job.count > 0 && !leaks) barrier(worker);
      if (job.flags) flags_[{worker.rank, worker.id}] = job.number;
      ++worker.at;
      worker.phase = 0;
      return true;
    }
    if (leaks && worker.from > 0) barrier(worker);  // each of its messages begins with one
    const std::int64_t size = std::min<std::int64_t>(setup_.together, job.count - worker.from);
    worker.local.assign(static_cast<std::size_t>(size), {});
    if (early_ && adds_local(job.kind)) {
      for (std::int64_t j = 0; j < size; ++j) {
        worker.local[static_cast<std::size_t>(j)] =
            read(worker.rank, job.source, job.sources.front() + worker.from + j);
      }
    }
    worker.phase = 1;
  } else if (worker.phase == 1) {
    if (is_receive(job.kind) && !worker.incoming->message(rules_, worker.received)) return false;
    if (is_send(job.kind) && !worker.outgoing->has_room(rules_, worker.sent)) return false;
    if (is_receive(job.kind)) worker.in = worker.incoming->message(rules_, worker.received);
    if (is_send(job.kind)) {
      worker.out = std::make_shared<std::vector<Slot>>(worker.local.size());
      worker.outgoing->put(rules_, worker.sent++, worker.out);
    }
    worker.chunk = 0;
    worker.phase = 3;
  } else if (worker.phase == 3) {
    const auto j = static_cast<std::size_t>(worker.chunk);
    if (is_receive(job.kind) && (j >= worker.in->size() || !(*worker.in)[j].filled)) return false;
    piece(worker, job);
    if (++worker.chunk == static_cast<std::int64_t>(worker.local.size())) worker.phase = 4;
  } else {
    if (is_receive(job.kind)) worker.incoming->head = ++worker.received;
    worker.from += setup_.together;
    worker.phase = 2;
  }
  return true;
}

void RandomExecutor::piece(Worker& worker, const Job& job) {
  const auto j = static_cast<std::size_t>(worker.chunk);
  const std::int64_t c = worker.from + worker.chunk;
  if (leaky_ && job.kind == Kind::send) {
    worker.pending.push_back({job.sources.front() + c, worker.out, j, job.source, c});
    return;
  }
  Val value;
  if (job.kind == Kind::reduce) {
    const Val target = read(worker.rank, job.target, job.target_offset + c);
    Val sum = target_last_ ? read(worker.rank, job.source, job.sources.front() + c) : target;
    for (std::size_t s = target_last_ ? 1 : 0; s < job.sources.size(); ++s) {
      sum = add(sum, read(worker.rank, job.source, job.sources[s] + c));
    }
    value = target_last_ ? add(sum, target) : sum;
  } else if (is_receive(job.kind)) {
    value = (*worker.in)[j].value;
    if (adds_local(job.kind)) {
      if (!early_) worker.local[j] = read(worker.rank, job.source, job.sources.front() + c);
      value = add(value, worker.local[j]);
    }
  } else {
    value = read(worker.rank, job.source, job.sources.front() + c);
  }
  if (is_send(job.kind)) (*worker.out)[j] = {value, true};
  if (!stores(job.kind)) return;
  // What a thread overwrites it has read itself before, where the two operations go over the same chunks.
  const Job* before = worker.at > 0 ? &worker.jobs[worker.at - 1] : nullptr;
  if (before != nullptr && before->kind == Kind::send && job.kind != Kind::reduce && before->count == job.count &&
      before->source == job.target && before->sources.front() == job.target_offset) {
    for (std::size_t p = 0; p < worker.pending.size(); ++p) {
      if (worker.pending[p].chunk != c) continue;
      std::swap(worker.pending[p], worker.pending.back());
      const Pending it = worker.pending.back();
      worker.pending.pop_back();
      (*it.message)[it.slot] = {read(worker.rank, it.space, it.source), true};
      break;
    }
  }
  *cell(worker.rank, job.target, job.target_offset + c) = value;
}

std::uint64_t RandomExecutor::memory() const {
  std::uint64_t number = 0;
  for (const auto* buffers : {&input_, &output_, &scratch_}) {
    for (const std::vector<Val>& buffer : *buffers) {
      for (const Val& value : buffer) number = mixed(number ^ (value.poison ? 1 : value.order));
    }
  }
  return number;
}

bool RandomExecutor::ended() const {
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.over; });
}

ExecutorRun RandomExecutor::run() {
  ExecutorRun result;
  result.refused = wires_.refused();
  result.unconnected = !result.refused && !wires_.connected();
  if (result.failed()) return result;
  for (; call_ < setup_.calls && !result.hung; ++call_) {
    if (call_ > 0) begin_call();
    run_call();
    result.hung = !ended();
    for (Worker& worker : workers_) barrier(worker);
    if (!result.hung) inspect(result);
  }
  result.read_poison = poisoned_;
  return result;
}

void RandomExecutor::run_call() {
  std::vector<std::size_t> order(workers_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::uint64_t style = setup_.seed % 3;
  std::shuffle(order.begin(), order.end(), random_);
  std::uint64_t turns = 0;
  // One block may begin before all others, and then go on only when no other can.
  Worker* laggard = style == 1 && !workers_.empty() ? &workers_[random_() % workers_.size()] : nullptr;
  if (laggard != nullptr) advance(*laggard);
  for (;;) {
    bool moved = false;
    const std::size_t start = style == 0 && !order.empty() ? random_() % order.size() : 0;
    for (std::size_t i = 0; i < order.size() && !moved; ++i) {
      Worker& worker = workers_[order[(start + i) % order.size()]];
      // Threads that lag behind lag as long as they can.
      moved = (style == 0 && random_() % 4 == 0 && one_pending(worker)) || (&worker != laggard && advance(worker));
    }
    if (!moved && laggard != nullptr) moved = advance(*laggard);
    for (std::size_t i = 0; i < order.size() && !moved; ++i) moved = one_pending(workers_[order[i]]);
    if (!moved) break;
    // Sometimes the one that went first goes last from now on.
    if (style == 2 && ++turns % 50 == 0) std::rotate(order.begin(), order.begin() + 1, order.end());
    if (style == 1 && ++turns % 200 == 0) std::shuffle(order.begin(), order.end(), random_);
  }
}

bool RandomExecutor::steer(const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>& order) {
  for (const auto& [rank, block, index] : order) {
    const auto found = std::find_if(workers_.begin(), workers_.end(), [&, r = rank, b = block](const Worker& worker) {
      return worker.rank == r && worker.id == b;
    });
    if (found == workers_.end() || found->at != index) return false;
    while (found->at == index) {
      if (advance(*found)) continue;
      bool moved = false;  // the threads of a sender that lag behind
      for (Worker& worker : workers_) moved = one_pending(worker) || moved;
      // A reduction that has read its own chunk, and waits for a message, has made the access that is asked for.
      if (!moved && early_ && found->phase == 1 && adds_local(found->jobs[found->at].kind)) break;
      if (!moved) return false;
    }
  }
  return true;
}

void RandomExecutor::inspect(ExecutorRun& result) {
  const auto ranks = static_cast<std::size_t>(file_.ranks);
  const std::int64_t outputs = family_ == "reducescatter" ? part_ : file_.chunks;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto own = static_cast<std::int64_t>(r) * part_;
    for (std::int64_t c = 0; c < outputs; ++c) {
      std::uint64_t due = 0;
      if (family_ == "reduce" && r != 0) continue;
      if (family_ == "allreduce" || family_ == "reduce") {
        for (std::size_t p = 0; p < ranks; ++p) due += contribution(p, c);
      } else if (family_ == "broadcast") {
        due = contribution(0, c);
      } else if (family_ == "reducescatter") {
        for (std::size_t p = 0; p < ranks; ++p) due += contribution(p, own + c);
      } else if (family_ == "allgather") {
        due = contribution(static_cast<std::size_t>(c / part_), c % part_);
      } else {
        due = contribution(static_cast<std::size_t>(c / part_), own + c % part_);
      }
      const Val& value = *cell(r, Space::output, c);
      if (value.poison || value.sum != due) result.wrong = true;
      if (family_ == "allreduce" && value.order != cell(0, Space::output, c)->order) result.disagreed = true;
    }
    if (setup_.in_place) continue;
    const std::int64_t mine = family_ == "allgather" ? part_ : file_.chunks;
    for (std::int64_t c = 0; c < mine; ++c) {
      if (cell(r, Space::input, c)->sum != contribution(r, c)) result.wrong = true;
    }
  }
}

}  // namespace quadrille::programs
