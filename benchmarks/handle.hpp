// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace muster::benchmarks {

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* object) const noexcept {
    release(object);
  }
};

// Owns what a C library made and gives it back with `release`.
template <typename T, auto release>
using Handle = std::unique_ptr<T, Release<release>>;

}  // namespace muster::benchmarks
