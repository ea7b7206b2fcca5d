#include "tests/reference/table_by_page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "model/fabric_notation.h"
#include "model/text/printable.h"

namespace quadrille::reference {
namespace {

using Json = nlohmann::json;

// What is not allowed.
struct Refused {};

void require(bool allowed) {
  if (!allowed) throw Refused{};
}

struct Bound {
  Fabric fabric;
  Collective collective;
};

Bound bound_by(const std::optional<std::string>& fabric, const std::optional<std::string>& collective) {
  require(fabric && collective);
  const auto on = parse_fabric({"", *fabric}, 0);
  require(on.ok());
  const auto what = parse_collective({"", *collective}, 0, on->processors());
  require(what.ok());
  return {*on, *what};
}

// A number's text: digits without sign, without needless zeros.
std::uint64_t number(const std::string& text, std::uint64_t most) {
  require(!text.empty() && text.size() <= 10);
  require(text == "0" || text[0] != '0');
  std::uint64_t value = 0;
  for (const char digit : text) {
    require(digit >= '0' && digit <= '9');
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  require(value <= most);
  return value;
}

constexpr std::uint64_t most_32 = 0xffffffff;

// "The words that a row out of `origin` sends … between `+`", and "what becomes of a row's arrival at `target`".
void check_words(const PageRow& row) {
  require(row[7].empty() || row[1] == row[4]);
  require(row[8].empty() || row[2] == row[5]);
  require(row[8].empty() || row[8] == "store" || row[8] == "combine" || row[8] == "keep");
  std::string word;
  for (const char c : row[7].empty() ? std::string() : row[7] + "+") {
    if (c != '+') {
      word += c;
      continue;
    }
    number(word, most_32);
    word.clear();
  }
}

void check_row(const PageRow& row, const Bound& bound) {
  require(number(row[0], 0x7fffffff) >= 1);
  bool exists = false;
  for (const Channel& channel : bound.fabric.all_channels()) {
    exists = exists || (bound.fabric.name(channel.from) == row[1] && bound.fabric.name(channel.to) == row[2]);
  }
  require(exists);
  number(row[3], most_32);
  ChunkName name{static_cast<std::uint32_t>(number(row[4], most_32)), std::nullopt,
                 static_cast<std::uint32_t>(number(row[6], most_32))};
  if (row[5] != "*") name.target = static_cast<std::uint32_t>(number(row[5], most_32));
  require(bound.collective.chunk(name).has_value());
  check_words(row);
}

// "Rows alike in all else, words and arrival aside, must be alike in these."
void check_alike(const std::vector<PageRow>& rows) {
  std::map<std::vector<std::string>, const PageRow*> first;
  for (const PageRow& row : rows) {
    const auto place = first.emplace(std::vector(row.begin(), row.begin() + 7), &row).first;
    require((*place->second)[7] == row[7] && (*place->second)[8] == row[8]);
  }
}

PageTable finished(const Bound& bound, std::string schedule, std::vector<PageRow> rows) {
  for (const PageRow& row : rows) check_row(row, bound);
  check_alike(rows);
  std::sort(rows.begin(), rows.end());
  // Characters that cannot be shown are written out.
  return {bound.fabric.notation(), bound.collective.notation(), printable(schedule), std::move(rows)};
}

// --- text ----------------------------------------------------------------------------------------------------------

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end == text.npos ? end : end - begin);
    if (end != text.npos && line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
    begin = end == text.npos ? text.size() : end + 1;
  }
  return lines;
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

struct Head {
  std::optional<std::string> fabric, collective, schedule;
  std::optional<std::string>* before = nullptr;  // of the line before, if it was one of these

