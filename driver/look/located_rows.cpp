// A second cursor, over the origins, follows the first, but only to steps that are asked for. Cost: the rows are made
// twice.
#include "driver/look/located_rows.h"

#include <algorithm>
#include <numeric>

namespace quadrille::driver {

std::optional<StepRows> LocatedRows::next() {
  auto rows = rows_->next();
  if (rows) step_ = rows->step;
  return rows;
}

std::vector<RowOrigin> LocatedRows::origins(std::size_t first, std::size_t count) {
  while (origins_ != nullptr && located_ != step_) {
    located_ = origins_->next();
    if (!located_) origins_.reset();
  }
  if (origins_ == nullptr) return std::vector<RowOrigin>(count);
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  return origins_->origins(indices);
}

namespace {

std::string line_at(const std::string& text, Span span) {
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const std::size_t end = std::min({text.find('\n', begin), text.size(), std::max<std::size_t>(span.end, begin)});
  std::string line = text.substr(begin, end - begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == ':')) line.pop_back();
  return line;
}

}  // namespace

const WrittenLine* WrittenLines::at(Span span) {
  if (span.source >= sources_.size()) return nullptr;
  const auto [place, isnew] = known_.try_emplace({span.source, span.begin});
  if (isnew) {
    const Source& source = sources_[span.source];
    place->second = {source.name, position_of(source.text, span.begin), line_at(source.text, span)};
  }
  return &place->second;
}

}  // namespace quadrille::driver
