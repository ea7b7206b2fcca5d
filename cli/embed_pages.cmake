# Puts the project's pages into the command, for `quadrille help TOPIC`. Included, it offers quadrille_embed_pages(target);
# run as a script (cmake -DPAGES=topic=file:… -DOUTPUT=pages.cpp -P embed_pages.cmake) it writes the source file. A page
# more is a word more in this list; the topics are in alphabetical order.
set(QUADRILLE_PAGES
    catalogue=dsl/CATALOGUE.md certificates=verifier/CERTIFICATES.md cheatsheet=guide/CHEATSHEET.md collectives=model/COLLECTIVES.md commands=cli/COMMANDS.md
    executors=programs/PROGRAMS.md fabrics=model/FABRICS.md formula=verifier/FORMULA.md guide=guide/README.md json=cli/JSON.md
    language=dsl/LANGUAGE.md machines=machines/MACHINES.md model=model/MODEL.md programs=formats/PROGRAM_FORMAT.md proofs=verifier/PROOF_FORMAT.md proving=verifier/PROVING.md results=verifier/RESULTS.md
    router=runtime/ROUTER.md start=README.md tables=formats/TABLE_FORMAT.md theorems=verifier/THEOREMS.md words=guide/WORDS.md)

function(quadrille_embed_pages target)
  set(pages "")
  set(files "")
  foreach(page IN LISTS QUADRILLE_PAGES)
    string(REGEX REPLACE "^.*=" "" file "${page}")
    string(REGEX REPLACE "=.*$" "" topic "${page}")
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${file})
      message(FATAL_ERROR "cli/embed_pages.cmake: there is no ${file}")
    endif()
    list(APPEND pages ${topic}=${PROJECT_SOURCE_DIR}/${file})
    list(APPEND files ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  string(REPLACE ";" ":" joined "${pages}")
  quadrille_written_source(${target} ${PROJECT_BINARY_DIR}/cli/pages.cpp ${PROJECT_SOURCE_DIR}/cli/embed_pages.cmake
                           "Embedding the pages" FILES ${files} DEFINITIONS -DPAGES=${joined})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  include(${CMAKE_CURRENT_LIST_DIR}/../dsl/embed.cmake)  # for quadrille_literals
  string(REPLACE ":" ";" pages "${PAGES}")
  set(rows "")
  set(count 0)
  foreach(page IN LISTS pages)
    string(REGEX REPLACE "^[^=]*=" "" file "${page}")
    string(REGEX REPLACE "=.*$" "" topic "${page}")
    file(READ "${file}" text)
    quadrille_literals("${text}" literals)
    string(APPEND rows "    {\"${topic}\",${literals}\n     \"\"},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  file(WRITE "${OUTPUT}"
       "#include \"cli/pages.h\"\n\n#include <array>\n\nnamespace quadrille::cli {\n\n"
       "static const std::array<Page, ${count}> all_pages = {{\n${rows}}};\n\n"
       "std::span<const Page> pages() { return all_pages; }\n\n}  // namespace quadrille::cli\n")
endif()
