// How the tests' executor reads a thread block: into the table that a kernel works through.
#include "tests/programs/random_executor.h"

namespace quadrille::programs {

// The loaders' loop, with its arrays.
void RandomExecutor::load(const MscclRank& rank, const MscclBlock& block) {
  Worker worker;
  worker.rank = static_cast<std::size_t>(rank.id);
  worker.id = block.id;
  worker.outgoing = wires_.outgoing(rank, block);
  worker.incoming = wires_.incoming(rank, block);
  worker.priority = static_cast<double>(random_() % 1000);
  std::vector<std::pair<std::int64_t, std::int64_t>> dependencies;
  std::size_t used = 0;
  int old_dst = -1, old_src = -1;
  std::int64_t old_offset = -1;
  int reductions = 0;
  for (const MscclStep& step : block.steps) {
    if (step.depends_on_block >= 0) dependencies.emplace_back(step.depends_on_block, step.depends_on_step);
    if (!step.kind) continue;
    const bool re = *step.kind == Kind::reduce;
    bool continues = false;
    if (re) {
      if (old_dst == static_cast<int>(step.target) && old_offset == step.target_offset &&
          old_src == static_cast<int>(step.source) && step.depends_on_block == -1) {
        continues = true;
      } else {
        old_dst = -1;
      }
    }
    if (!continues) {
      Job job{*step.kind, step.source, step.target, {}, step.target_offset, 0, {}, false, 0};
      job.waits.assign(dependencies.begin() + static_cast<std::ptrdiff_t>(used), dependencies.end());
      used = dependencies.size();
      worker.jobs.push_back(job);
    }
    Job& job = worker.jobs.back();
    job.count = step.count;
    job.sources.push_back(step.source_offset);
    job.flags = step.has_dependence == 1;
    if (!re) {
      old_dst = -1;
      continue;
    }
    ++reductions;
    if (step.has_dependence || reductions == 16) {
      old_dst = -1;
    } else {
      old_dst = static_cast<int>(step.target);
      old_offset = step.target_offset;
      old_src = static_cast<int>(step.source);
    }
  }
  std::int64_t step = 0;  // the kernel's
  for (Job& job : worker.jobs) {
    if (!job.waits.empty()) step += static_cast<std::int64_t>(job.waits.size()) - 1;
    if (job.kind == Kind::reduce && job.count > 0) step += static_cast<std::int64_t>(job.sources.size()) - 1;
    job.number = step++;
  }
  workers_.push_back(worker);
}

}  // namespace quadrille::programs
