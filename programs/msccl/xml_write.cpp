// Writes MSCCL XML that the executors' own reader can read: a blank between attributes, double quotes, no
// declaration. Editing changes only the values that differ, and adds new nops:
//
//    <!-- rank 0 -->                                        <!-- rank 0 -->
//    <step s="0" type="cpy" … depid="1" note="x"/>          <step s="0" type="nop" … depid="2" …/>
//                                                           <step s="1" type="cpy" … depid="1" note="x"/>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "programs/msccl/xml.h"

namespace quadrille::programs {
namespace {

char letter(Space space) { return space == Space::input ? 'i' : space == Space::output ? 'o' : 's'; }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string step_text(const MscclStep& step) {
  return fmt::format(
      R"(<step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" depid="{}" deps="{}" hasdep="{}"/>)",
      step.s, word_of(step), letter(step.source), step.source_offset, letter(step.target), step.target_offset,
      step.count, step.depends_on_block, step.depends_on_step, step.has_dependence);
}

class MscclTextEditor {
 public:
  MscclTextEditor(std::string_view text, const MscclFile& before) : text_(text) {
    for (const MscclRank& rank : before.members) {
      for (const MscclBlock& block : rank.blocks) {
        for (const MscclStep& step : block.steps) steps_[step.span.begin] = &step;
      }
    }
  }

  void take(const MscclBlock& block) {
    std::vector<const MscclStep*> fresh;
    for (const MscclStep& step : block.steps) {
      const auto before = steps_.find(step.span.begin);
      if (before == steps_.end()) {
        fresh.push_back(&step);
        continue;
      }
      for (const MscclStep* each : fresh) insert(*each, step.span.begin);
      fresh.clear();
      change(*before->second, step);
    }
  }

  std::string finished() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string result;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      result += text_.substr(at, edit.begin - at);
      result += edit.text;
      at = edit.end;
    }
    return result + std::string(text_.substr(at));
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  // Inserts a step, on a line of its own with the indentation of the step after it, if that one has its own line.
  void insert(const MscclStep& step, std::size_t before) {
    const std::size_t end = text_.find_last_not_of(" \t", before - 1);
    const bool alone = end != text_.npos && text_[end] == '\n';
    const std::size_t line_end = alone && end > 0 && text_[end - 1] == '\r' ? end - 1 : end;
    edits_.push_back(
        {before, before, step_text(step) + std::string(alone ? text_.substr(line_end, before - line_end) : "")});
  }

  void change(const MscclStep& before, const MscclStep& after) {
    const std::array<std::tuple<std::string_view, std::int64_t, std::int64_t>, 4> values = {{
        {"s", before.s, after.s},
        {"depid", before.depends_on_block, after.depends_on_block},
        {"deps", before.depends_on_step, after.depends_on_step},
        {"hasdep", before.has_dependence, after.has_dependence},
    }};
    for (const auto& [name, old, now] : values) {
      if (old == now) continue;
      const auto [begin, end] = value_of(name, before.span);
      edits_.push_back({begin, end, std::to_string(now)});
    }
  }

  // The place of the attribute's value in the tag, between its quotes. Requires that the tag has the attribute.
  std::pair<std::size_t, std::size_t> value_of(std::string_view name, Span span) const {
    constexpr std::string_view blanks = " \t\r\n";
    std::size_t at = text_.find_first_of(blanks, span.begin);
    for (;;) {
      const std::size_t key = text_.find_first_not_of(blanks, at);
      const std::size_t key_end = text_.find_first_of(" \t\r\n=", key);
      const std::size_t quote = text_.find_first_of("\"'", key_end);
      const std::size_t end = text_.find(text_[quote], quote + 1);
      if (text_.substr(key, key_end - key) == name) return {quote + 1, end};
      at = end + 1;
    }
  }

  std::string_view text_;
  std::map<std::uint32_t, const MscclStep*> steps_ = {};  // by place
  std::vector<Edit> edits_ = {};
};

}  // namespace

std::string edit_msccl_xml(std::string_view text, const MscclFile& before, const MscclFile& after) {
  MscclTextEditor editor(text, before);
  for (const MscclRank& rank : after.members) {
    for (const MscclBlock& block : rank.blocks) editor.take(block);
  }
  return editor.finished();
}

std::string write_msccl_xml(const MscclFile& file) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 R"(<algo name="{}" proto="{}" nchannels="{}" nchunksperloop="{}" ngpus="{}" coll="{}" inplace="{}")",
                 escaped(file.name), to_string(file.protocol), file.channels, file.chunks, file.ranks,
                 escaped(file.collective), file.in_place ? 1 : 0);
  if (file.out_of_place) fmt::format_to(out, R"( outofplace="{}")", *file.out_of_place ? 1 : 0);
  if (file.least_bytes) fmt::format_to(out, R"( minBytes="{}")", *file.least_bytes);
  if (file.most_bytes) fmt::format_to(out, R"( maxBytes="{}")", *file.most_bytes);
  text += ">\n";
  for (const MscclRank& rank : file.members) {
    fmt::format_to(out, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", rank.id,
                   rank.input_chunks, rank.output_chunks, rank.scratch_chunks);
    for (const MscclBlock& block : rank.blocks) {
      fmt::format_to(out, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", block.id, block.send,
                     block.receive, block.channel);
      for (const MscclStep& step : block.steps) {
        fmt::format_to(out, "      {}\n", step_text(step));
      }
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  text += "</algo>\n";
  return text;
}

}  // namespace quadrille::programs
