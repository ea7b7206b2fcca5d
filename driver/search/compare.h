// `quadrille compare`: compares the algorithms that ship, and schedules of one's own, on one machine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "driver/search/best_by_size.h"
#include "driver/search/known_arguments.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/text/diagnostic.h"
#include "model/text/result.h"
#include "runtime/times/channel_times.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

// The channels that a table's rounds wait for: in each round those that carry the most for their speed.

// Rounds that follow one another, with channels that are the busiest in each of them.
struct BusyRounds {
  std::uint32_t first = 1;
  std::uint32_t last = 1;
  ChannelId channel;           // the first of those channels; half duplex: a link, by its lower-numbered channel
  std::uint64_t channels = 1;  // the number of them
  double per_byte = 0;         // the seconds that it is busy in these rounds, for each byte of a chunk
};

// All rounds with rows, in order. What is left of the table's time goes into starts and latencies. Requires a table in
// rounds that keeps all rules (check() holds). Nothing if the limits are reached. Cost: a pass over the rows.
std::optional<std::vector<BusyRounds>> busy_rounds(const SendTable& table, const TransferCosts& costs,
                                                   const Limits& limits);

// How messages get their rounds and routes: as the schedule says, or by the option of that name.
enum class PlacedBy : std::uint8_t { written, retimed, spread };

// " --retime"; nothing for what is written.
constexpr std::string_view options_of(PlacedBy placement) {
  constexpr std::array<std::string_view, 3> all{"", " --retime", " --spread"};
  return all.at(static_cast<std::size_t>(placement));
}

// One algorithm on the machine, with the arguments that are best there. Measures that it does not have there are not
// set: rounds, if it is written in steps, or its messages break a rule; steps, if its packets break one.
struct Compared {
  struct InRounds {
    std::uint64_t rounds = 0;
    std::uint64_t volume = 0;
    std::optional<Fraction> load = {};  // on shared paths
    std::uint64_t hops = 0;
  };
  // The algorithm with some arguments.
  struct Choice {
    std::string algorithm;     // "allreduce_ring N=8"
    std::uint64_t chunks = 1;  // number of chunks that it cuts a message into
    std::optional<InRounds> in_rounds = {};
    std::vector<BusyRounds> busy = {};  // what takes its time
    PlacedBy placement = PlacedBy::written;
    std::shared_ptr<const ir::Schedule> schedule = {};  // that is measured…
    Arguments arguments = {};                           // …with these

    // The arguments and options with which `replay` takes that time: "allreduce_ring N=8 --retime".
    std::string name() const { return algorithm + std::string(options_of(placement)); }
  };
  std::string algorithm;        // "allreduce_segmented_ring N=8 segments=1|64 --retime": the names of all choices
  std::vector<Choice> choices;  // those that are best at some size, in the order of the sizes
  std::vector<std::size_t> choice_at = {};        // by size, into `choices`
  std::vector<std::optional<double>> times = {};  // by size, in seconds
  std::optional<std::uint64_t> steps = {};        // of the first choice
  Bound bound = {};                               // on the steps, for as many chunks

  bool whole = true;      // limits left nothing of it unmeasured
  std::string file = {};  // of CompareRequest::files; empty: it ships

  const Choice& first() const { return choices.front(); }
  const Choice& at(std::size_t size) const { return choices[choice_at[size]]; }
};

