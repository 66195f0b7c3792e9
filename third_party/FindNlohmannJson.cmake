# Finds the headers of nlohmann/json: those of the PyPI package `nlohmann-json` first, then the system's.
# Gives the target NlohmannJson::NlohmannJson.
find_path(
  NlohmannJson_INCLUDE_DIR nlohmann/json.hpp
  HINTS ${Python_SITELIB} ${Python_SITEARCH} ${CMAKE_PREFIX_PATH}
  PATH_SUFFIXES nlohmann_json/include include)

if(NOT NlohmannJson_INCLUDE_DIR AND Python_EXECUTABLE)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "import nlohmann_json, pathlib; print(pathlib.Path(nlohmann_json.__file__).parent)"
    OUTPUT_VARIABLE _nlohmann_package
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_path(NlohmannJson_INCLUDE_DIR nlohmann/json.hpp HINTS ${_nlohmann_package}/include)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NlohmannJson REQUIRED_VARS NlohmannJson_INCLUDE_DIR)
if(NlohmannJson_FOUND AND NOT TARGET NlohmannJson::NlohmannJson)
  add_library(NlohmannJson::NlohmannJson INTERFACE IMPORTED)
  target_include_directories(NlohmannJson::NlohmannJson SYSTEM INTERFACE ${NlohmannJson_INCLUDE_DIR})
endif()
mark_as_advanced(NlohmannJson_INCLUDE_DIR)
