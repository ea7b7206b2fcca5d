// Options that several commands have, declared once, so that they read the same everywhere.
#include "cli/commands/shared_options.h"

#include <fmt/format.h>

#include "driver/look/step_range.h"
#include "driver/search/consumer.h"

namespace quadrille::cli {

void declare_input(Options& options, driver::TableRequest& request, bool required) {
  options.positional(
      {"FILE", "", "A schedule (a path, or the name of one that ships) or a send table; - is standard input", required},
      request.file);
  declare_compiling(options, request);
}

void declare_compiling(Options& options, driver::TableRequest& request) {
  options.words(
      {"-D,--define", "NAME=VALUE",
       "Give a parameter its value: L=4, capacity=constant, 'sources={0,3}', 'cycle=[2,0,1]'; may be repeated (list "
       "names them)"},
      request.defines);
  options.word({"--on", "FABRIC", "The fabric to run on, instead of the schedule's own (see fabrics)"}, request.on);
  declare_without(options, request.without);
  options.flag({"--retime", "", "Same sends, same order, each as early as the fabric's capacities allow"},
               request.retime);
  options.flag({"--spread", "",
                "Same sends, same times; of equal ways each send takes the least loaded one (--retime tries that by "
                "itself)"},
               request.spread);
  options.choice({"--timing", "TIMING",
                  "Count steps or rounds; steps makes packets of messages, each placed as early as it can be"},
                 {"steps", "rounds"}, request.timing);
}

void declare_without(Options& options, std::vector<std::string>& links) {
  options.words(
      {"--without", "LINK",
       "Take a link of the fabric away: 0--1, or one direction, 0->1; or all links of a switch; may be repeated"},
      links);
}

void declare_question(Options& options, std::string& collective, std::string& on, std::vector<std::string>& without) {
  options.word({"--collective", "COLLECTIVE", "What is to be done: total_exchange, or scatter:root=0", true},
               collective);
  options.word({"--on", "FABRIC", "The fabric to do it on (see fabrics)", true}, on);
  declare_without(options, without);
}

void declare_consumer(Options& options, std::string& consumer) {
  options.choice({"--for", "SYSTEM",
                  "Only what this executor takes: msccl, azure or rccl as MSCCL XML, mscclpp as an MSCCL++ plan"},
                 driver::consumers(), consumer);
}

void declare_costs(Options& options, std::vector<std::string>& sizes, std::string& costs) {
  options.words(
      {"--size", "BYTES", "A message's size: 4096, 64KiB, several with commas, or 1KiB..1GiB; may be repeated"}, sizes);
  options.word({"--costs", "COSTS",
                "What a round, a hop, a byte and each message of a processor take (Ts=5us,Th=0,Tc=0.1ns,To=0)"},
               costs);
}

void declare_size_of(Options& options, std::string& size_of) {
  options.choice(
      {"--size-of", "WHAT",
       "What --size is the size of: a message (part), or what nccl-tests counts (whole): in an all-gather, all "
       "that a processor has in the end"},
      {"part", "whole"}, size_of);
}

void declare_color(Options& options, FormRequest& form) {
  options.choice({"--color", "WHEN", "Colours: auto (on a terminal, unless NO_COLOR is set), always or never (auto)"},
                 {"auto", "always", "never"}, form.color);
}

void declare_form(Options& options, FormRequest& form) {
  options.flag({"--json", "", "Print one JSON object instead of text"}, form.json);
  declare_color(options, form);
}

void declare_page(Options& options, PageRequest& page, bool rows) {
  options.word({"--page", "FILE.html", "Also write what is printed as a page to look at, which needs nothing else"},
               page.file);
  options.command_line(page.command);
  if (rows) declare_page_steps(options, page);
}

void declare_page_steps(Options& options, PageRequest& page) {
  options.word({"--steps", "A..B", "The page shows the rows of these steps one by one, however many the table has"},
               page.steps);
}

std::string wrong_with(const PageRequest& page) {
  if (page.steps.empty()) return "";
  if (page.file.empty()) return "--steps: expected --page, too: rows are shown there";
  const auto steps = driver::parse_steps("--steps", page.steps);
  return steps ? "" : steps.diagnostics().front().message;
}

void declare_limits(Options& options, driver::LimitRequest& limits) {
  const std::string by_default = limits.seconds > 0 ? fmt::format("{}", limits.seconds) : "no limit";
  options.real({"--timeout", "SECONDS", fmt::format("Time for the whole command ({})", by_default)}, {0.001, 1e9},
               limits.seconds);
  options.real({"--memory", "GIB", fmt::format("Memory for the whole command ({})", limits.gib)}, {0.001, 1e6},
               limits.gib);
}

}  // namespace quadrille::cli