struct CompareRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
  std::string levels = {};                // "8,4,2": MachineLevels; empty: those that the fabric has
  std::vector<std::string> sizes = {};    // "64KiB", or several with commas
  std::string costs = {};                 // parse_costs
  bool steps = false;                     // steps are measured though sizes are given; each row takes a retiming
  // Called with each row as soon as it is measured, if it is set.
  std::function<void(const Compared& row)> on_row = {};
  bool every_choice = false;  // choices are measured whatever their bounds and rows; it takes longer
  std::uint64_t most_rows = std::uint64_t{1} << 23;  // of a choice, where its algorithm is measured with others
  std::string size_of = {};                          // message_sizes; needs sizes
  std::vector<std::string> files = {};               // schedules that are measured, too (open_schedule)
  std::vector<std::string> defines = {};             // "name=value", for those of the files that have the parameter
  std::vector<std::string> only = {};  // names of what is measured, of what ships and of the files; empty: all
  std::string consumer = {};           // one of consumers(): only what that executor takes; empty: all
  // Where the best go (save_best): a file for tables in the format of its extension, or else a folder; and a file for
  // the schedule. Empty: nowhere. They need sizes.
  std::string output = {};
  std::string schedule = {};
};

// An algorithm with arguments that are of no use: by size, it takes at least so many seconds, however its messages are
// placed, and something known takes less. Or it has too many rows, or so many segments that fewer tell that it is
// of no use, where the algorithm was measured with others.
struct PassedOver {
  std::string algorithm;
  std::vector<double> at_least = {};
  std::uint64_t rows = 0;      // if so many, at least, are too many; then there are no times
  bool more_segments = false;  // likewise
};

// The best for messages of these sizes, between and beyond those that were asked for: the least of what was measured.
struct BestOfSizes {
  std::uint64_t above = 0;                  // bytes of a message
  std::optional<std::uint64_t> up_to = {};  // nothing: of any size above
  Compared::Choice choice;
  LinearTime time = {};
  // The files that have it; empty where none was asked for, or written.
  std::string table = {};
  std::string schedule_file = {};
};

struct CompareOutcome {
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;
  Collective collective;
  Costs costs;
  MachineLevels levels;                               // that were given
  std::vector<std::uint64_t> sizes;                   // of a message, in bytes
  std::vector<double> at_least = {};                  // by size, in seconds: a lower bound for every schedule in rounds
  std::vector<Compared> algorithms = {};              // by time of the first size, or by steps per chunk
  std::vector<std::optional<std::size_t>> best = {};  // by size, into `algorithms`
  std::vector<BestOfSizes> by_size = {};              // the ranges of sizes; none where some size has no best
  std::vector<PassedOver> passed_over = {};
  bool steps = false;            // whether steps were measured
  Reason reason = Reason::none;  // the reason why not all that ship were measured
  std::vector<std::string> notes = {};
  Diagnostics failures = {};  // files that could not be written

  // The seconds in which the algorithm's busiest channels are busy in those rounds, for messages of that size. Requires
  // that these are rounds of the choice.
  static double seconds(const BusyRounds& rounds, const Compared::Choice& choice, std::uint64_t size) {
    return rounds.per_byte * static_cast<double>(size) / static_cast<double>(choice.chunks);
  }
};

// Compares all algorithms that ship for the collective, or for one that serves it (fit.h), with any number of chunks,
// at the fabric's number of processors. Rounds are measured on the fabric with `timing=rounds`, with shared paths
// unless it counts rounds itself; steps are measured after retiming. A measure is left out if the algorithm breaks a
// rule there.
//
// A file's algorithms are named by the file as it was given. Of each that has no row a warning says why not, as long as
// no limit is reached. An error: a file that does not compile, or a define that fits none.
Result<CompareOutcome> run(const CompareRequest& request, Context& context);

// The best schedules of a comparison, as files: tables, and schedules in the language (save_best.cpp).
//
// Writes what the request asks for, and sets the files of the outcome's ranges, its notes and failures.
// CompareRequest:: output is a file where a format has its extension, else a folder, which then has a table and a
// schedule for each range, and best.json, which lists them (best_index.h). A file is for one schedule: it is a failure
// if several are best, each at some size. A schedule file compiles to the rows of the table, without options; a note
// says where the language has none that does.
void save_best(CompareOutcome& outcome, const CompareRequest& request, Context& context);

}  // namespace quadrille::driver
