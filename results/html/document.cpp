// SPDX-License-Identifier: Apache-2.0
#include "results/html/document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/html/assets.hpp"
#include "results/html/escape.hpp"

namespace muster::results::html {
namespace {

constexpr std::size_t max_cell = 400;  // bytes of text

// Signs of each status, to be used by their names; as in Svg::sign().
constexpr std::string_view signs =
    "<svg class=\"signs\" aria-hidden=\"true\"><symbol id=\"i-pass\" viewBox=\"0 0 16 16\"><path d=\"M3 8.5L6.5 12L13 "
    "4\"/>"
    "</symbol><symbol id=\"i-warn\" viewBox=\"0 0 16 16\"><path d=\"M8 2L15 14H1ZM8 6.5V9.5M8 11.8V12\"/></symbol>"
    "<symbol id=\"i-unknown\" viewBox=\"0 0 16 16\"><path d=\"M5 5.5A3 3 0 1 1 9 8.3Q8 8.8 8 10.5M8 "
    "13.4V13.6\"/></symbol>"
    "<symbol id=\"i-fail\" viewBox=\"0 0 16 16\"><path d=\"M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5\"/></symbol>"
    "<symbol id=\"i-skip\" viewBox=\"0 0 16 16\"><path d=\"M3 8H13\"/></symbol></svg>";

std::string class_of(std::size_t column, const TableForm& form) {
  return std::ranges::find(form.numbers, column) == form.numbers.end() ? "" : " class=\"n\"";
}

std::string row_of(const Row& row, const TableForm& form) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto* element = i == 0 ? "th scope=\"row\"" : "td";
    const bool is_blank = i == 0 && row[i].find_first_not_of(' ') == std::string::npos;  // a heading says something
    text += fmt::format("<{}{}>{}</{}>", element, class_of(i, form), is_blank ? "(no name)" : escaped(row[i], max_cell),
                        i == 0 ? "th" : "td");
  }
  return text + "</tr>\n";
}

std::string policy(std::string_view style, std::string_view script) {
  auto text = fmt::format("default-src 'none'; style-src '{}'", policy_hash(style));
  if (!script.empty()) text += fmt::format("; script-src '{}'", policy_hash(script));
  return text + "; base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string document(std::string_view title, std::string_view body, std::string_view more_style,
                     std::string_view script) {
  const auto style = fmt::format("{}{}{}", assets::picture, assets::page, more_style);
  auto text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"muster\">\n<meta "
      "charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}\n",
      policy(style, script), escaped(title, 70), style, signs);
  text += body;
  if (!script.empty()) text += fmt::format("<script>{}</script>\n", script);
  return text + "</body>\n</html>\n";
}

std::string badge(Status status, std::string_view count) {
  const auto word = to_text(status);
  return fmt::format(
      R"(<span class="badge {}"><svg class="i" aria-hidden="true"><use href="#i-{}"/></svg>{}{}{}</span>)", word, word,
      escaped(count), count.empty() ? "" : " ", word);
}

std::string fact(std::string_view name, std::string_view value) {
  return value.empty() ? ""
                       : fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>", value.size() > 60 ? " class=\"long\"" : "",
                                     escaped(name, 80), escaped(value, 300));
}

std::string footer(std::string_view version) {
  return fmt::format(
      "<footer><p>Made by muster {} from its report alone. It loads nothing, and tells nobody that it was "
      "opened.</p></footer>\n",
      escaped(version, 60));
}

std::string table(const Row& head, const std::vector<Row>& rows, const TableForm& form) {
  const auto caption = escaped(form.caption, 200);
  std::string text = fmt::format(
      "<div class=\"wide\" role=\"group\" aria-label=\"{}\" tabindex=\"0\"><table "
      "id=\"{}\"><caption{}>{}</caption>\n<thead><tr>",
      caption, form.id, form.caption_is_seen ? "" : " class=\"spoken\"", caption);
  for (std::size_t i = 0; i < head.size(); ++i)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(i, form), escaped(head[i], max_cell));
  text += "</tr></thead>\n<tbody>\n";
  const auto begin = text.size();
  std::size_t written = 0;
  for (; written < rows.size(); ++written) {
    auto row = row_of(rows[written], form);
    if (text.size() + row.size() - begin > form.most) break;
    text += row;
  }
  text += "</tbody></table></div>\n";
  if (written < rows.size())
    text += fmt::format("<p class=\"more\">and {} more rows, which muster report --format json has</p>\n",
                        rows.size() - written);
  return text;
}

std::string figure(const Picture& picture, std::size_t most_of_drawing) {
  auto text = fmt::format("<figure id=\"{}\">\n<div class=\"drawing\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">",
                          picture.name, escaped("Drawing: " + picture.title, 160));
  text += picture.drawing.size() <= most_of_drawing
              ? picture.drawing
              : "<p>This drawing is too large for a page; muster report --pictures FOLDER writes it.</p>";
  text += fmt::format("</div>\n<figcaption><p><strong>{}</strong> {}</p>\n", escaped(picture.title, 160),
                      escaped(picture.caption, 400));
  std::vector<std::size_t> numbers;
  for (std::size_t i = 1; i < picture.head.size(); ++i)
    if (!picture.rows.empty() && i < picture.rows.front().size() && !picture.rows.front()[i].empty() &&
        picture.rows.front()[i].front() >= '0' && picture.rows.front()[i].front() <= '9')
      numbers.push_back(i);
  return text +
         fmt::format("<details><summary>The numbers of this picture{}</summary>\n", spoken(": " + picture.title)) +
         table(picture.head, picture.rows,
               {.caption = picture.title, .id = picture.name + "-n", .numbers = numbers, .most = 30'000}) +
         "</details></figcaption>\n</figure>\n";
}

std::string spoken(std::string_view text) {
  return fmt::format("<span class=\"spoken\">{}</span>", escaped(text, 200));
}

}  // namespace muster::results::html
