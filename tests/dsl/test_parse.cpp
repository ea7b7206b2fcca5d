// From text to tree, and the messages for what is not a schedule.
#include <doctest/doctest.h>

#include <string>

#include "dsl/parse.h"
#include "tests/dsl/tree_text.h"

namespace quadrille {
namespace {

using testing::tree_text;

ast::File parsed(const std::string& text) {
  const Source source{"test.qd", text};
  auto file = parse(source);
  REQUIRE_MESSAGE(file.ok(), render(file.diagnostics(), {source}));
  return std::move(*file);
}

std::string tree(const std::string& expression) {
  const ast::File file = parsed("let x = " + expression);
  return tree_text(*std::get<ast::Let>(file.items.front().node).value);
}

// Every error as `line:column-length message`, one a line.
std::string errors(const std::string& text) {
  const auto file = parse({"test.qd", text});
  std::string result;
  for (const Diagnostic& error : file.diagnostics()) {
    const Position place = position_of(text, error.span.begin);
    if (!result.empty()) result += '\n';
    result += std::to_string(place.line) + ':' + std::to_string(place.column) + '-' +
              std::to_string(error.span.end - error.span.begin) + ' ' + error.message;
  }
  return result;
}

// The piece of `text` at a span.
std::string piece(const std::string& text, Span span) { return text.substr(span.begin, span.end - span.begin); }

const ast::Statement& statement(const ast::File& file, std::size_t item) {
  return std::get<ast::Statement>(file.items.at(item).node);
}

TEST_CASE("precedence") {
  CHECK(tree("a + b * c ^ d ^ e") == "(+ a (* b (^ c (^ d e))))");
  CHECK(tree("-2^2") == "(- (^ 2 2))");
  CHECK(tree("2^-1 * 3") == "(* (^ 2 (- 1)) 3)");
  CHECK(tree("a - b - c") == "(- (- a b) c)");
  CHECK(tree("not a == b and c") == "(and (not (== a b)) c)");
  CHECK(tree("a or b xor c and d") == "(or a (xor b (and c d)))");
  CHECK(tree("1 shl a + b") == "(shl 1 (+ a b))");
  CHECK(tree("a < b shl c") == "(< a (shl b c))");
  CHECK(tree("0..n-1") == "(.. 0 (- n 1))");
  CHECK(tree("5..1") == "(.. 5 1)");
  CHECK(tree("n - 1 downto 0") == "(downto (- n 1) 0)");
  CHECK(tree("if a then b else c + 1") == "(if a b (+ c 1))");
  CHECK(tree("i*M xor M..2") == "(.. (xor (* i M) M) 2)");
  CHECK(tree("(((1)))") == "1");
  CHECK(tree("9223372036854775807") == "9223372036854775807");
}

TEST_CASE("calls, sets and folds") {
  CHECK(tree("f()") == "f[]");
  CHECK(tree("f(a, 1..2,{})") == "f[a (.. 1 2) set[] ]");
  CHECK(tree("{a, b}") == "set[a b ]");
  CHECK(tree("{x*y for x in 1..3, y in S if x < y}") == "(set (* x y) {x (.. 1 3)}{y S} (< x y))");
  CHECK(tree("sum(i for i in 1..L)") == "(sum i {i (.. 1 L)} _)");
  CHECK(tree("min(a, b)") == "min[a b ]");
}

TEST_CASE("statements") {
  const ast::File file = parsed(R"(
for x in 1..3, y in S if x < y in turn:
  at x: send x -> {y} along a, b waiting 2 at c, d at e carrying 1 -> * part 2
  then repeat 3 times: reverse: f()
relabel x -> x + 1 carrying y -> -y: by fifo: send x->all carrying -> d
)");
  CHECK(tree_text(file) ==
        "for true {x (.. 1 3)}{y S} if (< x y)\n"
        "  at x\n"
        "    send x set[y ] [a b ] wait 2 c wait d e carrying 1 true_ 2\n"
        "  then\n"
        "  repeat 3\n"
        "    reverse\n"
        "      call f[]\n"
        "relabel x (+ x 1) y (- y)\n"
        "  by fifo\n"
        "    send x all [] carrying _ falsed _\n");
}

TEST_CASE("a block says how many processors and which parts it has, and runs a file") {
  CHECK(tree_text(parsed("relabel x -> x*g + 1 of s part q -> {q, 2} carrying y -> y..4: run scatter(N: s, c: [1, 2])\n"
                         "then run ring\n")) ==
        "relabel x (+ (* x g) 1) of s part q set[q 2 ] y (.. y 4)\n"
        "  run scatter(N._=[s ] c._=[1 2 ] )\n"
        "then\nrun ring()\n");
  // Elsewhere both are names.
  CHECK(tree_text(parsed("let run = of\nprocedure run(of):\n  send run -> of\nrun(3)\n")) ==
        "let run false() of\nprocedure run(of:_ )\n  send run of []\ncall run[3 ]\n");
}

TEST_CASE("declarations") {
  CHECK(tree_text(parsed("include \"a // b.qd\"\nparam c: pattern = [1, 2]\nparam L in 1..62 = 4\n"
                         "fabric fat_tree(levels: L, capacity(i): 2^i, [1, 2], L)\nlet f(a, p: procedure) = a\n"
                         "procedure p():\n  f()\nclaim steps <= 3 when L > 1\n")) ==
        "include a // b.qd\nparam c true _ _ [1 2 ]\nparam L false (.. 1 62) 4 []\n"
        "fabric fat_tree(levels._=[L ] capacity.i=[(^ 2 i) ] _._=[1 2 ] _._=[L ] )\n"
        "let f true(a:_ p:procedure ) a\nprocedure p()\n  call f[]\nclaim (<= steps 3) (> L 1)\n");
  CHECK(tree_text(parsed("collective custom:\n  chunk 1 -> * part 2 held by S wanted by {3}\n"
                         "  for x in S if x > 1:\n    chunk x -> 0\n  // end\n")) ==
        "collective custom()\n  chunk 1 true_ 2 S set[3 ]\n  for {x S} (> x 1)\n    chunk x false0 _ _ _\n"
        "  ~ trailing ' end'\n");
}

TEST_CASE("an else belongs to the if that starts its line") {
  CHECK(tree_text(parsed("if a: if b: f()\nelse: g()\n")) == "if a\n  if b\n    call f[]\nelse\n  call g[]\n");
  CHECK(tree_text(parsed("if a: f()\nelse if b: g()\nelse: h()\n")) ==
        "if a\n  call f[]\nelse\n  if b\n    call g[]\n  else\n    call h[]\n");
  CHECK(errors("for x in S: if a: f()\nelse: g()\n") ==
        "2:1-4 'else' without an 'if' that starts its own line before it");
}

TEST_CASE("lines go on in brackets and at words that start no statement") {
  CHECK(tree_text(parsed("f(1,  // one\n  // two\n2\n  )  // three\n")) ==
        "call f[1 2 ]\n~ before ' one'\n~ before ' two'\n~ after ' three'\n");
  CHECK(tree_text(parsed("claim a  // one\n  // two\n\n  when b  // three\n")) ==
        "claim a b\n~ before ' one'\n~ before ' two'\n~ after ' three'\n");
}

TEST_CASE("comments and blank lines") {
  CHECK(
      tree_text(parsed("\n// a\n\n// b\n\nf()  // c\n\ng()\nat 1:\n\n  // d\n  h()\n\n  // e\n// f\n\ni()\n// g\n")) ==
      "call f[]\n~ before ' a'\n~ ~\n~ before ' b'\n~ blank after\n~ after ' c'\n"
      "call g[]\n~ blank\n"
      "at 1\n  call h[]\n  ~ before ' d'\n  ~ blank before trailing\n  ~ trailing ' e'\n"
      "call i[]\n~ before ' f'\n~ blank after\n~ trailing ' g'\n");
  CHECK(tree_text(parsed("f()\r\n\r\ng()  // x \r\n")) == "call f[]\ncall g[]\n~ blank\n~ after ' x'\n");
  CHECK(tree_text(parsed("")) == "");
  CHECK(tree_text(parsed("  // only")) == "~ trailing ' only'\n");
}

TEST_CASE("spans") {
  const std::string text = "then at  x + 1 :\n  send (a) -> f( b,\n c )  // é\nlet y = sum(i for i in 1 .. 3)\n";
  const ast::File file = parsed(text);
  const ast::Statement& outer = statement(file, 0);
  CHECK(piece(text, outer.span) == "at  x + 1 :");
  const auto& at = std::get<ast::At>(outer.node);
  CHECK(piece(text, at.step->span) == "x + 1");
  CHECK(piece(text, std::get<ast::Binary>(at.step->node).op_span) == "+");
  const ast::Statement& inner = at.body.statements.front();
  CHECK(piece(text, inner.span) == "send (a) -> f( b,\n c )");
  const auto& send = std::get<ast::Send>(inner.node);
  CHECK(piece(text, send.source->span) == "(a)");
  CHECK(piece(text, send.target->span) == "f( b,\n c )");
  CHECK(piece(text, std::get<ast::CallExpression>(send.target->node).arguments[1].span) == "c");
  const auto& let = std::get<ast::Let>(file.items[1].node);
  CHECK(piece(text, file.items[1].span) == "let y = sum(i for i in 1 .. 3)");
  CHECK(piece(text, let.name.span) == "y");
  CHECK(piece(text, std::get<ast::Fold>(let.value->node).bindings[0].set->span) == "1 .. 3");
}

TEST_CASE("messages say what was expected and what was met") {
  CHECK(errors("for x in 1..3\n  send 0 -> x\n") == "1:14-0 expected ':' after the loop's range, met 'end of line'");
  CHECK(errors("send 0 ->\n") == "1:10-0 expected an expression after '->', met 'end of line'");
  CHECK(errors("send 0 1") == "1:8-1 expected '->' after the source, met '1'");
  CHECK(errors("let x = f(a b)") == "1:13-1 expected ',' or ')' after 'a', met 'b'");
  CHECK(errors("let x = (1 -> 2)") == "1:12-2 expected ')' after '1', met '->'");
  CHECK(errors("let x = 1 +\n") == "1:12-0 expected an expression after '+', met 'end of line'");
  CHECK(errors("let x = 1 2") == "1:11-1 expected end of line, met '2'");
  CHECK(errors("let x = é") == "1:9-2 expected an expression after '=', met 'é'");
  CHECK(errors("send 1 -> 2 carrying") ==
        "1:21-0 expected an origin, '->', 'part', 'held' or 'sum' after 'carrying', met 'end of line'");
  CHECK(errors("for x in S in trn: f()") == "1:15-3 expected 'turn' after 'in', met 'trn'");
  CHECK(errors("if k = 1:\n  f()\n") == "1:6-1 expected ':' after the condition, met '='; did you mean '=='?");
  CHECK(errors("claim steps = 3\n") == "1:13-1 expected end of line, met '='; did you mean '=='?");
  CHECK(errors("let x = 7 % 2\n") == "1:11-1 expected end of line, met '%'; did you mean 'mod'?");
  CHECK(errors("send 0 → 1\n") == "1:8-3 expected '->' after the source, met '→'; did you mean '->'?");
  CHECK(errors("at 3:\nf()") == "1:6-0 expected a statement or an indented block after ':', met 'end of line'");
  CHECK(errors("include x") == "1:9-1 expected a path in quotes after 'include', met 'x'");
  CHECK(errors("if a: f()\nelse g()") == "2:6-1 expected ':' or 'if' after 'else', met 'g'");
}

TEST_CASE("a word that is nearly one with which a line could go on is named") {
  CHECK(errors("send 0 -> 1 part 2") == "1:13-4 expected end of line, met 'part'; did you mean 'carrying part'?");
  CHECK(errors("at 2: send 0 -> 1\n  held") == "2:3-4 expected end of line, met 'held'; did you mean 'carrying held'?");
  CHECK(errors("send 0 -> 1 carying 0 -> 2") == "1:13-7 expected end of line, met 'carying'; did you mean 'carrying'?");
  CHECK(errors("send 0 -> 1\n  allong 2") ==
        "2:3-0 this line is indented more deeply, but the line before opens no block; did you mean 'along'?");
  CHECK(errors("send 0 -> 1\ncarying 2 -> 1") == "2:1-7 unknown statement 'carying'; did you mean 'carrying'?");
  CHECK(errors("for k in processors iff k > 1: f(k)") ==
        "1:21-3 expected ':' after the loop's range, met 'iff'; did you mean 'if'?");
  CHECK(errors("claim steps == 2 whn n > 2") == "1:18-3 expected end of line, met 'whn'; did you mean 'when'?");
  CHECK(errors("send 0 to 1") == "1:8-2 expected '->' after the source, met 'to'; did you mean '->'?");
  CHECK(errors("send 0 -> 1 quickly") == "1:13-7 expected end of line, met 'quickly'");
  CHECK(errors("claim steps == 2 part 2") == "1:18-4 expected end of line, met 'part'");
}

TEST_CASE("a fabric in the command line's notation is answered with the language's") {
  CHECK(errors("fabric torus:4x4") ==
        "1:14-1 'torus:4x4' is how the command line writes it; here it is 'torus([4, 4])'");
  CHECK(errors("fabric fat_tree:levels=2,capacity=exponential  // small") ==
        "1:17-6 'fat_tree:levels=2,capacity=exponential' is how the command line writes it; here it is "
        "'fat_tree(levels: 2, capacity: exponential)'");
  CHECK(errors("fabric torus(4x4)") == "1:14-2 a number runs into a name; extents are written '[4, 4]'");
  CHECK(errors("let a = 4x") == "1:9-2 a number runs into a name");
}

TEST_CASE("what a fabric's declaration cannot have is told with what it can") {
  const std::string nodes = "fabric two:\n  processors 2\n";
  CHECK(errors(nodes + "  link 0 -- 1 latency 1us, lanes 2") ==
        "3:26-1 expected end of line, met ','; clauses stand side by side, without ','");
  CHECK(errors(nodes + "  link 0 -- 1 lanes 2 latency 1us lanes 3") ==
        "3:35-5 expected end of line, met 'lanes'; each clause stands once");
  CHECK(errors("fabric two(pods: 2):\n  processors 2\n") ==
        "1:20-1 a fabric is declared with parameters such as 'fabric NAME(a in 1..8, b = 2):'");
}

TEST_CASE("misspelt and misplaced words") {
  CHECK(errors("sned 0 -> 1") == "1:1-4 unknown statement 'sned'; did you mean 'send'?");
  CHECK(errors("at 1: claim x") == "1:7-5 'claim' stands only at the file's own level, not in a block");
  CHECK(errors("broadcast 1") == "1:1-9 unknown statement 'broadcast'; a call is written 'broadcast(…)'");
  CHECK(errors("x = 3") == "1:1-1 unknown statement 'x'; did you mean 'let x = …'?");
  CHECK(errors("for then in S: f()") == "1:5-4 'then' is a word of the language and cannot be a name");
  CHECK(errors("let at = 3") == "1:5-2 'at' is a word of the language and cannot be a name");
  CHECK(errors("let f(a: nod) = 3") == "1:10-3 unknown type 'nod'; did you mean 'node'?");
}

TEST_CASE("expressions that do not fit together") {
  CHECK(errors("let x = a < b < c") == "1:15-1 comparisons do not chain; join two of them by 'and'");
  CHECK(errors("let x = 1..2..3") == "1:13-2 a range cannot be the end of another range");
  CHECK(errors("let x = 1 + not y") == "1:13-3 'not' needs parentheses after this operator");
  CHECK(errors("let x = 1 + if a then b else c") == "1:13-2 'if … then … else …' needs parentheses here");
  CHECK(errors("let x = f(a for a in S)") == "1:9-1 only sum, min, max, count, all and any run over a 'for'");
  CHECK(errors("let x = 9223372036854775808") == "1:9-19 number too large (above 2^63 - 1)");
  CHECK(errors("let x = 2x") == "1:9-2 a number runs into a name");
}

TEST_CASE("layout mistakes") {
  CHECK(errors("f()\n  g()\n") == "2:3-0 this line is indented more deeply, but the line before opens no block");
  CHECK(errors("at 1:\n    f()\n  g()\n") == "3:3-0 this line's indentation is that of no block around it");
  CHECK(errors("\tf()") ==
        "1:1-1 tab in the indentation; only spaces indent\n1:2-0 the first line must not be indented");
  CHECK(errors("f(\t1)") == "1:3-1 tab; use spaces");
  CHECK(errors("f(1\ng(2)\nlet x = 2") == "1:2-1 '(' is never closed");
  CHECK(errors("f(1]") == "1:4-1 ']' does not close '('");
  CHECK(errors("f(1))") == "1:5-1 ')' closes nothing");
  CHECK(errors("include \"x") == "1:9-2 this string is not closed on its line");
  CHECK(errors("f(\x01)") == "1:3-1 control character 0x01");
  CHECK(errors(std::string("f()\n\x01\0\x02(", 8)) == "2:2-1 a byte 0: this is no text");
  CHECK(errors("\xEF\xBB\xBF"
               "f()") == "1:1-3 byte order mark; save the file as UTF-8 without one");
  CHECK(errors("// \xff") == "1:4-1 byte 0xff is not UTF-8 text");
  CHECK(errors("// \xed\xa0\x80").starts_with("1:4-1 byte 0xed is not UTF-8 text"));
}

TEST_CASE("each faulty line is reported, and what depends on it is not") {
  CHECK(errors("send 1\nif a\n  sned\nelse: f()\nat 1:\n  let = 3\n  f()\n  g(\n)x\nh()\n") ==
        "1:7-0 expected '->' after the source, met 'end of line'\n"
        "2:5-0 expected ':' after the condition, met 'end of line'\n"
        "6:7-1 expected a name after 'let', met '='\n"
        "9:2-1 expected end of line, met 'x'");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "send\n";
  CHECK(parse({"test.qd", many}).diagnostics().size() == 20);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST_CASE("nesting beyond the limit is refused, quickly and without harm") {
  const int million = 1'000'000;
  const auto refused = [](const std::string& text) {
    const std::string message = errors(text);
    CHECK_MESSAGE(message.find("nested too deeply") != message.npos, message.substr(0, 200));
  };
  refused("let x = " + repeated("(", million) + "1" + repeated(")", million));
  refused("let x = " + repeated("f(", million) + "1" + repeated(")", million));
  refused("let x = " + repeated("-", million) + "1");
  refused("let x = " + repeated("not ", million) + "1");
  refused("let x = " + repeated("2^", million) + "1");
  refused("let x = " + repeated("1 + ", million) + "1");
  refused("let x = " + repeated("if a then b else ", 100'000) + "1");
  refused("if a: f()\n" + repeated("else if a: f()\n", 100'000));
  refused(repeated("at 1: ", 100'000) + "f()");
  refused("collective x:\n  " + repeated("for x in S: ", 100'000) + "chunk 1");
  std::string steps;
  for (std::size_t i = 0; i < 1000; ++i) steps += std::string(i, ' ') + "at 1:\n";
  refused(steps + std::string(1000, ' ') + "f()\n");
  CHECK(parse({"test.qd", "let x = " + repeated("(", 190) + "1" + repeated(")", 190)}).ok());
  CHECK(parse({"test.qd", "let x = " + repeated("1 + ", 190) + "1"}).ok());
}

// A grammar that tries alternatives anew at every bracket would never end here.
TEST_CASE("many brackets and many lines are read") {
  CHECK(parse({"test.qd", repeated("let x = " + repeated("f(1, {", 90) + "1" + repeated("})", 90) + "\n", 100)}).ok());
  CHECK(parse({"test.qd", repeated("at 1: send x + 2*(3 - y) -> f(a, b)\n", 10'000)}).ok());
}

TEST_CASE("a file above 16 MiB is refused") {
  CHECK(errors(std::string((16u << 20) + 1, ' ')) == "1:1-0 file too large (the limit is 16 MiB)");
}

}  // namespace
}  // namespace quadrille
