// A plan's file says what a call must have, but for the root and the ranks of a node. MSCCL++ itself looks for less
// than its plans need, and ends with an error, or with wrong data, where they do not fit. So the program's selector
// leaves to other algorithms what has another root, or a size that does not come out even, or data of a type without a
// kernel.
#include "export/loader/register_plans.h"

#include <fmt/format.h>

#include <string_view>

namespace quadrille::exporting {
namespace {

constexpr std::string_view loader_head = R"("""Registers the plans of this folder with MSCCL++, each for its sizes.

    import register
    register.register(rank)  # in each process, before its communicator is made

Other calls get what `otherwise` chooses, or MSCCL++'s own. Reductions are sums, whatever a call asks for: MSCCL++ does
not say it when it asks for a plan.
"""

import json
import pathlib

import mscclpp
import mscclpp.ext

FOLDER = pathlib.Path(__file__).resolve().parent
)";

constexpr std::string_view loader_body = R"(ALIGNMENT = 16
TYPES = tuple(getattr(mscclpp.DataType, name) for name in ("float16", "bfloat16", "float32", "int32", "uint32"))


def read(file):
    """The plan's head, and what its numbers of chunks demand."""
    plan = json.loads((FOLDER / file).read_text())
    gpus = plan.pop("gpus")
    plan["world"] = len(gpus)
    plan["unit"] = ALIGNMENT * max(max(gpu["input_chunks"], gpu["output_chunks"]) for gpu in gpus)
    return plan


PLANS = {file: read(file) for file in FILES}


def whole_bytes(request):
    """What a plan counts: of an all-gather the output."""
    return request.message_size * (request.world_size if request.collective == "allgather" else 1)


def in_place(request):
    """Whether the smaller one of input and output is the rank's part of the other."""
    part = whole_bytes(request) // request.world_size * request.rank
    ahead = {"allgather": part, "reducescatter": -part}.get(request.collective, 0)
    return request.input_buffer - request.output_buffer == ahead


def fits(plan, request):
    size = whole_bytes(request)
    return (
        plan["collective"] == request.collective
        and plan["world"] == request.world_size
        and (RANKS_PER_NODE or plan["world"]) == request.n_ranks_per_node
        and plan["inplace"] == in_place(request)
        and plan["min_message_size"] <= size <= plan["max_message_size"]
        and size % plan["unit"] == 0
        and request.hints.get("root") == ROOT
        and request.dtype in TYPES
    )


def select(algorithms, request):
    """The algorithm of the plan for this request; None if there is none."""
    for plan in PLANS.values():
        if fits(plan, request):
            return algorithms[plan["collective"]][plan["name"]]
    return None


def register(rank, otherwise=lambda algorithms, request: None):
    """Gives MSCCL++ the plans, and asks them before `otherwise`, another selector, and before its own."""
    builder = mscclpp.ext.AlgorithmCollectionBuilder()
    for file, plan in PLANS.items():
        # Without a constraint, MSCCL++'s own selector never takes a plan: it would where `fits` says no.
        builder.add_algorithm_builder(
            mscclpp.Algorithm(
                id=plan["name"], execution_plan=mscclpp.ExecutionPlan(str(FOLDER / file), rank)
            )
        )
    builder.set_algorithm_selector(lambda *asked: select(*asked) or otherwise(*asked))
)";

}  // namespace

std::string register_plans(const std::vector<std::string>& files, std::optional<std::uint32_t> root,
                           std::uint32_t ranks_per_node) {
  std::string list;
  for (const std::string& file : files) list += fmt::format("    \"{}\",\n", file);
  return fmt::format("{}RANKS_PER_NODE = {}  # 0: all ranks are of one node\nROOT = {}\nFILES = [\n{}]\n{}",
                     loader_head, ranks_per_node, root ? fmt::format("[{}]", *root) : "None", list, loader_body);
}

}  // namespace quadrille::exporting
