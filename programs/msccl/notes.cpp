// Notes on an MSCCL XML file as it was loaded: points that a person may understand differently from the executor, and
// requirements on the communicator.
#include <fmt/format.h>

#include <algorithm>

#include "programs/msccl/load.h"

namespace quadrille::programs {
namespace {

class MscclNotes {
 public:
  MscclNotes(const MscclFile& file, const Executor& executor, const Program& program, ProgramReport& report)
      : file_(file), executor_(executor), program_(program), report_(report) {}

  void all() {
    note_channels();
    note_numbers();
    if (program_.rules.relaxed_scratch || program_.rules.fence_by_transport) note_memory_order();
  }

 private:
  void note_channels() {
    if (file_.channels <= 1 || file_.channels > executor_.channels || executor_.adds_channels) return;
    report_.notes.push_back(
        {"channels", fmt::format("the communicator must have {} channels: with fewer, {} does not take the file",
                                 file_.channels, executor_.name)});
  }

  // Notes waits that lead to another step than the one with that number in the file.
  void note_numbers() {
    for (std::size_t r = 0; r < program_.ranks.size(); ++r) {
      for (const ThreadBlock& block : program_.ranks[r].blocks) {
        for (const ProgramOperation& operation : block.operations) {
          for (const FlagWait& wait : operation.waits) note_number(r, block, operation, wait);
        }
      }
    }
  }

  void note_number(std::size_t r, const ThreadBlock& block, const ProgramOperation& operation, const FlagWait& wait) {
    const ProgramOperation* really = awaited(program_.ranks[r], wait);
    if (really == nullptr || covers(*really, r, wait)) return;
    report_.notes.push_back(
        {"step_number",
         fmt::format(
             "deps={} of block {} is not the step that is numbered so in the file: what is waited for is its s={}",
             wait.number, wait.block, really->written),
         Location{static_cast<std::uint32_t>(r), block.id, operation.written, operation.span, 0}});
  }

  // Whether the operation includes the step written with the number waited for, or begins where it does.
  bool covers(const ProgramOperation& operation, std::size_t r, const FlagWait& wait) const {
    if (operation.written == wait.number) return true;
    const auto fused = static_cast<std::int64_t>(operation.sources.size());
    if (fused > 1 && wait.number > operation.written && wait.number < operation.written + fused) return true;
    // If no step of the file has that number, nothing was misread.
    const auto& operations = block_of(program_.ranks[r], wait.block)->operations;
    return std::none_of(operations.begin(), operations.end(),
                        [&](const ProgramOperation& each) { return each.written == wait.number; });
  }

  void note_memory_order() {
    std::size_t count = 0;
    std::optional<Location> first;
    for (std::size_t r = 0; r < program_.ranks.size(); ++r) {
      for (const ThreadBlock& block : program_.ranks[r].blocks) {
        for (const ProgramOperation& operation : block.operations) {
          for (const FlagWait& wait : operation.waits) {
            const ProgramOperation* setter = awaited(program_.ranks[r], wait);
            if (setter == nullptr || (program_.rules.relaxed_scratch && setter->target != Space::scratch &&
                                      operation.source == Space::output)) {
              continue;
            }
            if (count++ == 0) {
              first = Location{static_cast<std::uint32_t>(r), block.id, operation.written, operation.span, 0};
            }
          }
        }
      }
    }
    if (count == 0) return;
    const char* why = program_.rules.relaxed_scratch
                          ? "flags release memory only after steps whose dstbuf is not s, and acquire it only before "
                            "steps whose srcbuf is o"
                          : "flags are fenced only where a transport other than peer-to-peer is in use";
    report_.notes.push_back({"memory_order",
                             fmt::format("{} wait{} on a flag without a fence in {}: {}", count, count == 1 ? "" : "s",
                                         executor_.name, why),
                             first});
  }

  const MscclFile& file_;
  const Executor& executor_;
  const Program& program_;
  ProgramReport& report_;
};

}  // namespace

void note_msccl(const MscclFile& file, const Executor& executor, const Program& program, ProgramReport& report) {
  MscclNotes(file, executor, program, report).all();
}

}  // namespace quadrille::programs
