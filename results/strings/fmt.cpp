// SPDX-License-Identifier: Apache-2.0
// The library {fmt}, compiled once: distributions have it as a shared library only, and header-only every source would
// compile it again.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// The headers leave these to the library.
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
