// SPDX-License-Identifier: Apache-2.0
// A check whose library is left behind when it is installed.
int answer_of_a_library();

int main() { return answer_of_a_library(); }
