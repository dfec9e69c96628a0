// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "benchmarks/nvml/calls.hpp"

namespace muster::benchmarks::nvml {

// There is no NVML here: no driver, or a container that was not given it.
class NoLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Why a question has no answer.
struct Refusal {
  Code code = Code::success;
  std::string words;  // NVML's own
};

// What NVML answers: a value, or a refusal.
template <class Value>
struct Answer {
  std::optional<Value> value;
  Refusal refusal;
};

// libnvidia-ml.so.1 of the driver, started without touching any GPU, as long as this lives.
class Library {
 public:
  // Throws NoLibrary where there is none, and Error, in NVML's words, where it does not start.
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Code::function_not_found where the library, of an older driver, has no such function.
  template <class... Arguments>
  Code call(const Call<Arguments...>& call, std::type_identity_t<Arguments>... arguments) const {
    const auto function = std::bit_cast<Code (*)(Arguments...)>(find(call.name));
    return function == nullptr ? Code::function_not_found : function(arguments...);
  }

  // The value, which the call has filled in, where the code says so.
  template <class Value>
  Answer<Value> answer(Code code, Value value) const {
    if (code == Code::success) return {.value = std::move(value), .refusal = {}};
    return {.value = std::nullopt, .refusal = {.code = code, .words = words(code)}};
  }

  Answer<std::string> text(const Call<char*, unsigned>& call) const;
  // Whether the machine keeps its secrets from who runs it, and computes with its GPUs so.
  Answer<bool> confidential() const;
  // In NVML's words.
  std::string words(Code code) const;

 private:
  void* find(const char* name) const;

  void* library_;
};

}  // namespace muster::benchmarks::nvml
