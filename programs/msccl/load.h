// Loads an MSCCL XML file as one executor does: the operations that run, their numbers, their waits; and reports what
// that executor refuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "programs/msccl/executor.h"
#include "programs/msccl/xml.h"
#include "programs/program.h"
#include "programs/report.h"

namespace quadrille::programs {

// A call of the collective.
struct MscclCall {
  const Executor* executor = nullptr;
  bool in_place = false;
  std::optional<ProgramFamily> family = {};  // instead of the family in the file
  std::uint32_t root = 0;
  std::uint64_t bytes_from = 0;              // of the whole message
  std::uint64_t bytes_to = 0;                // 0: no limit
  std::optional<std::uint64_t> buffer = {};  // of a connection; nothing: the executor's own
};

// The family that a file's word names; nothing if this executor does not know the word.
std::optional<ProgramFamily> family_of(const Executor& executor, std::string_view word);

// The message sizes for which the executor takes the file; `to` = 0: no limit.
struct ByteRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};
ByteRange bytes_of(const MscclFile& file, const Executor& executor);

struct LoadedMsccl {
  Program program;
  ProgramReport report;  // on structure and limits, with notes on channels and step numbers
};

// Loads a file. Requires that read_msccl_xml has read it. Reports `listed` findings of each property.
LoadedMsccl load_msccl(const MscclFile& file, const MscclCall& call, std::size_t listed);

// Adds notes on what violates nothing but is worth knowing: the channels that a communicator must have, waits that
// lead to another step than the one with that number in the file, and flags without a fence.
void note_msccl(const MscclFile& file, const Executor& executor, const Program& program, ProgramReport& report);

}  // namespace quadrille::programs
