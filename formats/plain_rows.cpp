// CSV: where commas are in the next 32 or 64 bytes, and where the line ends, is found at once, a bit for each byte; a
// field of up to 8 digits is one word, whose digits are added up in three steps. So no branch depends on how long a
// field is. For example, of `12,0,1.0,…` the first bits are at 2, 4 and 8; the word `12` has six zeros before it, and
// is 12. Steps, lanes, parts and messages are often those of the row before: then the words are compared, and nothing
// is added.
//
// JSON, whose rows may have blanks, is read byte by byte. Cost: linear in the bytes, some 15 ns a row of CSV.
#include "formats/plain_rows.h"

#include <algorithm>
#include <array>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace quadrille {
namespace {

constexpr std::size_t window = 64;  // bytes
constexpr std::size_t short_size = sizeof(std::uint64_t);
constexpr std::uint64_t ones = 0x0101010101010101U;

#if defined(__SSE2__)
// The same of 16 bytes.
inline std::uint64_t places_in_16(__m128i wanted, const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
}
#endif

// Bit i: whether that byte is byte i from `at`. Requires so many readable bytes, 32 or 64.
template <std::size_t size>
inline std::uint64_t places_of(char byte, const char* at) {
  std::uint64_t places = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(byte);
  for (std::size_t i = 0; i < size; i += 16) places |= places_in_16(wanted, at + i) << i;
#else
  for (std::size_t i = 0; i < size; ++i) places |= std::uint64_t{at[i] == byte} << i;
#endif
  return places;
}

// Where a line's commas are, and how long it is; nothing where it is longer than the window.
struct LineShape {
  std::uint64_t commas = 0;
  int size = 0;
};

template <std::size_t size>
[[gnu::always_inline]] inline bool shape_of(const char* at, LineShape& shape) {
  const std::uint64_t line_ends = places_of<size>('\n', at);
  if (line_ends == 0) return false;
  shape.size = std::countr_zero(line_ends);
  shape.commas = places_of<size>(',', at) & ((std::uint64_t{1} << shape.size) - 1);
  return true;
}

// A whole number of up to 8 digits, as number_fault takes it. Requires 8 readable bytes that end where it does.
[[gnu::always_inline]] inline bool short_number(const char* begin, const char* end, std::uint32_t& number) {
  const auto size = static_cast<std::size_t>(end - begin);
  if (size - 1 >= short_size || (size > 1 && *begin == '0')) return false;
  // Zeros in front do not change the number.
  const std::uint64_t zeros = size == short_size ? 0 : ('0' * ones) >> 8 * size;
  std::uint64_t digits = short_text(begin, end) | zeros;
  // '0' is 0x30, '9' is 0x39: the upper halves of all bytes are 3, also when 6 is added.
  const std::uint64_t upper = 0xf0 * ones;
  if ((digits & upper) != '0' * ones || ((digits + 6 * ones) & upper) != '0' * ones) return false;
  digits -= '0' * ones;
  digits = digits * 10 + (digits >> 8U);  // every second byte: two digits
  const std::uint64_t pairs = 0x000000ff000000ffU;
  digits = ((digits & pairs) * 0x000f424000000064U + ((digits >> 16U) & pairs) * 0x0000271000000001U) >> 32U;
  number = static_cast<std::uint32_t>(digits);
  return true;
}

}  // namespace

ChannelsByName::ChannelsByName(const Fabric& fabric)
    : fabric_(fabric),
      entries_(std::bit_ceil(std::clamp<std::size_t>(std::size_t{8} * fabric.channels(), 64, std::size_t{1} << 18))) {}

[[gnu::always_inline]] inline const ChannelId* ChannelsByName::find(std::string_view from, std::string_view to) {
  if (from.size() - 1 >= short_size || to.size() - 1 >= short_size) return nullptr;
  if (from.front() == '\0' || to.front() == '\0') return nullptr;  // else it would be as good as the zeros before it
  const std::uint64_t a = short_text(from.data(), from.data() + from.size());
  const std::uint64_t b = short_text(to.data(), to.data() + to.size());
  const std::uint64_t hash = (a * 0x9e3779b97f4a7c15U ^ std::rotl(b, 29)) * 0xd6e8feb86659fd93U;
  Entry* places = &entries_[(hash >> 32U) & (entries_.size() - 1) & ~std::uint64_t{places_each - 1}];
  for (std::size_t i = 0; i < places_each; ++i) {
    if (places[i].from == a && places[i].to == b) return &places[i].channel;
  }
  return look_up(from, to, {a, b, {}}, places);
}

const ChannelId* ChannelsByName::look_up(std::string_view from, std::string_view to, Entry entry, Entry* places) const {
  const auto tail = node_of(fabric_, from);
  const auto head = node_of(fabric_, to);
  const auto channel = tail && head ? fabric_.channel_between(*tail, *head) : std::nullopt;
  if (!channel) return nullptr;
  std::move_backward(places, places + places_each - 1, places + places_each);  // the last one goes
  entry.channel = *channel;
  places[0] = entry;
  return &places[0].channel;
}

