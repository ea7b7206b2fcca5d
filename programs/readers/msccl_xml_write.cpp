// Writing MSCCL XML so that the executors' own reader gets over it: a blank between attributes, double quotes, no
// declaration.
#include <fmt/format.h>

#include <iterator>

#include "programs/readers/msccl_xml.h"

namespace quadrille::programs {
namespace {

std::string_view name_of(const MscclStep& step) {
  if (step.adds_result) return "ra";
  if (!step.kind) return "nop";
  switch (*step.kind) {
    case Kind::send:
      return "s";
    case Kind::receive:
      return "r";
    case Kind::receive_copy_send:
      return "rcs";
    case Kind::receive_reduce_send:
      return "rrs";
    case Kind::receive_reduce_copy:
      return "rrc";
    case Kind::receive_reduce_copy_send:
      return "rrcs";
    case Kind::copy:
      return "cpy";
    case Kind::reduce:
      break;
  }
  return "re";
}

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

}  // namespace

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
        fmt::format_to(out,
                       "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
                       "cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
                       step.s, name_of(step), letter(step.source), step.source_offset, letter(step.target),
                       step.target_offset, step.count, step.depends_on_block, step.depends_on_step,
                       step.has_dependence);
      }
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  text += "</algo>\n";
  return text;
}

}  // namespace quadrille::programs
