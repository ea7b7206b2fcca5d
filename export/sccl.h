// `quadrille export --to sccl`.
#pragma once

#include "export/targets.h"

namespace quadrille::exporting {

// An algorithm of SCCL (msccl-tools), in JSON, of a copying collective: a step for each step or round, which takes as
// many of SCCL's rounds as its most loaded link. Channels between processors are links; switches that form a tree with
// them become cuts, two for each link, and others are refused by name, as is what switches keep from one step to the
// next.
Result<ExportOutcome> export_sccl(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::exporting
