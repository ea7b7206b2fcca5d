// Programs, a line for each instruction. Cost: linear; no more than a piece is in memory besides the program.
#include "export/write_program.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/described.h"
#include "model/fabric_notation.h"
#include "model/limits/work.h"
#include "model/text/broken_lines.h"

namespace quadrille::exporting {
namespace {

class ProgramWriter {
 public:
  ProgramWriter(const ProcessorProgram& program, const SendTable& table,
                const std::function<bool(std::string_view)>& sink, const Limits& limits)
      : program_(program),
        table_(table),
        messages_(table.rows->has_messages()),
        worded_(table.rows->has_partial_reductions()),
        sink_(sink),
        limits_(limits) {}

  void text() {
    put(fmt::format("processor   {}\nschedule    {}\nfabric      {}\ncollective  {}\nbuffers     {}\n",
                    program_.processor.value, table_.schedule, described(table_.fabric), described(table_.collective),
                    buffers(" ", ", ")));
    if (table_.collective.combining()) put(fmt::format("wanted      {}\n", wanted()));
    if (worded_) put(fmt::format("results     {}\n", results(" = ", " ", " + ", ", ")));
    put(fmt::format("\n{:>6}  {:<40} {}\n", table_.fabric.in_rounds() ? "round" : "step", "what", "where"));
    for (const Instruction& it : program_.instructions) {
      const std::string what =
          fmt::format("{} {} {} {}", to_string(it.what.action), table_.collective.label(it.what.chunk),
                      it.sends() ? "to" : "from", table_.fabric.name(it.what.peer));
      std::string where =
          it.place().buffer == Buffer::none ? "" : fmt::format("{} {}", to_string(it.place().buffer), it.place().slot);
      for (const BufferSlot& other : it.others) where += fmt::format(" + {} {}", to_string(other.buffer), other.slot);
      put(where.empty() ? fmt::format("{:>6}  {}\n", it.what.step.value, what)
                        : fmt::format("{:>6}  {:<40} {}\n", it.what.step.value, what, where));
    }
    flush();
  }

  void csv() {
    put(fmt::format("# quadrille-program 1\n# fabric: {}\n# collective: {}\n# schedule: {}\n# processor: {}\n# {}\n",
                    in_lines(table_.fabric.notation(), "#| "), in_lines(table_.collective.notation(), "#| "),
                    table_.schedule, program_.processor.value, buffers(": ", "\n# ")));
    if (table_.collective.combining()) put(fmt::format("# wanted: {}\n", wanted()));
    if (worded_) put(fmt::format("# results: {}\n", results("=", ":", "+", ",")));
    put(fmt::format("step,action,peer,lane,origin,target,part,{}buffer,slot\n", messages_ ? "message," : ""));
    for (const Instruction& it : program_.instructions) {
      const Transmission& what = it.what;
      const ChunkName name = table_.collective.name(what.chunk);
      const auto end = std::back_inserter(waiting_);
      fmt::format_to(end, FMT_COMPILE("{},{},{},{},{},"), what.step.value, to_string(what.action), peer(what.peer),
                     what.lane.value, name.origin);
      if (name.target) fmt::format_to(end, FMT_COMPILE("{}"), *name.target);
      fmt::format_to(end, FMT_COMPILE("{},{},"), name.target ? "" : "*", name.part);
      if (messages_) fmt::format_to(end, FMT_COMPILE("{},"), what.message.value);
      fmt::format_to(end, FMT_COMPILE("{}"), to_string(it.place().buffer));
      for (const BufferSlot& other : it.others) fmt::format_to(end, FMT_COMPILE("+{}"), to_string(other.buffer));
      waiting_ += ',';
      if (it.place().buffer != Buffer::none) fmt::format_to(end, FMT_COMPILE("{}"), it.place().slot);
      for (const BufferSlot& other : it.others) fmt::format_to(end, FMT_COMPILE("+{}"), other.slot);
      put("\n");
    }
    flush();
  }

  void json() {
    nlohmann::ordered_json head{{"quadrille_program", 1},
                                {"fabric", nlohmann::ordered_json::parse(json_value(table_.fabric))},
                                {"collective", table_.collective.notation()},
                                {"schedule", table_.schedule},
                                {"processor", program_.processor.value},
                                {"buffers", nlohmann::ordered_json::object()}};
    for (const auto& [buffer, slots] : sizes()) head["buffers"][std::string(to_string(buffer))] = slots;
    if (table_.collective.combining()) head["wanted"] = program_.wanted;
    if (worded_) head["results"] = results();
    std::string text = head.dump();
    text.back() = ',';
    put(text + "\"instructions\":[");
    bool first = true;
    for (const Instruction& it : program_.instructions) {
      put(std::exchange(first, false) ? "\n" : ",\n");
      put(row(it).dump());
    }
    put("\n]}\n");
    flush();
  }

