# Puts the *.qd of dsl/schedules, dsl/fabrics and their folders into the library. Included, it offers quadrille_embed_texts(target folder);
# run as a script (cmake -DFOLDER=schedules -DTEXTS=a.qd:b.qd -DOUTPUT=schedules.cpp -P embed.cmake) it writes the source.

# `text` as adjacent raw string literals of at most about 8 KiB, cut at line ends where there are any.
function(quadrille_literals text result)
  set(literals "")
  string(LENGTH "${text}" rest)
  while(rest GREATER 0)
    set(size ${rest})
    if(rest GREATER 8000)
      string(SUBSTRING "${text}" 0 8000 piece)
      string(FIND "${piece}" "\n" newline REVERSE)
      math(EXPR size "${newline} + 1")
      if(size EQUAL 0)
        set(size 8000)
      endif()
    endif()
    string(SUBSTRING "${text}" 0 ${size} piece)
    string(SUBSTRING "${text}" ${size} -1 text)
    string(LENGTH "${text}" rest)
    string(APPEND literals "\n     R\"quadrille(${piece})quadrille\"")
  endwhile()
  set(${result} "${literals}" PARENT_SCOPE)
endfunction()

function(quadrille_write_shipped folder texts output)
  set(rows "")
  set(count 0)
  foreach(file IN LISTS texts)
    get_filename_component(name "${file}" NAME_WE)
    list(FIND names "${name}" other)
    if(NOT other EQUAL -1)
      message(FATAL_ERROR "two files are called ${name}.qd: names are unique over all folders")
    endif()
    list(APPEND names "${name}")
    file(READ "${file}" text)
    quadrille_literals("${text}" literals)
    string(APPEND rows "    {\"${name}\",${literals}\n     \"\"},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  file(WRITE "${output}"
       "#include \"dsl/shipped.h\"\n\n#include <array>\n\nnamespace quadrille {\n\n"
       "static const std::array<ShippedText, ${count}> ${folder} = {{\n${rows}}};\n\n"
       "std::span<const ShippedText> shipped_${folder}_texts() { return ${folder}; }\n\n}  // namespace quadrille\n")
endfunction()

# Adds a source to the target that a script writes, again when one of the files that it reads changes:
# quadrille_written_source(target output script comment FILES files… DEFINITIONS -Dname=value…). The script gets OUTPUT, too.
function(quadrille_written_source target output script comment)
  cmake_parse_arguments(PARSE_ARGV 4 it "" "" "FILES;DEFINITIONS")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} ${it_DEFINITIONS} -DOUTPUT=${output} -P ${script}
    DEPENDS ${it_FILES} ${script} ${PROJECT_SOURCE_DIR}/dsl/embed.cmake
    COMMENT "${comment}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# Adds the generated source with the texts of dsl/<folder>, *.qd, to `target`; it is written again when one of them changes,
# comes or goes.
function(quadrille_embed_texts target folder)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dsl/${folder}/*.qd)
  string(REPLACE ";" ":" joined "${texts}")
  quadrille_written_source(${target} ${PROJECT_BINARY_DIR}/dsl/${folder}.cpp ${PROJECT_SOURCE_DIR}/dsl/embed.cmake
                           "Embedding the shipped ${folder}" FILES ${texts} DEFINITIONS -DFOLDER=${folder} -DTEXTS=${joined})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  string(REPLACE ":" ";" texts "${TEXTS}")
  quadrille_write_shipped(${FOLDER} "${texts}" "${OUTPUT}")
endif()
