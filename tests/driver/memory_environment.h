// An outside world in memory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "driver/files/environment.h"
#include "formats/table_io.h"

namespace quadrille::driver {

class MemoryEnvironment : public Environment {
 public:
  std::map<std::string, std::string> files;
  std::set<std::string> folders;
  std::string input;
  std::string output;
  std::string errors;
  bool terminal = false;
  std::map<std::string, std::string> variables;
  std::function<ProgramRun(const std::vector<std::string>& command, const std::string& text)> on_program;  // none: none
  std::function<void()> on_tick;  // what goes on while a command works; empty: nothing
  bool interrupt = false;
  std::size_t room = std::string::npos;  // bytes that standard output and each file take
  mutable std::chrono::steady_clock::time_point time{};
  std::chrono::milliseconds tick{0};  // how much later it is each time that someone looks at the clock

  bool print(std::string_view text) override {
    output += text;
    return flush();
  }
  bool flush() override { return output.size() <= room; }
  void print_error(std::string_view text) override { errors += text; }
  bool output_goes_to_a_terminal() const override { return terminal; }
  bool errors_go_to_a_terminal() const override { return terminal; }
  std::optional<std::string> variable(const std::string& name) const override {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::string> read_input(const Limits&) override { return input; }
  std::optional<std::string> read_file(const std::string& path) override {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  }
  std::optional<std::string> read_beginning(const std::string& path, std::size_t size) override {
    auto text = read_file(path);
    if (text) text->resize(std::min(size, text->size()));
    return text;
  }
  std::optional<Unreadable> why_unreadable(const std::string& path) override {
    return folders.count(path) > 0 ? std::optional(Unreadable{"Is a directory"}) : std::nullopt;
  }
  bool exists(const std::string& path) override { return files.count(path) > 0 || folders.count(path) > 0; }
  std::unique_ptr<OpenFile> open_file(const std::string& path, const Limits& /*limits*/) override {
    auto text = read_file(path);
    return text ? std::make_unique<OpenMemory>(*std::move(text)) : nullptr;
  }
  Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options) override {
    sources.push_back({path, files.at(path)});
    return read_table(sources.back(), static_cast<std::uint32_t>(sources.size() - 1), options);
  }
  std::unique_ptr<NewFile> create_file(const std::string& path) override {
    return std::make_unique<MemoryFile>(*this, path);
  }
  std::optional<std::string> create_folder(const std::string& path) override {
    if (files.count(path) > 0) return "Not a directory";
    folders.insert(path);
    return std::nullopt;
  }
  std::optional<std::string> remove_file(const std::string& path) override {
    files.erase(path);
    return std::nullopt;
  }
  std::optional<std::string> rename_folder(const std::string& from, const std::string& to) override {
    if (exists(to)) return "it is there already";
    std::map<std::string, std::string> moved;
    for (const auto& [path, text] : files) {
      const bool inside = path.starts_with(from + "/");
      moved[inside ? to + path.substr(from.size()) : path] = text;
    }
    files = std::move(moved);
    folders.erase(from);
    folders.insert(to);
    return std::nullopt;
  }
  void remove_folder(const std::string& path) override {
    std::erase_if(files, [&](const auto& file) { return file.first.starts_with(path + "/"); });
    folders.erase(path);
  }
  ProgramRun run_program(const std::vector<std::string>& command, const std::string& text, const Limits&) override {
    return on_program ? on_program(command, text) : ProgramRun{};
  }
  std::stop_token interrupts() override {
    if (interrupt) interrupts_.request_stop();
    return interrupts_.get_token();
  }
  void keep_within(const Limits&) override {}
  std::chrono::steady_clock::time_point now() const override {
    return tick.count() == 0 ? std::chrono::steady_clock::now() : time += tick;
  }
  // Called by tests, when they want to: time passes as they say.
  std::unique_ptr<Ticker> every(std::chrono::milliseconds /*interval*/, std::function<void()> act) override {
    on_tick = std::move(act);
    return std::make_unique<OnTick>(*this);
  }
  int leave(int status) override { return status; }

 private:
  struct OnTick final : public Ticker {
    explicit OnTick(MemoryEnvironment& its) : environment(its) {}
    ~OnTick() override { environment.on_tick = {}; }
    OnTick(const OnTick&) = delete;
    OnTick& operator=(const OnTick&) = delete;
    MemoryEnvironment& environment;
  };

  std::stop_source interrupts_;

  class OpenMemory final : public OpenFile {
   public:
    explicit OpenMemory(std::string text) : text_(std::move(text)) {}
    std::optional<std::size_t> read(std::span<char> bytes) override {
      const std::size_t size = text_.copy(bytes.data(), bytes.size(), at_);
      at_ += size;
      return size;
    }

   private:
    std::string text_;
    std::size_t at_ = 0;
  };

  class MemoryFile final : public NewFile {
   public:
    MemoryFile(MemoryEnvironment& environment, std::string path) : environment_(environment), path_(std::move(path)) {}
    bool write(std::string_view text) override {
      text_ += text;
      return text_.size() <= environment_.room;
    }
    std::optional<std::string> keep() override {
      if (text_.size() > environment_.room) return "No space left on device";
      environment_.files[path_] = text_;
      return std::nullopt;
    }

   private:
    MemoryEnvironment& environment_;
    std::string path_;
    std::string text_;
  };
};

}  // namespace quadrille::driver
