# Puts the style and the scripts of pages/web into the library. Included, it offers quadrille_embed_web(target); run as a
# script (cmake -DFILES=a.js:b.js -DOUTPUT=web.cpp -P embed_web.cmake) it writes the source. The scripts run in the order
# of this list: D3, then the pieces, which share one scope as if they were one file, and last what starts them.
set(QUADRILLE_SCRIPTS base state verdict machine time program proof curves history numbers source tables start)

function(quadrille_embed_web target)
  set(files ${PROJECT_SOURCE_DIR}/pages/web/page.css ${PROJECT_SOURCE_DIR}/pages/web/d3.v7.min.js)
  foreach(script IN LISTS QUADRILLE_SCRIPTS)
    list(APPEND files ${PROJECT_SOURCE_DIR}/pages/web/${script}.js)
  endforeach()
  set(output ${PROJECT_BINARY_DIR}/pages/web.cpp)
  string(REPLACE ";" ":" joined "${files}")
  quadrille_written_source(${target} ${output} ${PROJECT_SOURCE_DIR}/pages/embed_web.cmake
                           "Embedding the style and the scripts of pages" FILES ${files} DEFINITIONS -DFILES=${joined})
  # Its texts are longer than every compiler has to take them.
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  include(${CMAKE_CURRENT_LIST_DIR}/../dsl/embed.cmake)  # for quadrille_literals
  string(REPLACE ":" ";" files "${FILES}")
  list(POP_FRONT files style_file library_file)
  file(READ "${style_file}" text)
  quadrille_literals("${text}" style)
  file(READ "${library_file}" text)
  quadrille_literals("${text}" library)
  set(text "(() => {\n\"use strict\";\n")
  foreach(file IN LISTS files)
    file(READ "${file}" piece)
    string(APPEND text "${piece}")
  endforeach()
  string(APPEND text "})();\n")
  quadrille_literals("${text}" scripts)
  file(WRITE "${OUTPUT}"
       "#include \"pages/web.h\"\n\n#include <array>\n\nnamespace quadrille::pages {\n\n"
       "static const std::array<std::string_view, 2> all_scripts = {{${library},${scripts}}};\n\n"
       "std::string_view web_style() { return ${style}; }\n"
       "std::span<const std::string_view> web_scripts() { return all_scripts; }\n\n}  // namespace quadrille::pages\n")
endif()