  void take(const std::string& line) {
    require(is_utf8(line));
    if (before != nullptr && line.starts_with("#| ")) {
      **before += line.substr(3);
      return;
    }
    before = nullptr;
    for (auto& [key, value] : {std::pair("# fabric:", &fabric), std::pair("# collective:", &collective),
                               std::pair("# schedule:", &schedule)}) {
      if (!line.starts_with(key)) continue;
      require(!*value);
      std::string rest = line.substr(std::string(key).size());
      while (rest.starts_with(' ')) rest.erase(0, 1);
      *value = rest;
      before = value;
    }
  }
};

PageTable read_csv(const std::string& text) {
  const auto lines = lines_of(text);
  Head head;
  std::size_t at = 1;
  for (; at < lines.size() && lines[at].starts_with('#'); ++at) head.take(lines[at]);
  const std::string columns = "step,from,to,lane,origin,target,part";
  require(at < lines.size() && (lines[at] == columns || lines[at] == columns + ",words,arrival"));
  const std::size_t fields = lines[at] == columns ? 7 : 9;
  std::vector<PageRow> rows;
  while (++at < lines.size()) {
    PageRow row;
    std::size_t field = 0;
    for (const char c : lines[at]) {
      if (c == ',') {
        require(++field < fields);
      } else {
        row[field] += c;
      }
    }
    require(field == fields - 1);
    rows.push_back(row);
  }
  const Bound bound = bound_by(head.fabric, head.collective);
  require(fields == 7 || bound.collective.combining());
  return finished(bound, head.schedule.value_or(""), std::move(rows));
}

std::string field_of(const Json& value, std::size_t field) {
  if (field == 1 || field == 2 || field > 6) {
    require(value.is_string());
    return value.get<std::string>();
  }
  if (field == 5 && value == "*") return "*";
  require(value.is_number_unsigned());
  return std::to_string(value.get<std::uint64_t>());
}

// The notation of a graph, or of a product.
std::string topology_in(const Json& object) {
  if (object.contains("graph")) {
    require(object["graph"].is_object() && !object.contains("product"));
    return "graph:" + object["graph"].dump();
  }
  require(object.contains("product") && object["product"].is_array());
  std::string notation;
  for (const Json& factor : object["product"]) {
    require(factor.is_string() || (factor.is_object() && factor.size() == 1));
    notation += (notation.empty() ? "" : ",") + (factor.is_string() ? factor.get<std::string>() : topology_in(factor));
  }
  return "product(" + notation + ")";
}

// The notation of a fabric and its rules.
std::string fabric_in(const Json& object) {
  std::string notation = topology_in(object);
  for (const auto& [key, value] : object.items()) {
    if (key == "graph" || key == "product") continue;
    require(value.is_string());
    notation += "," + key + "=" + value.get<std::string>();
  }
  return notation;
}

PageTable read_json(const std::string& text) {
  std::set<std::string> keys;
  bool twice = false;
  const auto each = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key)
      twice = !keys.insert(parsed.get<std::string>()).second || twice;
    return true;
  };
  const Json json = Json::parse(text, each, false);
  require(json.is_object() && !twice);
  const auto word = [&](const char* key) -> std::optional<std::string> {
    if (!json.contains(key)) return std::nullopt;
    require(json[key].is_string());
    return json[key].get<std::string>();
  };
  require(json.contains("quadrille_table") && json["quadrille_table"].is_number_unsigned() &&
          json["quadrille_table"] == 1);
  require(json.contains("rows") && json["rows"].is_array());
  std::vector<PageRow> rows;
  for (const Json& list : json["rows"]) {
    require(list.is_array() && (list.size() == 7 || list.size() == 9) && list.size() == json["rows"][0].size());
    PageRow row;
    for (std::size_t field = 0; field < list.size(); ++field) row[field] = field_of(list[field], field);
    rows.push_back(row);
  }
  const bool object = json.contains("fabric") && json["fabric"].is_object();
  const Bound bound = bound_by(object ? fabric_in(json["fabric"]) : word("fabric"), word("collective"));
  require(json["rows"].empty() || json["rows"][0].size() == 7 || bound.collective.combining());
  return finished(bound, word("schedule").value_or(""), std::move(rows));
}

// --- binary ---------------------------------------------------------------------------------------------------------

// Little-endian.
std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  require(at + size <= bytes.size());
  std::uint64_t value = 0;
  for (std::size_t i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

// Bit by bit.
std::uint32_t slow_crc32c(const std::string& bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const char byte : bytes) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ 0x82f63b78 : rest >> 1;
  }
  return ~rest;
}

std::uint64_t fewest_bits(std::uint64_t count) {
  std::uint64_t bits = 1;
  while (bits < 64 && std::uint64_t{1} << bits < count) ++bits;
  return bits;
}

PageRow binary_row(std::uint64_t step, std::uint64_t channel, std::uint64_t lane, std::uint64_t packet,
                   const Bound& bound) {
  require(channel < bound.fabric.channels());
  const std::vector<ChunkId> chunk{ChunkId(packet)};
  require(bound.collective.first_unknown(chunk) == 1);
  const Channel& it = bound.fabric.channel(ChannelId(static_cast<std::uint32_t>(channel)));
  const ChunkName name = bound.collective.name(chunk[0]);
  return {std::to_string(step),
          bound.fabric.name(it.from),
          bound.fabric.name(it.to),
          std::to_string(lane),
          std::to_string(name.origin),
          name.target ? std::to_string(*name.target) : "*",
          std::to_string(name.part),
          "",
          ""};
}

// The block of words from `at` to `end`.
void read_words(const std::string& bytes, std::size_t at, std::size_t end, std::vector<PageRow>& rows) {
  const char* arrivals[] = {"", "store", "combine", "keep"};
  const std::size_t begin = at;
  const auto next = [&] {
    require(at + 4 <= end);
    at += 4;
    return number_at(bytes, at - 4, 4);
  };
  for (PageRow& row : rows) {
    const std::uint64_t first = next();
    row[8] = arrivals[first % 4];
    for (std::uint64_t i = 0; i < first / 4; ++i) row[7] += (i == 0 ? "" : "+") + std::to_string(next());
  }
  if ((at - begin) % 8 != 0) require(next() == 0);
  require(at == end);
}

