// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace muster::topology {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::year;

constexpr double seconds_per_minute = 60;
constexpr double seconds_per_hour = 3600;
constexpr double seconds_per_day = 86400;

// The words of a text, one after the other; after one that is not there it stays empty.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool good() const { return is_good_; }
  std::string_view rest() const { return text_; }

  bool skip(char expected) {
    const bool is_there = text_.starts_with(expected);
    if (is_there) text_.remove_prefix(1);
    return is_there;
  }
  void expect(char expected) { is_good_ = skip(expected) && is_good_; }
  void blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(' '), text_.size())); }

  int number(std::size_t least, std::size_t most) {
    int found = 0;
    std::size_t digits = 0;
    while (digits < most && digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9')
      found = 10 * found + (text_[digits++] - '0');
    is_good_ = is_good_ && digits >= least;
    text_.remove_prefix(digits);
    return found;
  }

  template <std::size_t Count>
  int one_of(const std::array<std::string_view, Count>& words) {
    for (std::size_t i = 0; i < Count; ++i)
      if (text_.starts_with(words[i])) {
        text_.remove_prefix(words[i].size());
        return static_cast<int>(i);
      }
    is_good_ = false;
    return 0;
  }

  // "02:15:02", with a fraction behind '.' or ','
  double time_of_day() {
    double seconds = number(2, 2) * seconds_per_hour;
    expect(':');
    seconds += number(2, 2) * seconds_per_minute;
    expect(':');
    seconds += number(2, 2);
    if (is_good_ && (text_.starts_with('.') || text_.starts_with(','))) seconds += fraction();
    return seconds;
  }

 private:
  double fraction() {
    text_.remove_prefix(1);
    double value = 0;
    for (double unit = 0.1; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; unit /= 10) {
      value += unit * (text_[0] - '0');
      text_.remove_prefix(1);
    }
    return value;
  }

  std::string_view text_;
  bool is_good_ = true;
};

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> weekdays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

std::optional<double> seconds_of(int year_number, int month_number, int day_number) {
  const std::chrono::year_month_day date(year(year_number), month(static_cast<unsigned>(month_number)),
                                         day(static_cast<unsigned>(day_number)));
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * seconds_per_day;
}

// Takes what was read off the text, where all of it was there.
std::optional<double> taken(std::string_view& text, const Scanner& scanner, std::optional<double> seconds) {
  if (!scanner.good() || !seconds) return std::nullopt;
  text = scanner.rest();
  return seconds;
}

// "Z", "+02:00", "-0700", " UTC": seconds to take off.
double zone(Scanner& scanner) {
  if (scanner.skip('Z')) return 0;
  const char sign = scanner.rest().empty() ? '\0' : scanner.rest()[0];
  if (sign != '+' && sign != '-') return 0;
  Scanner ahead = scanner;
  ahead.skip(sign);
  const int hours = ahead.number(2, 2);
  ahead.skip(':');
  const int minutes = ahead.number(2, 2);
  if (!ahead.good()) return 0;
  scanner = ahead;
  return (sign == '-' ? -1 : 1) * (hours * seconds_per_hour + minutes * seconds_per_minute);
}

std::optional<double> of_last_year_before(double written, int month_number, int day_number, double time_of_day) {
  const auto days = static_cast<int>(std::floor(written / seconds_per_day));
  const auto now = std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(days)));
  for (int back = 0; back < 5; ++back)  // the 29th of February comes back after four years
    if (const auto midnight = seconds_of(static_cast<int>(now.year()) - back, month_number, day_number))
      if (const auto seconds = *midnight + time_of_day; seconds <= written + seconds_per_day) return seconds;
  return std::nullopt;
}

}  // namespace

std::optional<double> take_iso_time(std::string_view& text) {
  if (text.size() < 19 || text[4] != '-' || text[7] != '-') return std::nullopt;
  Scanner scanner(text);
  const int year_number = scanner.number(4, 4);
  scanner.expect('-');
  const int month_number = scanner.number(2, 2);
  scanner.expect('-');
  const int day_number = scanner.number(2, 2);
  if (!scanner.skip('T')) scanner.expect(' ');
  const double time = scanner.time_of_day();
  const double off = zone(scanner);
  const auto midnight = seconds_of(year_number, month_number, day_number);
  return taken(text, scanner, midnight ? std::optional(*midnight + time - off) : std::nullopt);
}

std::optional<double> take_c_time(std::string_view& text) {
  Scanner scanner(text);
  scanner.one_of(weekdays);
  scanner.expect(' ');
  const int month_number = scanner.one_of(months) + 1;
  scanner.blanks();
  const int day_number = scanner.number(1, 2);
  scanner.expect(' ');
  const double time = scanner.time_of_day();
  scanner.expect(' ');
  const int year_number = scanner.number(4, 4);
  const auto midnight = scanner.good() ? seconds_of(year_number, month_number, day_number) : std::nullopt;
  return taken(text, scanner, midnight ? std::optional(*midnight + time) : std::nullopt);
}

std::optional<double> take_syslog_time(std::string_view& text, double written) {
  Scanner scanner(text);
  const int month_number = scanner.one_of(months) + 1;
  scanner.expect(' ');
  scanner.blanks();
  const int day_number = scanner.number(1, 2);
  scanner.expect(' ');
  if (!scanner.good()) return std::nullopt;
  const double time = scanner.time_of_day();
  return taken(text, scanner, of_last_year_before(written, month_number, day_number, time));
}

std::optional<double> take_short_time(std::string_view& text, double written) {
  Scanner scanner(text);
  const int month_number = scanner.one_of(months) + 1;
  scanner.blanks();
  const int day_number = scanner.number(1, 2);
  scanner.expect(' ');
  const double hours = scanner.number(2, 2) * seconds_per_hour;
  scanner.expect(':');
  const double minutes = scanner.number(2, 2) * seconds_per_minute;
  if (!scanner.good()) return std::nullopt;
  return taken(text, scanner, of_last_year_before(written, month_number, day_number, hours + minutes));
}

}  // namespace muster::topology
