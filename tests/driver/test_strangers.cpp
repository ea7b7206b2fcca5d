// Schedules such as people write at the first try (strangers/): none of them is better than the best that ships by more
// than a fiftieth, whatever the machine and the size.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "driver/search/compare.h"
#include "driver/search/measure_choice.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::driver {
namespace {

// The files, by name.
std::vector<std::string> read_files(MemoryEnvironment& environment) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(QUADRILLE_SOURCE_FOLDER "/tests/driver/strangers")) {
    std::ifstream file(entry.path());
    const std::string name = entry.path().filename().string();
    environment.files[name] = {std::istreambuf_iterator<char>(file), {}};
    names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// Returns the files that have a row.
std::vector<std::string> compare_with_strangers(const std::string& on, const std::string& collective) {
  CAPTURE(on);
  CAPTURE(collective);
  MemoryEnvironment environment;
  Context context{environment};
  const CompareRequest request{
      .collective = collective, .on = on, .sizes = {"64KiB,1MiB,64MiB,1GiB"}, .files = read_files(environment)};
  const CompareOutcome outcome = run(request, context).value();
  std::vector<std::string> measured;
  std::vector<double> best(outcome.sizes.size(), never);
  for (const Compared& it : outcome.algorithms) {
    for (std::size_t i = 0; i < best.size() && it.file.empty(); ++i) {
      best[i] = std::min(best[i], it.times[i].value_or(never));
    }
  }
  for (const Compared& it : outcome.algorithms) {
    if (it.file.empty()) continue;
    measured.push_back(it.file);
    for (std::size_t i = 0; i < best.size(); ++i) {
      CAPTURE(it.at(i).name());
      CAPTURE(outcome.sizes[i]);
      CHECK(best[i] <= it.times[i].value_or(never) * 1.02);
    }
  }
  return measured;
}

TEST_CASE("what people write at the first try is no better than what ships") {
  std::vector<std::string> machines = {"mi300x", "rails:servers=3,gpus=4"};
  if (!tests::brief)
    machines.insert(machines.end(), {"dgx_h100", "dgx_h100_rails:servers=2", "leaf_spine:hosts=8,leaves=2,spines=2"});
  for (const std::string& on : machines) {
    std::set<std::string> measured;
    for (const std::string collective : {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"}) {
      for (const std::string& file : compare_with_strangers(on, collective)) measured.insert(file);
    }
    CHECK(measured.size() == 15);
  }
}

}  // namespace
}  // namespace quadrille::driver
