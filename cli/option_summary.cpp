// Options as data: commands declare them to a recorder instead of to the parser, so that completion knows exactly the
// options that are parsed.
#include "cli/option_summary.h"

namespace quadrille::cli {
namespace {

// "-o,--output" as a list.
std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  for (std::size_t comma = names.find(','); comma != names.npos; comma = names.find(',', begin)) {
    result.push_back(names.substr(begin, comma - begin));
    begin = comma + 1;
  }
  result.push_back(names.substr(begin));
  return result;
}

class RecordedOptions final : public Options {
 public:
  explicit RecordedOptions(std::vector<OptionSummary>& list) : list_(list) {}

  void positional(const OptionText& text, std::string&) override { add(text); }
  void positionals(const OptionText& text, std::vector<std::string>&) override { add(text); }
  void flag(const OptionText& text, bool&) override { add(text); }
  void opposite(const OptionText& text, bool&) override { add(text); }
  void word(const OptionText& text, std::string&) override { add(text); }
  void words(const OptionText& text, std::vector<std::string>&) override { add(text); }
  void choice(const OptionText& text, const std::vector<std::string>& choices, std::string&) override {
    add(text);
    list_.back().choices = choices;
  }
  void whole(const OptionText& text, Between<std::uint64_t>, std::function<void(std::uint64_t)>) override { add(text); }
  void real(const OptionText& text, Between<double>, double&) override { add(text); }

 private:
  void add(const OptionText& text) { list_.push_back({split_names(text.names), text.value, text.help, {}}); }

  std::vector<OptionSummary>& list_;
};

}  // namespace

std::vector<CommandSummary> summaries(const CommandList& commands) {
  std::vector<CommandSummary> result;
  for (const auto& command : commands) {
    CommandSummary summary{std::string(command->name()), std::string(command->purpose()), {}};
    summary.options.push_back({{"-h", "--help"}, "", "Print help and exit", {}});
    RecordedOptions options(summary.options);
    command->declare(options);
    result.push_back(std::move(summary));
  }
  return result;
}

}  // namespace quadrille::cli
