# What other programs see of Quadrille: a CMake package with components, quadrille.pc, the public headers as
# <quadrille/check.h>, and the documentation.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# --- headers: <folder>/<name>.h becomes <quadrille/<name>.h>, and driver/<name>.h <quadrille/driver/<name>.h> -----------

# The public faces. What they include is installed, too.
set(public_headers
    model/collective.h model/diagnostic.h model/fabric.h model/ids.h model/limits.h model/result.h model/send_table.h
    model/source.h model/verdict.h model/route.h model/fabric_notation.h model/prefetched_rows.h
    formats/table_io.h formats/formats.h dsl/format.h dsl/load.h dsl/parse.h compiler/compile.h
    verifier/bounds.h verifier/certificate.h verifier/check.h verifier/proof_reader.h verifier/prove.h
    verifier/search.h verifier/write_proof.h runtime/replay.h runtime/router.h runtime/routing_policy.h runtime/traffic.h driver/bounds.h driver/certify.h driver/certify_proof.h driver/check.h driver/compile.h driver/context.h driver/input.h driver/prove.h
    driver/real_environment.h driver/replay.h driver/search.h driver/sizes.h)
set(header_folder ${PROJECT_BINARY_DIR}/include/quadrille)
set(waiting ${public_headers})
set(written "")
set(names "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST written)
    continue()
  endif()
  cmake_path(GET header FILENAME name)
  if(header MATCHES "^driver/")
    string(PREPEND name driver/)
  endif()
  if(name IN_LIST names)
    message(FATAL_ERROR "${header} is the second header that would be <quadrille/${name}>")
  endif()
  list(APPEND names ${name})
  list(APPEND written ${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  file(READ ${PROJECT_SOURCE_DIR}/${header} text)
  string(REGEX MATCHALL "#include \"[a-z_0-9/]+\\.h\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" include "${include}")
    list(APPEND waiting ${include})
  endforeach()
  string(REGEX REPLACE "#include \"(driver/[a-z_]+\\.h)\"" "#include <quadrille/\\1>" text "${text}")
  string(REGEX REPLACE "#include \"([a-z_]+/)+([a-z_0-9]+\\.h)\"" "#include <quadrille/\\2>" text "${text}")
  file(CONFIGURE OUTPUT ${header_folder}/${name} CONTENT "${text}" @ONLY)
endwhile()
install(DIRECTORY ${header_folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# --- components: quadrille::<component>, each an export set of its own --------------------------------------------------

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/quadrille)
set(quadrille_component_lines "")

# quadrille_component(NAME NEEDS components… SOLVERS solvers… LIBRARIES targets…): the component and what it is made of. A
# component whose name no library has gets an interface target.
function(quadrille_component name)
  cmake_parse_arguments(PARSE_ARGV 1 it "" "" "NEEDS;SOLVERS;LIBRARIES")
  foreach(library IN LISTS it_LIBRARIES)
    if(NOT TARGET quadrille_${library})
      return()
    endif()
  endforeach()
  set(targets ${it_LIBRARIES})
  list(TRANSFORM targets PREPEND quadrille_)
  if(NOT TARGET quadrille_${name} OR NOT name IN_LIST it_LIBRARIES)
    add_library(quadrille_${name}_component INTERFACE)
    set_target_properties(quadrille_${name}_component PROPERTIES EXPORT_NAME ${name})
    target_link_libraries(quadrille_${name}_component INTERFACE ${targets})
    foreach(needed IN LISTS it_NEEDS)
      get_target_property(needed_target quadrille::${needed} ALIASED_TARGET)
      target_link_libraries(quadrille_${name}_component INTERFACE ${needed_target})
    endforeach()
    list(APPEND targets quadrille_${name}_component)
    add_library(quadrille::${name} ALIAS quadrille_${name}_component)
  else()
    add_library(quadrille::${name} ALIAS quadrille_${name})
  endif()
  install(TARGETS ${targets} EXPORT quadrille-${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT quadrille-${name} NAMESPACE quadrille:: FILE quadrille-${name}.cmake DESTINATION ${package_folder})
  set(quadrille_component_lines "${quadrille_component_lines}quadrille_component(${name} NEEDS ${it_NEEDS} SOLVERS ${it_SOLVERS})\n"
      PARENT_SCOPE)
  set(quadrille_components ${quadrille_components} ${name} PARENT_SCOPE)
endfunction()

set(quadrille_components "")
quadrille_component(base LIBRARIES formats model)
quadrille_component(check NEEDS base LIBRARIES checker)
quadrille_component(certify NEEDS base LIBRARIES certificate proof_reader)
quadrille_component(replay NEEDS base LIBRARIES runtime)
quadrille_component(compile NEEDS base LIBRARIES dsl compiler)
quadrille_component(bounds NEEDS base SOLVERS clp LIBRARIES bounds)
quadrille_component(search NEEDS check bounds SOLVERS z3 cadical bliss LIBRARIES search)
quadrille_component(prove NEEDS compile SOLVERS z3 LIBRARIES prover)
quadrille_component(programs NEEDS base SOLVERS expat LIBRARIES programs)
quadrille_component(machines NEEDS base SOLVERS expat LIBRARIES machines)
quadrille_component(driver NEEDS check certify replay compile bounds search prove programs machines LIBRARIES driver)
set(everything ${quadrille_components})
list(TRANSFORM everything PREPEND quadrille::)
add_library(quadrille_all INTERFACE)
set_target_properties(quadrille_all PROPERTIES EXPORT_NAME quadrille)
add_library(quadrille::quadrille ALIAS quadrille_all)
foreach(component IN LISTS quadrille_components)
  get_target_property(target quadrille::${component} ALIASED_TARGET)
  target_link_libraries(quadrille_all INTERFACE ${target})
endforeach()
install(TARGETS quadrille_all EXPORT quadrille-quadrille)
install(EXPORT quadrille-quadrille NAMESPACE quadrille:: FILE quadrille-quadrille.cmake DESTINATION ${package_folder})
list(JOIN quadrille_components " " quadrille_all_components)
string(APPEND quadrille_component_lines "quadrille_component(quadrille NEEDS ${quadrille_all_components} SOLVERS)\n")

configure_file(${CMAKE_CURRENT_LIST_DIR}/quadrille-config.cmake.in ${PROJECT_BINARY_DIR}/quadrille-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quadrille-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/quadrille-config.cmake ${PROJECT_BINARY_DIR}/quadrille-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/solvers.cmake DESTINATION ${package_folder})

# --- pkg-config, programs, documentation ---------------------------------------------------------------------------------

set(pc_libraries "")
foreach(library driver programs machines search prover compiler dsl bounds checker certificate proof_reader runtime formats model)
  if(TARGET quadrille_${library})
    string(APPEND pc_libraries " -lquadrille_${library}")
  endif()
endforeach()
set(pc_solvers "")
if(QUADRILLE_SOLVERS)
  set(pc_solvers "-lz3 -lcadical -lbliss -lClp -lCoinUtils -lexpat")
endif()
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)  # so that the installed tree may be moved
configure_file(${CMAKE_CURRENT_LIST_DIR}/quadrille.pc.in ${PROJECT_BINARY_DIR}/quadrille.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quadrille.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(program quadrille quadrille-certify)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS model/*.md formats/*.md dsl/*.md compiler/*.md
     verifier/*.md runtime/*.md programs/*.md machines/*.md driver/*.md cli/*.md guide/*.md guide/*.svg pages/*.md pages/*.svg)
foreach(page README.md CHANGELOG.md LICENSE ${pages})
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