PageTable read_binary(const std::string& bytes, bool checksum) {
  Head head;
  std::size_t at = bytes.find('\n') + 1;
  for (bool ended = false; !ended;) {
    const std::size_t end = bytes.find('\n', at);
    require(end != bytes.npos && bytes[at] == '#');
    std::string line = bytes.substr(at, end - at);
    ended = line.starts_with("# end");
    if (ended) {
      require(line.find_first_not_of(' ', 5) == line.npos);
    } else {
      if (line.ends_with('\r')) line.pop_back();
      head.take(line);
    }
    at = end + 1;
  }
  require(at % 16 == 0 && bytes.size() >= at + 32 && bytes.substr(bytes.size() - 8) == "qd-table");
  const std::size_t closing = bytes.size() - 32;
  const std::uint64_t words = number_at(bytes, closing + 19, 1);
  require(words <= (checksum ? 1 : 0));
  require(number_at(bytes, closing + 20, 4) == (checksum ? slow_crc32c(bytes.substr(0, closing + 20)) : 0));

  const Bound bound = bound_by(head.fabric, head.collective);
  std::uint32_t lanes = 1;
  for (const Channel& channel : bound.fabric.all_channels()) lanes = std::max(lanes, channel.capacity);
  const std::uint64_t channel_bits = fewest_bits(bound.fabric.channels());
  const std::uint64_t lane_bits = fewest_bits(lanes);
  const std::uint64_t packet_bits = fewest_bits(bound.collective.chunk_ids());
  require(number_at(bytes, closing + 16, 1) == channel_bits && number_at(bytes, closing + 17, 1) == lane_bits &&
          number_at(bytes, closing + 18, 1) == packet_bits);

  const std::uint64_t steps = number_at(bytes, closing + 8, 8);
  require(steps <= (closing - at) / 16);
  const std::size_t index = closing - static_cast<std::size_t>(steps) * 16;
  std::vector<PageRow> rows;
  std::uint64_t last = 0;
  for (std::size_t entry = index; entry < closing; entry += 16) {
    const std::uint64_t step = number_at(bytes, entry, 4);
    const std::uint64_t size = number_at(bytes, entry + 4, 4);
    const std::uint64_t count = number_at(bytes, entry + 8, 8);
    require(step > last && step <= 0x7fffffff && count > 0 && count <= (index - at) / 8);
    require(size == 16 || (size == 8 && channel_bits + lane_bits + packet_bits <= 64));
    last = step;
    for (std::uint64_t i = 0; i < count; ++i, at += static_cast<std::size_t>(size)) {
      require(at + size <= index);
      if (size == 16) {
        rows.push_back(
            binary_row(step, number_at(bytes, at, 4), number_at(bytes, at + 4, 4), number_at(bytes, at + 8, 8), bound));
        continue;
      }
      const std::uint64_t row = number_at(bytes, at, 8);
      const std::uint64_t lane_unit = std::uint64_t{1} << packet_bits;
      const std::uint64_t lane_count = std::uint64_t{1} << lane_bits;
      rows.push_back(
          binary_row(step, row / lane_unit / lane_count, row / lane_unit % lane_count, row % lane_unit, bound));
    }
  }
  require(number_at(bytes, closing, 8) == rows.size() && (words == 0 || bound.collective.combining()));
  if (words == 1) {
    read_words(bytes, at, index, rows);
  } else {
    require(at == index);
  }
  return finished(bound, head.schedule.value_or(""), std::move(rows));
}

PageTable read(const std::string& bytes) {
  const auto lines = lines_of(bytes);
  require(!lines.empty());
  if (lines[0] == "# quadrille-table 1") return read_csv(bytes);
  if (lines[0] == "# quadrille-table 1 binary") return read_binary(bytes, false);
  if (lines[0] == "# quadrille-table 2 binary") return read_binary(bytes, true);
  return read_json(bytes);
}

}  // namespace

std::optional<PageTable> read_by_page(const std::string& bytes) {
  try {
    return read(bytes);
  } catch (const Refused&) {
    return std::nullopt;
  }
}

PageTable page_table(const SendTable& table) {
  PageTable result{table.fabric.notation(), table.collective.notation(), table.schedule, {}};
  const char* arrivals[] = {"", "store", "combine", "keep"};
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const Row& row = step->rows[i];
      const Channel& channel = table.fabric.channel(row.channel);
      const ChunkName name = table.collective.name(row.chunk);
      const ReductionUse use = step->uses.empty() ? ReductionUse{} : step->uses[i];
      std::string sent;
      for (const std::uint32_t word : use.sent) sent += (sent.empty() ? "" : "+") + std::to_string(word);
      result.rows.push_back({std::to_string(step->step.value), table.fabric.name(channel.from),
                             table.fabric.name(channel.to), std::to_string(row.lane.value), std::to_string(name.origin),
                             name.target ? std::to_string(*name.target) : "*", std::to_string(name.part), sent,
                             arrivals[static_cast<std::size_t>(use.arrival)]});
    }
  }
  std::sort(result.rows.begin(), result.rows.end());
  return result;
}

}  // namespace quadrille::reference
