// Ctrl-C for work whose beginnings are worth something.
#pragma once

namespace quadrille::driver {

// The first SIGINT from now on is only remembered; then whatever was set for it before is set again. Where SIGINT is
// ignored, it stays so.
void outlive_first_interrupt();

// Whether it has come.
bool was_interrupted();

}  // namespace quadrille::driver
