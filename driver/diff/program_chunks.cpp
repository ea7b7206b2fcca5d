// The transfers of an executor's program: what each of its sends carries, from one walk through its operations.
#include <fmt/format.h>

#include "driver/diff/sent_contents.h"
#include "programs/data_walk.h"
#include "programs/happens_before.h"
#include "programs/network.h"

namespace quadrille::driver {
namespace {

Diagnostic wrong(const std::string& why) {
  return error_at({}, fmt::format("the program is wrong: {}; `quadrille check` tells more", why), Code::invalid);
}

void add_sends(const programs::ProgramNetwork& network, const programs::DataWalk& walk, SentContents& result) {
  for (const programs::Connection& connection : network.connections) {
    std::uint64_t place = 0;
    for (const std::uint32_t action : connection.sends) {
      ++place;  // the chunks of one message have one place
      for (std::uint32_t chunk = 0; chunk < network.actions[action].operation->count; ++chunk) {
        result.all.push_back({connection.from, connection.to, static_cast<std::uint32_t>(connection.channel),
                              walk.carried(action, chunk), place, place});
      }
    }
  }
}

void add_results(const programs::Program& program, const programs::DataWalk& walk, SentContents& result) {
  for (std::uint32_t rank = 0; rank < program.ranks.size(); ++rank) {
    if (program.family == programs::ProgramFamily::reduce && rank != program.root) continue;
    for (std::uint32_t chunk = 0; chunk < program.ranks[rank].output; ++chunk)
      result.results[{rank, chunk}] = walk.cell(rank, programs::Space::output, chunk).value;
  }
}

}  // namespace

Result<SentContents> sent_contents_of(const programs::MscclFile& file, const programs::MscclCall& call,
                                      programs::Sums& sums, Context& context) {
  programs::LoadedMsccl loaded = programs::load_msccl(file, call, 1);
  const programs::Program& program = loaded.program;
  if (const std::uint64_t chunks = programs::chunks_in_buffers(program); chunks > programs::most_followed) {
    return error_at(
        {},
        fmt::format("a program's buffers have {} chunks, and {} are followed at most", chunks, programs::most_followed),
        Code::limit);
  }
  SentContents result;
  result.processors = static_cast<std::uint32_t>(program.ranks.size());
  const Limits limits = remaining(context);
  try {
    Work work(limits);
    const programs::ProgramNetwork network = programs::connect(program, loaded.report, 1, work);
    for (const programs::ProgramProperty property :
         {programs::ProgramProperty::structure, programs::ProgramProperty::matching}) {
      if (loaded.report.of(property).verdict == programs::ProgramVerdict::violated)
        return wrong(fmt::format("{} is violated", to_string(property)));
    }
    const programs::HappensBefore order(program, network, work);
    if (!order.acyclic()) return wrong("it never ends");
    programs::DataWalk walk(program, network, order, false, sums, work);
    walk.all();
    if (!program.ranks.empty()) result.inputs = program.ranks.front().input;
    add_sends(network, walk, result);
    add_results(program, walk, result);
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("the program has not been followed to its end: {}", to_string(ended.reason)),
                    code_of(ended.reason));
  }
  return result;
}

}  // namespace quadrille::driver
