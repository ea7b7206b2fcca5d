# room gives the room that a source belongs to: its folder at the root; of the verifier the folder below that, to which the
# public headers beside it belong, too.
function room(path, parts, count) {
  count = split(path, parts, "/")
  if (parts[1] != "verifier") return parts[1]
  if (count > 2) return parts[2]
  return parts[2] in face ? face[parts[2]] : "verifier"
}
BEGIN {
  split("check.h checker certificate.h certificate proof_reader.h proof_reader bounds.h bounds search.h search " \
    "hamiltonian.h search prove.h prover write_proof.h prover", faces, " ")
  for (i = 1; i in faces; i += 2) face[faces[i]] = faces[i + 1]
}