[[gnu::always_inline]] inline bool PlainRows::make(std::string_view from, std::string_view to, const Numbers& numbers,
                                                   PlainRow& row) {
  if (numbers.step == 0 || numbers.step > max_step) return false;
  const ChannelId* channel = channels_.find(from, to);
  if (channel == nullptr) return false;
  const auto chunk = collective_.chunk(numbers.packet);
  if (!chunk) return false;
  // Field by field: as one value it would be stored in pieces, and read back as a whole before these have arrived.
  row.row.step = StepId(numbers.step);
  row.row.row.channel = *channel;
  row.row.row.lane = LaneId(numbers.lane);
  row.row.row.chunk = *chunk;
  row.message = MessageId(numbers.message);
  return true;
}

[[gnu::always_inline]] inline bool PlainRows::Repeated::read(const char* begin, const char* end,
                                                             std::uint32_t& result) {
  const auto size = static_cast<std::size_t>(end - begin);
  if (size - 1 < short_size && *begin != '\0' && short_text(begin, end) == text) {
    result = number;
    return true;
  }
  if (!short_number(begin, end, result)) return false;
  text = short_text(begin, end);
  number = result;
  return true;
}

const char* PlainRows::csv(const char* at, const char* end, std::size_t fields, PlainRow& row) {
  return fields == row_fields ? csv_of<row_fields>(at, end, row) : csv_of<message_fields>(at, end, row);
}

template <std::size_t fields>
const char* PlainRows::csv_of(const char* at, const char* end, PlainRow& row) {
  if (static_cast<std::size_t>(end - at) < window) return nullptr;
  LineShape line;
  if (!shape_of<window / 2>(at, line) && !shape_of<window>(at, line)) return nullptr;
  std::uint64_t commas = line.commas;
  std::array<const char*, fields + 1> begins;  // of the fields; one behind the last, as if a comma were there
  begins[0] = at;
  for (std::size_t i = 1; i < fields; ++i, commas &= commas - 1) {
    if (commas == 0) return nullptr;
    begins[i] = at + std::countr_zero(commas) + 1;
  }
  if (commas != 0) return nullptr;
  begins[fields] = at + line.size + 1;
  const auto number = [&](std::size_t i, std::uint32_t & result) __attribute__((always_inline)) {
    return short_number(begins[i], begins[i + 1] - 1, result);
  };
  const auto repeated = [&](std::size_t i, Repeated & before, std::uint32_t & result) __attribute__((always_inline)) {
    return before.read(begins[i], begins[i + 1] - 1, result);
  };
  const auto text = [&](std::size_t i) {
    return std::string_view(begins[i], static_cast<std::size_t>(begins[i + 1] - begins[i] - 1));
  };
  Numbers numbers;
  std::uint32_t target = 0;
  const bool everyone = text(5) == "*";
  bool read = repeated(0, step_, numbers.step) && repeated(3, lane_, numbers.lane) &&
              number(4, numbers.packet.origin) && (everyone || number(5, target)) &&
              repeated(6, part_, numbers.packet.part);
  if constexpr (fields == message_fields) read = read && repeated(7, message_, numbers.message);
  if (!everyone) numbers.packet.target = target;
  return read && make(text(1), text(2), numbers, row) ? begins[fields] : nullptr;
}

namespace {

// Walks over the fields of a row of JSON.
class JsonFields {
 public:
  JsonFields(const char* at, const char* end) : at_(at), end_(end) {}

  const char* at() const { return at_; }
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  // Reads that byte, with blanks before it or none.
  bool take(char byte) {
    skip_blanks();
    return at_ != end_ && *at_ == byte && (++at_, true);
  }
  bool number(std::uint32_t& result) {
    skip_blanks();
    const char* begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return short_number(begin, at_, result);
  }
  // Without escapes.
  bool text(std::string_view& result) {
    if (!take('"')) return false;
    const char* begin = at_;
    while (at_ != end_ && *at_ != '"' && *at_ != '\\') ++at_;
    result = {begin, static_cast<std::size_t>(at_ - begin)};
    return take('"');
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace

const char* PlainRows::json(const char* at, const char* end, std::size_t fields, PlainRow& row) {
  JsonFields it(at, end);
  Numbers numbers;
  std::string_view from;
  std::string_view to;
  std::string_view everyone;
  std::uint32_t target = 0;
  const auto read_target = [&] {
    it.skip_blanks();
    if (it.at() != end && *it.at() == '"') return it.text(everyone) && everyone == "*";
    numbers.packet.target = 0;
    return it.number(target);
  };
  const bool read = it.take('[') && it.number(numbers.step) && it.take(',') && it.text(from) && it.take(',') &&
                    it.text(to) && it.take(',') && it.number(numbers.lane) && it.take(',') &&
                    it.number(numbers.packet.origin) && it.take(',') && read_target() && it.take(',') &&
                    it.number(numbers.packet.part) &&
                    (fields == row_fields || (it.take(',') && it.number(numbers.message))) && it.take(']');
  if (numbers.packet.target) numbers.packet.target = target;
  return read && make(from, to, numbers, row) ? it.at() : nullptr;
}

}  // namespace quadrille
