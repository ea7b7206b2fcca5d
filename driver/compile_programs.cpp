// Makes the programs of one or all processors, without the whole table in memory.
//
// A pass collects the transmissions of processors begin … end-1. If they do not fit, the upper half of these
// processors is dropped, and left to the next pass. So each pass goes on with at least half of what there is room
// for. For example, of 16384 processors with 2^15 transmissions each, of 24 bytes, 2 GiB hold 2,600: seven passes.
// Files are written one after another, so only one is open at a time.
#include "driver/compile_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/files/file_set.h"
#include "driver/files/write_file.h"
#include "export/transmissions.h"
#include "export/write_program.h"

namespace quadrille::driver {
namespace {

using exporting::ProcessorRange;
using exporting::ProgramForm;
using exporting::TableReductions;
using exporting::Transmission;

// The transmissions of several processors, held together within a limit.
class CollectedPrograms {
 public:
  CollectedPrograms(ProcessorRange range, std::uint64_t most)
      : range_(range), most_(most), lists_(range.end - range.begin) {}

  const ProcessorRange& range() const { return range_; }
  // Whether even one processor has too many.
  bool too_many() const { return count_ > most_; }

  void add(NodeId processor, const Transmission& transmission) {
    if (too_many()) return;
    lists_[processor.value - range_.begin].push_back(transmission);
    ++count_;
    while (too_many() && range_.end - range_.begin > 1) drop_half();
  }

  std::vector<Transmission> take(std::uint32_t processor) {
    std::vector<Transmission> list = std::move(lists_[processor - range_.begin]);
    exporting::put_values_in_order(list);
    return list;
  }

  // Drops all, of the same processors.
  void begin_again() {
    for (std::vector<Transmission>& list : lists_) list.clear();
    count_ = 0;
  }

 private:
  void drop_half() {
    range_.end -= (range_.end - range_.begin) / 2;
    for (std::size_t i = range_.end - range_.begin; i < lists_.size(); ++i) count_ -= lists_[i].size();
    lists_.resize(range_.end - range_.begin);
  }

  ProcessorRange range_;
  std::uint64_t most_;
  std::uint64_t count_ = 0;
  std::vector<std::vector<Transmission>> lists_;
};

class ProgramsWriter {
 public:
  ProgramsWriter(const SendTable& table, const CompileRequest& request, Context& context)
      : table_(table), request_(request), context_(context), set_(request.by_rank, context.environment) {}

  std::optional<Diagnostic> write(ProcessorRange wanted) {
    for (std::uint32_t begin = wanted.begin, width = wanted.end - begin; begin < wanted.end;) {
      CollectedPrograms collected({begin, begin + std::min(width, wanted.end - begin)}, room());
      const auto visit = [&](NodeId processor, const Transmission& it) { collected.add(processor, it); };
      words_ = {};
      if (auto wrong = exporting::read_neighbour_transmissions(
              table_, collected.range(), remaining(context_), visit, [&] { collected.begin_again(); }, words_)) {
        return wrong;
      }
      if (collected.too_many()) {
        return error_at({}, fmt::format("the program of processor {} needs more memory than the limit", begin),
                        Code::limit);
      }
      for (; begin < collected.range().end; ++begin) {
        if (auto wrong = write_one(begin, collected.take(begin))) return wrong;
      }
      width = collected.range().end - collected.range().begin;
    }
    return request_.by_rank.empty() ? std::nullopt : failed(set_.finish());
  }

 private:
  // The number of transmissions that there is room for. Lists may have twice the room that they need, and programs
  // are made from them.
  std::uint64_t room() const { return remaining(context_).memory / 4 / sizeof(Transmission); }

  std::optional<Diagnostic> write_one(std::uint32_t processor, const std::vector<Transmission>& transmissions) {
    if (auto ended = stopped(context_.limits.reached())) return ended;
    if (context_.limits.progress) {
      context_.limits.progress(
          {.stage = "writing", .done = processor, .of = table_.fabric.processors(), .unit = "programs"});
    }
    const auto program = exporting::program_of(table_, NodeId(processor), transmissions, words_, context_.limits);
    if (!program) return program.diagnostics().front();
    if (!request_.by_rank.empty() && !begun_) {  // not before there is a program to write
      if (auto wrong = failed(set_.begin(names()))) return wrong;
      begun_ = true;
    }
    Reason ended = Reason::none;
    const auto write = [&](const auto& sink) {
      ended = exporting::write_program(*program, table_, form(), sink, context_.limits);
      return ended == Reason::none;
    };
    const std::string path = request_.by_rank.empty() ? request_.output : set_.path(name_of(processor));
    if (auto failure = write_output(path, write, context_.environment)) return failure;
    return stopped(ended);
  }

  static std::optional<Diagnostic> stopped(Reason reason) {
    if (reason == Reason::none) return std::nullopt;
    return error_at({}, fmt::format("not all programs have been written: {}", to_string(reason)), code_of(reason));
  }

  static std::optional<Diagnostic> failed(const std::optional<std::string>& failure) {
    return failure ? std::optional(error_at({}, *failure, Code::file)) : std::nullopt;
  }

  std::string name_of(std::uint32_t processor) const {
    const char* extension = form() == ProgramForm::text ? "txt" : form() == ProgramForm::csv ? "csv" : "json";
    return fmt::format("{}.{}", processor, extension);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < table_.fabric.processors(); ++i) names.push_back(name_of(i));
    return names;
  }

  // The form that is named; else the one of the file's extension; else the one for people on standard output, and CSV
  // in files.
  ProgramForm form() const {
    const auto is = [&](std::string_view name) {
      return request_.format.empty() ? request_.output.ends_with(fmt::format(".{}", name)) : request_.format == name;
    };
    if (is("json")) return ProgramForm::json;
    if (is("csv")) return ProgramForm::csv;
    const bool person = request_.format == "text" || (request_.by_rank.empty() && request_.format.empty());
    return person ? ProgramForm::text : ProgramForm::csv;
  }

  const SendTable& table_;
  const CompileRequest& request_;
  Context& context_;
  TableReductions words_;
  FileSet set_;  // of --by-rank
  bool begun_ = false;
};

}  // namespace

bool asks_for_programs(const CompileRequest& request) { return request.rank || !request.by_rank.empty(); }

std::optional<Diagnostic> refused_programs(const CompileRequest& request) {
  const auto usage = [](std::string message) { return error_at({}, std::move(message), Code::usage); };
  if (request.rank && !request.by_rank.empty()) return usage("--by-rank: goes without --rank, which asks for one");
  if (!request.by_rank.empty() && !request.output.empty()) {
    return usage("--by-rank: goes without -o; the files are in its folder");
  }
  if (!request.format.empty() && request.format != "text" && request.format != "csv" && request.format != "json") {
    return usage(fmt::format("--format {}: expected text, csv or json for a processor's program", request.format));
  }
  return std::nullopt;
}

std::optional<Diagnostic> write_programs(const SendTable& table, const CompileRequest& request, Context& context) {
  const std::uint32_t processors = table.fabric.processors();
  if (request.rank && *request.rank >= processors) {
    return error_at({}, fmt::format("--rank {}: the processors are 0 to {}", *request.rank, processors - 1),
                    Code::range);
  }
  ProcessorRange wanted{0, processors};
  if (request.rank) {
    wanted = {*request.rank, *request.rank + 1};
  } else if (const auto failure = context.environment.create_folder(request.by_rank)) {
    return error_at({}, fmt::format("cannot make the folder {}: {}", request.by_rank, *failure), Code::file);
  }
  return ProgramsWriter(table, request, context).write(wanted);
}

}  // namespace quadrille::driver
