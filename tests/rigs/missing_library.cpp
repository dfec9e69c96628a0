// SPDX-License-Identifier: Apache-2.0
// The library that tests/rigs/lacks_library.cpp is linked with and does not find.
int answer_of_a_library() { return 0; }