 private:
  using Json = nlohmann::ordered_json;

  Json row(const Instruction& it) const {
    const Transmission& what = it.what;
    const ChunkName name = table_.collective.name(what.chunk);
    Json result = Json::array({what.step.value, to_string(what.action), table_.fabric.name(what.peer), what.lane.value,
                               name.origin, name.target ? Json(*name.target) : Json("*"), name.part});
    if (messages_) result.push_back(what.message.value);
    if (it.others.empty()) {
      result.push_back(it.place().buffer == Buffer::none ? Json() : Json(to_string(it.place().buffer)));
      result.push_back(it.place().buffer == Buffer::none ? Json() : Json(it.place().slot));
      return result;
    }
    Json buffers = Json::array({to_string(it.place().buffer)});
    Json slots = Json::array({it.place().slot});
    for (const BufferSlot& other : it.others) {
      buffers.push_back(to_string(other.buffer));
      slots.push_back(other.slot);
    }
    result.push_back(std::move(buffers));
    result.push_back(std::move(slots));
    return result;
  }

  // A list for each value that is wanted.
  Json results() const {
    Json all = Json::array();
    for (const std::vector<BufferSlot>& places : program_.results) {
      Json one = Json::array();
      for (const BufferSlot& place : places) one.push_back(Json::array({to_string(place.buffer), place.slot}));
      all.push_back(std::move(one));
    }
    return all;
  }

  // "0=kept:1+kept:0", with such signs.
  std::string results(std::string_view is, std::string_view at, std::string_view plus, std::string_view next) const {
    std::string text;
    for (std::size_t i = 0; i < program_.results.size(); ++i) {
      text += fmt::format("{}{}", text.empty() ? "" : next, program_.wanted[i]);
      std::string_view sign = is;
      for (const BufferSlot& place : program_.results[i]) {
        text += fmt::format("{}{}{}{}", std::exchange(sign, plus), to_string(place.buffer), at, place.slot);
      }
    }
    return text.empty() ? "none" : text;
  }

  // Few peers, many instructions.
  const std::string& peer(NodeId node) {
    const auto [place, added] = names_.try_emplace(node);
    if (added) place->second = table_.fabric.name(node);
    return place->second;
  }

  std::vector<std::pair<Buffer, std::uint64_t>> sizes() const {
    if (worded_)
      return {{Buffer::values, program_.values}, {Buffer::kept, program_.kept}, {Buffer::scratch, program_.scratch}};
    if (table_.collective.combining()) return {{Buffer::values, program_.values}, {Buffer::scratch, program_.scratch}};
    return {{Buffer::input, program_.input}, {Buffer::output, program_.output}, {Buffer::scratch, program_.scratch}};
  }

  std::string buffers(std::string_view is, std::string_view next) const {
    std::string text;
    for (const auto& [buffer, slots] : sizes()) {
      text += fmt::format("{}{}{}{}", text.empty() ? "" : next, to_string(buffer), is, slots);
    }
    return text;
  }

  // "0-7,9"; "none".
  std::string wanted() const {
    std::vector<std::string> ranges;
    const auto& all = program_.wanted;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      for (end = begin + 1; end < all.size() && all[end] == all[end - 1] + 1;) ++end;
      ranges.push_back(end == begin + 1 ? fmt::to_string(all[begin]) : fmt::format("{}-{}", all[begin], all[end - 1]));
    }
    return ranges.empty() ? "none" : fmt::format("{}", fmt::join(ranges, ","));
  }

  void put(std::string_view text) {
    constexpr std::size_t piece = 1 << 16;
    waiting_ += text;
    if (waiting_.size() >= piece) flush();
  }
  void flush() {
    if (const Reason reason = limits_.reached(); reason != Reason::none) throw Ended{reason};
    if (takes_more_) takes_more_ = sink_(waiting_);
    waiting_.clear();
  }

  const ProcessorProgram& program_;
  const SendTable& table_;
  bool messages_;
  bool worded_;
  const std::function<bool(std::string_view)>& sink_;
  const Limits& limits_;
  std::unordered_map<NodeId, std::string> names_;  // of peers
  std::string waiting_;
  bool takes_more_ = true;
};

}  // namespace

Reason write_program(const ProcessorProgram& program, const SendTable& table, ProgramForm form,
                     const std::function<bool(std::string_view)>& sink, const Limits& limits) {
  ProgramWriter writer(program, table, sink, limits);
  try {
    if (form == ProgramForm::text) {
      writer.text();
    } else if (form == ProgramForm::csv) {
      writer.csv();
    } else {
      writer.json();
    }
    return Reason::none;
  } catch (const Ended& ended) {
    return ended.reason;
  }
}

}  // namespace quadrille::exporting
