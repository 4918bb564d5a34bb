// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/strftime.h"

#include <algorithm>
#include <cstdio>

namespace sotto::jinja {
namespace {

constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

bool leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int day_of_year(int year, int month, int day) { // from 0
    static constexpr int kBefore[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return kBefore[month] + day - 1 + (month > 1 && leap(year) ? 1 : 0);
}

int day_of_week(int year, int month, int day) { // 0: Sunday
    const int y = year - 1;
    return (y + y / 4 - y / 100 + y / 400 + day_of_year(year, month, day) + 1) % 7;
}

std::string padded(int number, int width, char fill = '0') {
    std::string digits = std::to_string(number);
    const auto w = static_cast<std::size_t>(width);
    return digits.size() < w ? std::string(w - digits.size(), fill) + digits : digits;
}

class Formatter {
  public:
    explicit Formatter(const std::tm& t)
        : year_(std::clamp(t.tm_year, -1899, 8099) + 1900), month_(std::clamp(t.tm_mon, 0, 11)),
          day_(std::clamp(t.tm_mday, 1, 31)), hour_(std::clamp(t.tm_hour, 0, 23)),
          minute_(std::clamp(t.tm_min, 0, 59)), second_(std::clamp(t.tm_sec, 0, 61)),
          week_day_(day_of_week(year_, month_, day_)), year_day_(day_of_year(year_, month_, day_)) {
    }

    std::string run(std::string_view format) const {
        std::string out;
        for (std::size_t i = 0; i < format.size(); ++i) {
            if (format[i] != '%' || i + 1 == format.size()) {
                out += format[i];
                continue;
            }
            const bool unpadded = format[i + 1] == '-' && i + 2 < format.size();
            i += unpadded ? 2 : 1;
            std::string part = directive(format[i]);
            if (unpadded) {
                const std::size_t digit = part.find_first_not_of("0 ");
                part.erase(0, std::min(digit, part.size() - 1));
            }
            out += part;
        }
        return out;
    }

  private:
    [[nodiscard]] std::string directive(char c) const {
        const int hour12 = hour_ % 12 == 0 ? 12 : hour_ % 12;
        switch (c) {
        case 'a':
            return std::string(kDays[week_day_].substr(0, 3));
        case 'A':
            return std::string(kDays[week_day_]);
        case 'b':
        case 'h':
            return std::string(kMonths[month_].substr(0, 3));
        case 'B':
            return std::string(kMonths[month_]);
        case 'd':
            return padded(day_, 2);
        case 'e':
            return padded(day_, 2, ' ');
        case 'm':
            return padded(month_ + 1, 2);
        case 'y':
            return padded(year_ % 100, 2);
        case 'Y':
            return std::to_string(year_);
        case 'C':
            return padded(year_ / 100, 2);
        case 'H':
            return padded(hour_, 2);
        case 'I':
            return padded(hour12, 2);
        case 'k':
            return padded(hour_, 2, ' ');
        case 'l':
            return padded(hour12, 2, ' ');
        case 'M':
            return padded(minute_, 2);
        case 'S':
            return padded(second_, 2);
        case 'f':
            return "000000";
        case 'p':
            return hour_ < 12 ? "AM" : "PM";
        case 'P':
            return hour_ < 12 ? "am" : "pm";
        case 'z':
        case 'Z':
            return ""; // no time zone: what datetime.now() has
        case 'n':
            return "\n";
        case 't':
            return "\t";
        case '%':
            return "%";
        default:
            return composed(c);
        }
    }

    [[nodiscard]] std::string composed(char c) const {
        switch (c) {
        case 'j':
            return padded(year_day_ + 1, 3);
        case 'w':
            return std::to_string(week_day_);
        case 'u':
            return std::to_string(week_day_ == 0 ? 7 : week_day_);
        case 'U':
            return padded((year_day_ + 7 - week_day_) / 7, 2);
        case 'W':
            return padded((year_day_ + 7 - (week_day_ + 6) % 7) / 7, 2);
        case 'V':
            return padded(iso_week().second, 2);
        case 'G':
            return std::to_string(iso_week().first);
        case 'g':
            return padded(iso_week().first % 100, 2);
        case 'c':
            return run("%a %b %e %H:%M:%S %Y");
        case 'x':
        case 'D':
            return run("%m/%d/%y");
        case 'X':
        case 'T':
            return run("%H:%M:%S");
        case 'R':
            return run("%H:%M");
        case 'r':
            return run("%I:%M:%S %p");
        case 'F':
            return run("%Y-%m-%d");
        default:
            return {'%', c};
        }
    }

    /// Year and week of ISO 8601: week 1 holds the year's first Thursday.
    [[nodiscard]] std::pair<int, int> iso_week() const {
        const int thursday = year_day_ - (week_day_ + 6) % 7 + 3;
        if (thursday < 0) {
            return {year_ - 1, (thursday + (leap(year_ - 1) ? 366 : 365)) / 7 + 1};
        }
        const int n_days = leap(year_) ? 366 : 365;
        return thursday >= n_days ? std::pair(year_ + 1, 1) : std::pair(year_, thursday / 7 + 1);
    }

    int year_, month_, day_, hour_, minute_, second_, week_day_, year_day_;
};

} // namespace

std::string formatted_time(std::string_view format, const std::tm& time) {
    return Formatter(time).run(format);
}

} // namespace sotto::jinja
