// Commands that are run in memory, interrupted perhaps, and what they answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "model/verdict.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/random_tables.h"

namespace quadrille::cli::crossed {

using Words = std::vector<std::string>;
using nlohmann::json;
using reference::Dice;

// Someone presses Ctrl-C at a given one of the looks at the clock, 0: never; each look takes `tick`, if that is not 0.
class Watched final : public driver::MemoryEnvironment {
 public:
  std::uint64_t interrupt_at = 0;

  Watched() { terminal = true; }  // so that progress is told, and the clock looked at for it
  std::stop_token interrupts() override { return source_.get_token(); }
  std::chrono::steady_clock::time_point now() const override {
    if (++looks_ == interrupt_at) source_.request_stop();
    return MemoryEnvironment::now();
  }
  std::uint64_t looks() const { return looks_; }

 private:
  mutable std::uint64_t looks_ = 0;
  mutable std::stop_source source_;
};

struct Answer {
  int status = 0;
  json said = {};
  bool refused() const { return status == exit_bad_input; }
  bool has(const char* key) const { return said.contains(key) && !said[key].is_null(); }
  std::string text(const char* key) const { return has(key) ? said[key].get<std::string>() : ""; }
  // Its notation.
  std::string fabric() const {
    return said["fabric"].is_object() ? notation_of_json(said["fabric"].dump()).value() : text("fabric");
  }
  std::optional<std::uint64_t> number(const char* key) const {
    return has(key) ? std::optional(said[key].get<std::uint64_t>()) : std::nullopt;
  }
  bool answers() const { return !said.contains("error"); }
  bool cut() const { return text("reason") == "timeout" || text("reason") == "cancelled" || text("reason") == "limit"; }
  // Fewer steps are shown to be too few of some schedules only.
  bool narrowed() const {
    const bool kept = text("paths") == "kept" && text("fabric").find("queue=") != std::string::npos;
    return has("words") || text("inject") == "once" || kept;
  }
};

// With --json. No command ends otherwise than its page says, or speaks of faults of its own.
Answer run_json(Words words, driver::MemoryEnvironment& environment);

// What a search has written is accepted by the commands that read it: a certificate, with no more conditions than `of`
// says; and tables.
void check_certificate(driver::MemoryEnvironment& environment, const std::string& file, const json& of);
void check_tables(Dice& dice, driver::MemoryEnvironment& environment, const Answer& searched, const Words& files);

}  // namespace quadrille::cli::crossed
