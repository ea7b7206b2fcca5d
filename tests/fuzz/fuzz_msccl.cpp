// Any bytes: reading and judging them as MSCCL XML must not crash; what is read must survive being written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "programs/judge.h"
#include "programs/msccl/load.h"
#include "programs/msccl/mend.h"
#include "programs/msccl/xml.h"

using namespace quadrille;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Source source{"input", std::string(reinterpret_cast<const char*>(data), size)};
  const auto file = programs::read_msccl_xml(source, 0);
  if (!file && file.diagnostics().size() != 1) std::abort();
  if (!file) return 0;
  const std::string text = programs::write_msccl_xml(*file);
  const auto again = programs::read_msccl_xml({"again", text}, 0);
  if (!again || programs::write_msccl_xml(*again) != text) std::abort();
  for (const programs::Executor& executor : programs::executors()) {
    const programs::ByteRange range = programs::bytes_of(*file, executor);
    const programs::MscclCall call{&executor, file->in_place, {}, 0, range.from, range.to, {}};
    programs::LoadedMsccl loaded = programs::load_msccl(*file, call, 3);
    programs::ProgramJudgeOptions options;
    options.limits.memory = std::uint64_t{1} << 27;
    programs::judge(loaded.program, loaded.report, options);
    const auto mended = programs::mend_msccl(*file, {call}, options.limits);
    if (mended && !programs::read_msccl_xml({"mended", programs::write_msccl_xml(mended->file)}, 0)) std::abort();
  }
  return 0;
}
