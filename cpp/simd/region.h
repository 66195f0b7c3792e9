// SPDX-License-Identifier: Apache-2.0
// Regions of a source file that are compiled for another instruction set, under GCC and clang on x86-64:
//
//   XGBL_BEGIN_REGION("avx2")  …functions…  XGBL_END_REGION
//
// Why not -mavx2 for a whole file? An inline function of a header would be compiled for AVX2 too, and the linker might
// keep that copy for everybody. Include all headers before a region, and put nothing into it that other files share.
// Elsewhere XGBL_HAS_REGIONS is 0 and the macros do not exist.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_MSC_VER)
#define XGBL_HAS_REGIONS 1
#else
#define XGBL_HAS_REGIONS 0
#endif

#define XGBL_PRAGMA(text) _Pragma(#text)

#if XGBL_HAS_REGIONS && defined(__clang__)
#define XGBL_BEGIN_REGION(features) \
  XGBL_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define XGBL_END_REGION XGBL_PRAGMA(clang attribute pop)
#elif XGBL_HAS_REGIONS
#define XGBL_BEGIN_REGION(features) XGBL_PRAGMA(GCC push_options) XGBL_PRAGMA(GCC target(features))
#define XGBL_END_REGION XGBL_PRAGMA(GCC pop_options)
#endif

// Before a loop whose turns do not depend on one another: without it a loop that may work in place stays scalar.
#if defined(__clang__)
#define XGBL_INDEPENDENT XGBL_PRAGMA(clang loop vectorize(assume_safety))
#elif defined(__GNUC__)
#define XGBL_INDEPENDENT XGBL_PRAGMA(GCC ivdep)
#else
#define XGBL_INDEPENDENT
#endif

// Of a function of some size that is called often where calls cost much: a compiler may think it too large, but a call
// that is left keeps a vector loop scalar, and makes others store what they have in registers.
#if defined(__GNUC__) || defined(__clang__)
#define XGBL_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define XGBL_ALWAYS_INLINE inline
#endif
