// Algorithms of SCCL (msccl-tools), in JSON, as tables.
#pragma once

#include "formats/formats.h"

namespace quadrille {

// Reads them; `export --to sccl` writes them. The fabric is the file's topology (machines/MACHINES.md), so it must be a
// family `sccl` among the input's; steps are rounds whose messages, of one chunk each, share links. Chunks that are
// those of an all-gather, a broadcast or a total exchange make that collective, others a custom one. A claim says that
// no step takes more rounds than the file says. Or what is wrong, by its JSON pointer: also a send over a link that is
// not there, which SCCL's own checker lets pass; and what is not read: chunks that are reduced.
//
// Cost: linear, but for the fabric and the routes on it.
Format sccl_format();

// The formats with that one behind them.
FormatList with_sccl(FormatList formats);

}  // namespace quadrille
