// `quadrille export`: its options. What it writes comes from the world's list of targets.
#include "driver/export.h"

#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_export_command(const Registry& registry) {
  using Request = driver::ExportRequest;
  return request_command<Request>(
      registry, "export", "Write a table for another system", [&registry](Options& options, Asked<Request>& asked) {
        std::vector<std::string> names;
        std::string help;
        for (const exporting::ExportTarget& target : registry.world.targets) {
          names.push_back(target.name);
          help += (help.empty() ? "" : "; ") + target.name + ": " + target.summary;
        }
        declare_input(options, asked.request.input);
        options.choice({"--to", "TARGET", help, true}, names, asked.request.target);
        options.word({"-o,--output", "FILE",
                      "Where it goes; standard output if not given. Of a folder of `compare -o`, a folder"},
                     asked.request.output);
        options.word({"--size", "BYTES", "A message's size: 4096, 64KiB (1KiB)"}, asked.request.size);
        options.choice({"--for", "SYSTEM", "Which executor's limits count, of msccl: msccl, azure or rccl (rccl)"},
                       {"msccl", "azure", "rccl"}, asked.request.consumer);
        options.flag({"--in-place", "", "mscclpp: for calls whose input and output are the same memory"},
                     asked.request.plan.in_place);
        options.number({"--instances", "K", "mscclpp: thread blocks that share each operation (1)"}, {1, 64},
                       asked.request.plan.instances);
        options.choice({"--protocol", "NAME", "mscclpp: Simple, or LL, for short messages (Simple)"}, {"Simple", "LL"},
                       asked.request.plan.protocol);
        options.number({"--ranks-per-node", "K",
                        "mscclpp: ranks of a node use memory channels, others ports (as the fabric has them)"},
                       {1, 1 << 20}, asked.request.plan.ranks_per_node);
        options.flag({"--unfold", "", "Send every contribution by itself, where switches add up what passes them"},
                     asked.request.unfold);
        options.flag(
            {"--anyway", "", "Also a table that is not well formed, causal or complete, where the target can say it"},
            asked.request.anyway);
        options.real({"--deadline", "SECONDS", "How long a rank waits for another one in a step of mpi-c (no limit)"},
                     {0.001, 1e9}, asked.request.deadline);
        declare_color(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
