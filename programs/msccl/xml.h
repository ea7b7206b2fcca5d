// MSCCL XML as it is written: an algorithm, its ranks, their thread blocks, and their steps. load_msccl
// (programs/msccl/load.h) loads it as an executor does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/result.h"
#include "model/text/source.h"
#include "programs/msccl/executor.h"
#include "programs/program.h"

namespace quadrille::programs {

struct MscclStep {
  std::int64_t s = 0;
  std::optional<Kind> kind = {};  // nothing: a nop
  bool adds_result = false;       // `ra`, which one parser accepts and no kernel runs; its kind is nothing
  Space source = Space::input;
  Space target = Space::input;
  std::int64_t source_offset = 0;
  std::int64_t target_offset = 0;
  std::int64_t count = 0;
  std::int64_t depends_on_block = -1;  // depid
  std::int64_t depends_on_step = -1;   // deps
  std::int64_t has_dependence = 0;     // hasdep
  Span span = {};
};

struct MscclBlock {
  std::int64_t id = 0;
  std::int64_t send = -1;
  std::int64_t receive = -1;
  std::int64_t channel = 0;
  std::vector<MscclStep> steps = {};
  Span span = {};
};

struct MscclRank {
  std::int64_t id = 0;
  std::int64_t input_chunks = 0;
  std::int64_t output_chunks = 0;
  std::int64_t scratch_chunks = 0;
  std::vector<MscclBlock> blocks = {};
  Span span = {};
};

// A text that is valid XML, but that every executor's own reader fails to read: a declaration, tabs, line ends inside
// a tag, …
struct MscclReadError {
  std::string message;
  Span span;
};

struct MscclFile {
  std::string name = {};
  Protocol protocol = Protocol::simple;
  std::int64_t channels = 1;
  std::int64_t chunks = 1;  // nchunksperloop
  std::int64_t ranks = 1;   // ngpus
  std::string collective = {};
  bool in_place = false;
  std::optional<bool> out_of_place = {};
  // The only numbers that executors read as 64 bits. They compare them with sizes, which have no sign (bytes_of).
  std::optional<std::int64_t> least_bytes = {};
  std::optional<std::int64_t> most_bytes = {};  // 0: no limit
  std::vector<MscclRank> members = {};          // one of each existing number below `ranks`, by number
  std::vector<MscclReadError> read_errors = {};
  Span span = {};
};

// Whether a text begins like XML whose first element is `algo`.
bool is_msccl_xml(std::string_view beginning);

// The file, or its errors, with their places; `index` is the source's among the diagnostics' sources. Takes time and
// memory linear in the text: declarations of entities, deep nesting and numbers beyond what executors read are refused.
Result<MscclFile> read_msccl_xml(const Source& source, std::uint32_t index, const Limits& limits = {});

// The word for a step's type: "rcs", "nop".
std::string_view word_of(const MscclStep& step);

// The file as text. Reading the text gives the same file.
std::string write_msccl_xml(const MscclFile& file);

// Edits the text that `before` was read from into the text of `after`: comments, unknown attributes and layout stay.
// `after` may have other values of s, depid, deps and hasdep, and new steps before a step; the places of new steps
// are no step's in `before`. Requires a text in UTF-8 or another encoding that agrees with ASCII.
std::string edit_msccl_xml(std::string_view text, const MscclFile& before, const MscclFile& after);

}  // namespace quadrille::programs
