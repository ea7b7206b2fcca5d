// The grammar of fabrics that a file defines: `fabric leaf_spine(hosts, leaves): …`.
//
// Whether a line that begins with `fabric` defines one or only names one is known at its end, by the ':'. So the header
// is read without points of no return; after the ':' there is none but in this rule. The words that begin the lines of
// the block (processors, switches, link, route) are names everywhere else. Cost: linear in the text; a line that names
// a fabric is read twice.
#include <span>
#include <string>

#include "dsl/grammar_blocks.h"
#include "dsl/grammar_declarations.h"
#include "dsl/grammar_expressions.h"
#include "dsl/grammar_statements.h"
#include "model/text/quantity.h"

namespace quadrille::grammar {
namespace {

const auto contents = [](auto& context) { attach(x3::_val(context), std::move(x3::_attr(context))); };
const auto loop_node = [](auto& context) {
  x3::_val(context).node = std::make_unique<ast::FabricLoop>(std::move(x3::_attr(context)));
};

// --- single lines -------------------------------------------------------------------------------------------------

const x3::rule<class ProcessorCountId, ast::ProcessorCount> processor_count = "processors";
const x3::rule<class SwitchArrayId, ast::SwitchArray> switch_array = "a name";
const x3::rule<class SwitchesId, ast::Switches> switches = "switches";
const x3::rule<class LatencyId, ast::Speed> latency = "a latency";
const x3::rule<class BandwidthId, ast::Speed> bandwidth = "a bandwidth";
const x3::rule<class LinkId, ast::Link> link = "link";
const x3::rule<class RouteId, ast::Route> route = "route";

const auto processor_count_def = word("processors") > expression[into<&ast::ProcessorCount::count>];

const auto switch_array_def = name[into<&ast::SwitchArray::name>] >
                              *('[' > expression[into<&ast::SwitchArray::extents>] > described(x3::lit(']'), "']'"));
const auto switches_def = word("switches") > switch_array[into<&ast::Switches::arrays>] >
                          *(',' > switch_array[into<&ast::Switches::arrays>]);

// The unit stands right behind the number or after blanks: `500ns`, `2*hops ns`.
struct UnitSymbols : x3::symbols<std::string> {
  explicit UnitSymbols(std::span<const Unit> units) {
    for (const Unit& unit : units) add(std::string(unit.name), std::string(unit.name));
  }
};
const UnitSymbols latency_symbols(latency_units());
const UnitSymbols bandwidth_symbols(bandwidth_units());

const auto latency_def = expression[into<&ast::Speed::value>] >
                         described(x3::lexeme[latency_symbols[into<&ast::Speed::unit>] >> !name_character],
                                   "a unit: ps, ns, us, ms or s");
const auto bandwidth_def = expression[into<&ast::Speed::value>] >
                           described(x3::lexeme[bandwidth_symbols[into<&ast::Speed::unit>] >> !name_character],
                                     "a unit, such as GB/s, MB/s or Gbit/s");

// That a link has no such clause yet: they come in any order, each once.
const auto no_lanes = [](auto& context) { x3::_pass(context) = !x3::_val(context).lanes; };
const auto no_latency = [](auto& context) { x3::_pass(context) = !x3::_val(context).latency.value; };
const auto no_bandwidth = [](auto& context) { x3::_pass(context) = !x3::_val(context).bandwidth.value; };

const auto link_def = word("link") > expression[into<&ast::Link::from>] >
                      described(both_ways | arrow[set<&ast::Link::one_way>],
                                "'--' or '->' after the first node") > expression[into<&ast::Link::to>] >
                      *(((x3::eps[no_lanes] >> word("lanes")) > expression[into<&ast::Link::lanes>]) |
                        ((x3::eps[no_latency] >> word("latency")) > latency[into<&ast::Link::latency>]) |
                        ((x3::eps[no_bandwidth] >> word("bandwidth")) > bandwidth[into<&ast::Link::bandwidth>]));

const auto route_def = word("route") > name[into<&ast::Route::source>] >
                       described(arrow, "'->' after the name") > name[into<&ast::Route::target>] >
                       -(word("when") > expression[into<&ast::Route::when>]) >
                       described(x3::lit(':'), "':' after the route's ends") >
                       described(word("along"), "'along' after the ':'") > expression[into<&ast::Route::along>] >
                       *(',' > expression[into<&ast::Route::along>]);

// --- blocks -------------------------------------------------------------------------------------------------------

struct FabricLineId : LineErrors {};
const x3::rule<FabricLineId, ast::FabricItem> fabric_line = "a line of a fabric";
const x3::rule<class InlineFabricId, ast::FabricItem> inline_item = "a line of a fabric";
const x3::rule<class FabricLoopId, ast::FabricLoop> loop = "for";
const x3::rule<class FabricBlockId, FabricBlock> fabric_block = "a line of a fabric or an indented block";

const auto loop_def = word("for") > bindings[into<&ast::FabricLoop::bindings>] >
                      -(word("if") > expression[into<&ast::FabricLoop::condition>]) >
                      colon("':' after the loop's range") > fabric_block[contents];

const auto single = processor_count[node] | switches[node] | link[node] | route[node] | let[node];
const auto any_item = described(((single >> x3::eps[header_ends]) > line_end) | loop[loop_node],
                                "'processors', 'switches', 'link', 'route', 'let' or 'for'");
const auto fabric_line_def = nested[x3::eps[comments] > x3::eps[header_begins] > any_item];
const auto inline_item_def = nested[x3::eps[header_begins] >> any_item];

const auto ends_block = x3::lit(Mark::close);
const auto lines = x3::lit(Mark::open) > +(!ends_block >> !x3::eoi >>
                                           fabric_line[into<&FabricBlock::items>]) > x3::eps[trailing] > ends_block;
const auto fabric_block_def = lines | inline_item[into<&FabricBlock::items>];

// --- the definition -----------------------------------------------------------------------------------------------

const x3::rule<class FabricParameterId, ast::Parameter> parameter = "a name";
const auto parameter_def = name[into<&ast::Parameter::name>] >>
                           -(word("in") >> expression[into<&ast::Parameter::range>]) >>
                           -(equals >> expression[into<&ast::Parameter::default_value>]);

const auto parameters = '(' >> parameter[into<&ast::FabricDefinition::parameters>] >>
                        *(',' >> parameter[into<&ast::FabricDefinition::parameters>]) >> ')';

BOOST_SPIRIT_DEFINE(processor_count, switch_array, switches, latency, bandwidth, link, route)
BOOST_SPIRIT_DEFINE(fabric_line, inline_item, loop, fabric_block, parameter)

}  // namespace

const auto fabric_definition_def = (word("fabric") >> name[into<&ast::FabricDefinition::name>] >> -parameters >>
                                    x3::lit(':')[header_ends]) > fabric_block[contents];

BOOST_SPIRIT_DEFINE(fabric_definition)
BOOST_SPIRIT_INSTANTIATE(FabricDefinitionRule, TextIterator, GrammarContext)

}  // namespace quadrille::grammar
