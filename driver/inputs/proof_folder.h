// Writes a proof that a second reader can judge, as files (verifier/PROOF_FORMAT.md): core.txt, proof.txt, and tables
// of small sizes.
#pragma once

#include <optional>
#include <string>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "verifier/write_proof.h"

namespace quadrille::driver {

inline constexpr const char* core_file = "core.txt";
inline constexpr const char* proof_file_name = "proof.txt";

// Writes all of the folder, or none of it. Requires that it does not exist. Returns nothing, or the reason why that
// failed.
std::optional<std::string> write_proof_folder(const WrittenProof& proof,
                                              const std::shared_ptr<const ir::Schedule>& schedule,
                                              const std::string& folder, Context& context);

// Whether the path is such a folder.
bool is_proof_folder(const std::string& path, Context& context);

}  // namespace quadrille::driver
