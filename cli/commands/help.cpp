// `quadrille help`: the pages of the reference, which are compiled into the program.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/pages.h"
#include "cli/session.h"
#include "model/text/diagnostic.h"

namespace quadrille::cli {
namespace {

// The page's title, without its mark.
std::string_view title_of(const Page& page) {
  const std::string_view line = page.text.substr(0, page.text.find('\n'));
  return line.substr(std::min(line.size(), line.find_first_not_of("# ")));
}

std::string topics_text() {
  std::string text;
  for (const Page& page : pages()) text += fmt::format("{:<13} {}\n", page.topic, title_of(page));
  return text + "\n`quadrille help TOPIC` prints the page, `quadrille COMMAND --help` a command's options.\n";
}

Diagnostic no_page(const std::string& topic) {
  std::vector<std::string> topics;
  for (const Page& page : pages()) topics.emplace_back(page.topic);
  const auto near = nearest(topic, topics);
  return error_at({},
                  fmt::format("there is no page on '{}'; {}", topic,
                              near ? fmt::format("did you mean '{}'?", *near) : "`quadrille help` names them"),
                  Code::name);
}

class Help final : public Command {
 public:
  explicit Help(const Registry& registry) : registry_(registry) {}
  std::string_view name() const override { return "help"; }
  std::string_view purpose() const override { return "Print a page of the reference; without a topic, name them"; }

  void declare(Options& options) override { options.positional({"TOPIC", "", "What it is about"}, topic_); }

  int run(driver::Environment& environment) override {
    if (topic_.empty()) {
      environment.print(topics_text());
      return environment.leave(exit_done);
    }
    for (const Page& page : pages()) {
      if (page.topic != topic_) continue;
      environment.print(page.text);
      return environment.leave(exit_done);
    }
    return Session(environment, registry_.world, {}, {}).refuse({no_page(topic_)});
  }

 private:
  const Registry& registry_;
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> make_help_command(const Registry& registry) { return std::make_unique<Help>(registry); }

}  // namespace quadrille::cli
