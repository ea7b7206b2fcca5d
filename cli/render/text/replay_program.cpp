// A program's time on a fabric, and the channels for which its messages wait, as text.
#include <fmt/format.h>

#include <string>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

std::string contention_text(const driver::ProgramTime& time, const Fabric& fabric) {
  if (time.contended.empty()) return "            no message waits for another one\n";
  std::string text =
      fmt::format("            {:<28} {:>8} {:>10} {:>10}\n", "what messages wait for", "messages", "busy", "waited");
  for (const driver::Contention& it : time.contended) {
    text += fmt::format("              {:<26} {:>8} {:>10} {:>10}\n", fabric.name(it.channel), it.messages,
                        time_text(it.busy), time_text(it.waited));
  }
  return text;
}

}  // namespace

std::string rendered(AsText, const driver::ReplayProgramOutcome& outcome, const Sources&) {
  std::string text =
      fmt::format("program     {}\nfabric      {}\nmessages    {} of {} chunks in all\n\n", printable(outcome.name),
                  fabric_text(outcome.fabric, outcome.on), outcome.messages, outcome.chunks);
  for (const driver::ProgramTime& time : outcome.times) {
    text += fmt::format("time        {} for a message of {}\n{}", time_text(time.seconds), size_text(time.size),
                        contention_text(time, outcome.fabric));
  }
  return text + cut_text(outcome.cut, "all of this was known");
}

}  // namespace quadrille::cli
