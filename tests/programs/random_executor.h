// A slow, obvious executor of MSCCL XML for tests, written apart from the judge: it reads nothing but the file as
// written, does what a kernel does piece by piece, chunk by chunk, in an order drawn at random, and looks at what comes
// out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "programs/msccl/xml.h"
#include "tests/programs/wires.h"

namespace quadrille::programs {

struct ExecutorRun {
  bool refused = false;      // before anything runs
  bool unconnected = false;  // set-up does not tie each declared end to its other end
  bool hung = false;
  bool read_poison = false;  // something was read that no one had written
  bool wrong = false;        // an output, or an input that should have stayed
  bool disagreed = false;    // outputs that are equal as sums were added up in another order
  bool failed() const { return refused || unconnected || hung || read_poison || wrong || disagreed; }
};

class RandomExecutor {
 public:
  struct Setup {
    std::string executor = "rccl";
    bool in_place = false;
    std::uint32_t together = 1;
    bool bounded = true;  // connections hold as many messages as they do; else any number
    std::uint64_t seed = 1;
    std::uint32_t calls = 1;  // one after another, each with an input of its own
  };
  RandomExecutor(const MscclFile& file, const Setup& setup);

  ExecutorRun run();
  std::uint64_t memory() const;  // a number for all that the buffers hold
  // Does these operations (rank, block, index) one after another, each as a whole. False if one cannot go on.
  bool steer(const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>& order);

 private:
  struct Job {  // as a kernel's table has it
    Kind kind;
    Space source, target;
    std::vector<std::int64_t> sources;
    std::int64_t target_offset;
    std::int64_t count;
    std::vector<std::pair<std::int64_t, std::int64_t>> waits;
    bool flags;
    std::int64_t number;
  };
  struct Pending {  // a thread that still has to read its part of a send
    std::int64_t source;
    Message message;
    std::size_t slot;
    Space space;
    std::int64_t chunk;  // of the operation
  };
  struct Worker {
    std::size_t rank;
    std::int64_t id;
    Wire* outgoing;
    Wire* incoming;
    std::vector<Job> jobs;
    std::int64_t sent = 0;  // as the wires count
    std::int64_t received = 0;
    bool begun = false;
    bool over = false;
    std::size_t at = 0;
    int phase = 0;
    std::int64_t from = 0;   // first chunk of this message
    std::int64_t chunk = 0;  // in this message
    Message out, in;
    std::vector<Val> local;
    std::vector<Pending> pending;
    double priority = 0;
  };

  void load(const MscclRank& rank, const MscclBlock& block);
  void begin_call();
  bool begin_or_end(Worker& worker);  // takes up the counters of its ends, or puts them back; false: it is in between
  void run_call();
  Val* cell(std::size_t rank, Space space, std::int64_t offset);
  Val read(std::size_t rank, Space space, std::int64_t offset);
  static Val add(const Val& a, const Val& b);
  bool advance(Worker& worker);  // a little; false: it cannot
  bool one_pending(Worker& worker);
  void barrier(Worker& worker);
  bool begins_with_barrier(const Job& job) const;
  void piece(Worker& worker, const Job& job);
  void inspect(ExecutorRun& result);
  std::uint64_t contribution(std::size_t rank, std::int64_t chunk) const;
  bool ended() const;

  const MscclFile& file_;
  Setup setup_;
  std::mt19937_64 random_;
  std::string family_;
  WireRules rules_;
  bool early_, leaky_, target_last_;
  std::int64_t part_;
  std::vector<std::vector<Val>> input_, output_, scratch_;
  std::vector<Worker> workers_;
  Wires wires_;
  std::uint64_t call_ = 0;
  std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> flags_;
  bool poisoned_ = false;
};

}  // namespace quadrille::programs
