// The list of the standard families. They are declared here and not in headers of their own, so a new one is its
// source and two lines of this file.
#include "model/families.h"

#include <algorithm>

namespace quadrille {

// One declaration and one line in the list for each family of topologies; each is defined in a file of its own.
namespace topologies {

TopologyFamily fat_tree();
TopologyFamily ring();
TopologyFamily line();
TopologyFamily mesh();
TopologyFamily torus();
TopologyFamily hypercube();
TopologyFamily complete();
TopologyFamily star();
TopologyFamily product();
TopologyFamily dgx1();
TopologyFamily graph();

}  // namespace topologies

// The same for the families of collectives; the standard ones in the order of CollectiveKind::Known.
namespace collectives {

using Family = std::shared_ptr<const CollectiveFamily>;
Family broadcast();
Family scatter();
Family gather();
Family allgather();
Family total_exchange();
Family reduce();
Family reduce_scatter();
Family allreduce();
Family prefix();
Family exclusive_prefix();
Family barrier();
Family custom();

}  // namespace collectives

namespace {

bool answers_to(const std::string& own, const std::vector<std::string>& aliases, std::string_view name) {
  return own == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

std::vector<TopologyFamily> standard_topologies() {
  using namespace topologies;
  return {fat_tree(), ring(), line(), mesh(), torus(), hypercube(), complete(), star(), product(), dgx1(), graph()};
}

std::vector<collectives::Family> standard_collectives() {
  using namespace collectives;
  return {broadcast(),      scatter(),   gather(), allgather(),        total_exchange(), reduce(),
          reduce_scatter(), allreduce(), prefix(), exclusive_prefix(), barrier(),        custom()};
}

}  // namespace

const TopologyFamily* Families::topology(std::string_view name) const {
  const auto found = std::find_if(topologies.begin(), topologies.end(), [name](const TopologyFamily& family) {
    return answers_to(family.name, family.aliases, name);
  });
  return found == topologies.end() ? nullptr : &*found;
}

const CollectiveFamily* Families::collective(std::string_view name) const {
  const auto found = std::find_if(collectives.begin(), collectives.end(), [name](const collectives::Family& family) {
    return answers_to(family->facts().name, family->facts().aliases, name);
  });
  return found == collectives.end() ? nullptr : found->get();
}

const Families& standard_families() {
  static const Families all{standard_topologies(), standard_collectives()};
  return all;
}

}  // namespace quadrille
