// Private to formats/: CSV tables whose rows say something of words (model/MODEL.md, Words): two columns more.
#pragma once

#include <string>
#include <string_view>

#include "formats/head.h"
#include "formats/text.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// Whether that is the header line of such a table.
bool is_worded_header(std::string_view line);

// A table's text, of which the head has been read; then comes the header line.
struct ReductionsText {
  const std::string& name;
  std::string_view text;
  std::uint32_t source;
  const Limits& limits;
};
Result<SendTable> read_worded_csv(const ReductionsText& input, const TableHead& head);

// Its header line and its rows. Why they end before the table does, if so.
Reason put_worded_csv(const SendTable& table, TableOutput& output);

}  // namespace quadrille
