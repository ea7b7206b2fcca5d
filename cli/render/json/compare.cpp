// The comparisons of algorithms (compare) and of what two sides send (diff), as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

Json file_json(const std::string& path) { return path.empty() ? Json() : Json(path); }

Json to_json(const driver::Compared::Choice& choice) {
  Json json{{"name", choice.name()}, {"chunks", choice.chunks}, {"rounds", nullptr},
            {"volume", nullptr},     {"load", nullptr},         {"hops", nullptr}};
  if (choice.in_rounds) {
    json["rounds"] = choice.in_rounds->rounds;
    json["volume"] = choice.in_rounds->volume;
    json["load"] = fraction_json(choice.in_rounds->load);
    json["hops"] = choice.in_rounds->hops;
  }
  return json;
}

Json to_json(const driver::Compared& it) {
  Json json = to_json(it.first());
  json["name"] = it.algorithm;
  json["file"] = file_json(it.file);
  json["steps"] = value_or_null(it.steps);
  json["lower_bound"] = it.steps ? value_or_null(it.bound.steps) : Json();
  json["whole"] = it.whole;
  json["seconds"] = Json::array();
  json["choices"] = Json::array();
  for (std::size_t i = 0; i < it.times.size(); ++i) {
    json["seconds"].push_back(value_or_null(it.times[i]));
    json["choices"].push_back(it.times[i] ? to_json(it.at(i)) : Json());
  }
  return json;
}

Json to_json(const driver::BestOfSizes& it) {
  return {{"above", it.above},
          {"up_to", value_or_null(it.up_to)},
          {"name", it.choice.name()},
          {"fixed_seconds", it.time.fixed},
          {"seconds_per_byte", it.time.per_byte},
          {"table", file_json(it.table)},
          {"schedule", file_json(it.schedule_file)}};
}

// The rounds that take the time of the best algorithm at that size.
Json why_json(const driver::CompareOutcome& outcome, std::size_t size) {
  Json all = Json::array();
  const driver::Compared::Choice& choice = outcome.algorithms[*outcome.best[size]].at(size);
  for (const driver::BusyRounds& it : choice.busy) {
    all.push_back({{"first_round", it.first},
                   {"last_round", it.last},
                   {"channel", outcome.fabric.name(it.channel)},
                   {"channels", it.channels},
                   {"seconds", driver::CompareOutcome::seconds(it, choice, outcome.sizes[size])}});
  }
  return all;
}

Json missing_json(const std::vector<driver::MissingSend>& missing) {
  Json list = Json::array();
  for (const driver::MissingSend& it : missing) {
    list.push_back({{"from", it.from}, {"to", it.to}, {"content", it.content}, {"step", value_or_null(it.step)}});
  }
  return list;
}

}  // namespace

std::string rendered(AsJson, const driver::CompareOutcome& outcome, const Sources&) {
  Json json{{"collective", outcome.collective.notation()},
            {"fabric", fabric_json(outcome.fabric)},
            {"costs", costs_json(outcome.costs)},
            {"sizes", outcome.sizes},
            {"reason", reason_json(outcome.reason)},
            {"algorithms", Json::array()},
            {"best", Json::array()},
            {"by_size", Json::array()},
            {"why", Json::array()},
            {"bandwidth", Json::array()},
            {"at_least", outcome.at_least},
            {"passed_over", Json::array()}};
  for (const driver::Compared& it : outcome.algorithms) json["algorithms"].push_back(to_json(it));
  for (std::size_t i = 0; i < outcome.best.size(); ++i) {
    const auto& best = outcome.best[i];
    json["best"].push_back(best ? Json(outcome.algorithms[*best].at(i).name()) : Json());
    json["why"].push_back(best ? why_json(outcome, i) : Json());
    json["bandwidth"].push_back(
        best ? bandwidth_json(outcome.collective, outcome.sizes[i], outcome.algorithms[*best].times[i]) : Json());
  }
  for (const driver::BestOfSizes& it : outcome.by_size) json["by_size"].push_back(to_json(it));
  for (const driver::PassedOver& it : outcome.passed_over) {
    json["passed_over"].push_back({{"name", it.algorithm},
                                   {"at_least", it.at_least},
                                   {"rows", it.rows > 0 ? Json(it.rows) : Json()},
                                   {"more_segments", it.more_segments}});
  }
  return json_text(json);
}

// diff compares the sends of two sides; JSON.md names each key.
std::string rendered(AsJson, const driver::DiffOutcome& outcome, const Sources&) {
  return json_text({{"left", printable(outcome.left)},
                    {"right", printable(outcome.right)},
                    {"same", outcome.same()},
                    {"sends",
                     {{"same", outcome.same_sends()},
                      {"left", outcome.left_sends},
                      {"right", outcome.right_sends},
                      {"common", outcome.common},
                      {"left_only", missing_json(outcome.left_only)},
                      {"right_only", missing_json(outcome.right_only)}}},
                    {"same_order", value_or_null(outcome.order)},
                    {"same_steps", value_or_null(outcome.steps)},
                    {"same_sums", outcome.sums},
                    {"different_results", outcome.other_sums}});
}

}  // namespace quadrille::cli
