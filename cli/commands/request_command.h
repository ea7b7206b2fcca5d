// Commands that are one request to the driver: their options fill it in, and its outcome is rendered.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/session.h"

namespace quadrille::cli {

// What the options of such a command fill in.
template <class Request>
struct Asked {
  Request request = {};
  driver::LimitRequest limits = {};
  FormRequest form = {};
};

template <class Request>
class RequestCommand final : public Command {
 public:
  using Declare = std::function<void(Options& options, Asked<Request>& asked)>;

  RequestCommand(const Registry& registry, std::string_view name, std::string_view purpose, Declare declare)
      : registry_(registry), name_(name), purpose_(purpose), declare_(std::move(declare)) {}

  std::string_view name() const override { return name_; }
  std::string_view purpose() const override { return purpose_; }
  void declare(Options& options) override { declare_(options, asked_); }

  int run(driver::Environment& environment) override {
    using driver::run;  // or that of the request's own room
    Session session(environment, registry_.world, asked_.limits, asked_.form);
    return session.finish(run(asked_.request, session.context()));
  }

 private:
  const Registry& registry_;
  std::string_view name_;
  std::string_view purpose_;
  Declare declare_;
  Asked<Request> asked_;
};

// `name` and `purpose` live as long as the command: they are literals.
template <class Request>
std::unique_ptr<Command> request_command(const Registry& registry, std::string_view name, std::string_view purpose,
                                         typename RequestCommand<Request>::Declare declare) {
  return std::make_unique<RequestCommand<Request>>(registry, name, purpose, std::move(declare));
}

}  // namespace quadrille::cli
