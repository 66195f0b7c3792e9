# What every target of ours is compiled with, as the interface target `xgbl_options`.
add_library(xgbl_options INTERFACE)
target_include_directories(xgbl_options INTERFACE ${PROJECT_SOURCE_DIR}/cpp)

if(MSVC)
  target_compile_options(xgbl_options INTERFACE /W4 /fp:precise /utf-8 $<$<BOOL:${XGBL_WERROR}>:/WX>)
else()
  set(level -O3)
  if(XGBL_SANITIZE)
    set(level -O1)
  endif()
  # Contraction off: a fused multiply-add on one machine and not on another would give unequal models. Nobody reads the
  # floating-point exception flags or errno, and loops with selects become vector code only if the compiler knows so.
  target_compile_options(
    xgbl_options
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow>  # of names of other files
              -Wconversion
              -ffp-contract=off
              -fno-trapping-math
              -fno-math-errno
              $<$<BOOL:${XGBL_WERROR}>:-Werror>
              $<$<CONFIG:Release,RelWithDebInfo>:$<IF:$<BOOL:$<TARGET_PROPERTY:XGBL_IS_TEST>>,-O1,${level}>>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(xgbl_options INTERFACE -march=x86-64-v2)
  endif()
endif()

if(XGBL_SANITIZE)
  target_compile_options(xgbl_options INTERFACE -fsanitize=${XGBL_SANITIZE} -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(xgbl_options INTERFACE -fsanitize=${XGBL_SANITIZE})
endif()

find_package(Threads REQUIRED)
target_link_libraries(xgbl_options INTERFACE Threads::Threads)
