// SPDX-License-Identifier: Apache-2.0
// The map of nodes and checks: only the rows that are seen are in the page, so that 10,000 nodes are as quick as ten.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  if (!get("grid")) return;
  const WORDS = { p: "pass", w: "warn", u: "unknown", f: "fail", s: "skip", m: "missing", k: "skipped", "-": "not run", "": "not told" };
  const SIGNS = { p: "\u2713", w: "!", u: "?", f: "\u2715", s: "\u2013", m: "\u2715", k: "\u2013", "-": "", "": "" };
  const BAD = { m: 6, f: 5, u: 4, k: 3, w: 2, s: 1, p: 0, "-": -1, "": -1 };
  const ROW = 28;
  const { names, states, cells, checks, texts } = data;
  const lower = names.map((name) => name.toLowerCase());
  const small = texts.map((text) => text.toLowerCase());
  const problems = new Map();
  for (const row of data.problems) {
    if (!problems.has(row[0])) problems.set(row[0], []);
    problems.get(row[0]).push(row);
  }
  let order = [];  // nodes that are shown
  let by = -1;     // the check that they are sorted by
  let chosen = -1;
  let first = -1;
  let drawing = 0;

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const letter = (node, check) => cells[node][check] || "";
  const matches = (node, words) => !words || lower[node].includes(words) ||
    (problems.get(node) || []).some((row) => [2, 3, 4, 5].some((part) => small[row[part]].includes(words)));

  function select() {
    const words = get("search").value.trim().toLowerCase();
    const state = get("state").value;
    const check = get("check").value;
    order = [];
    for (let node = 0; node < names.length; ++node) {
      if (state && states[node] !== state) continue;
      if (check && BAD[letter(node, Number(check))] < 2) continue;
      if (matches(node, words)) order.push(node);
    }
    if (by >= 0) order.sort((a, b) => BAD[letter(b, by)] - BAD[letter(a, by)] || a - b);
    else if (get("order").value === "name") order.sort((a, b) => (lower[a] < lower[b] ? -1 : lower[a] > lower[b] ? 1 : 0));
    get("count").textContent = `${order.length} of ${names.length} nodes`;
    get("grid").setAttribute("aria-rowcount", order.length + 1);
    get("scroll").scrollTop = 0;
    first = -1;
    draw();
    clearTimeout(drawing);
    drawing = setTimeout(overview, 0);  // a task of its own
  }

  function cell(node, check) {
    const value = letter(node, check);
    const td = make("td", SIGNS[value], `c s-${value === "-" || !value ? "none" : WORDS[value]}`);
    td.append(make("span", ` ${WORDS[value]}`, "spoken"));
    td.title = `${names[node]}, ${checks[check]}: ${WORDS[value]}`;
    return td;
  }

  function line(node, index) {
    const row = make("tr", undefined, node === chosen ? "chosen" : undefined);
    row.setAttribute("aria-rowindex", index + 2);
    row.dataset.node = node;
    const head = make("th");
    head.scope = "row";
    const button = make("button", names[node]);
    button.type = "button";
    head.append(button);
    row.append(head, make("td", WORDS[states[node]], `state t-${WORDS[states[node]]}`));
    for (let check = 0; check < checks.length; ++check) row.append(cell(node, check));
    return row;
  }

  const gap = (rows) => {
    const row = make("tr", undefined, "gap");
    row.setAttribute("aria-hidden", "true");
    const td = make("td");
    td.colSpan = checks.length + 2;
    td.style.height = `${rows * ROW}px`;
    row.append(td);
    return row;
  };

  function draw() {
    const scroll = get("scroll");
    const begin = Math.max(0, Math.floor(scroll.scrollTop / ROW) - 6);
    if (begin === first) return;
    first = begin;
    const end = Math.min(order.length, begin + Math.ceil(scroll.clientHeight / ROW) + 14);
    const rows = document.createDocumentFragment();
    if (begin > 0) rows.append(gap(begin));
    for (let i = begin; i < end; ++i) rows.append(line(order[i], i));
    if (end < order.length) rows.append(gap(order.length - end));
    get("body").replaceChildren(rows);
  }

  function detail(node) {
    const box = get("detail");
    const title = make("h3", names[node]);
    title.append(make("span", WORDS[states[node]] + (data.before[node] ? `, ${data.before[node]} before` : ""), `at t-${WORDS[states[node]]}`));
    const parts = [title];
    if (data.reasons[node] !== undefined) parts.push(make("p", texts[data.reasons[node]]));
    const list = make("ul");
    for (const [, status, metric, labels, reason, action, count] of problems.get(node) || []) {
      const item = make("li", "", `t-${WORDS[status]}`);
      item.append(make("strong", `${WORDS[status]}: ${texts[metric]}`), make("span", ` ${texts[labels]}`, "at"), make("p", texts[reason] + (count > 1 ? ` (${count} times)` : "")));
      if (texts[action]) item.append(make("p", `Do: ${texts[action]}`, "do"));
      list.append(item);
    }
    if (list.childElementCount) parts.push(list);
    if (parts.length === 1) parts.push(make("p", "Nothing is said of it.", "note"));
    box.replaceChildren(...parts);
  }

  // The whole list as a picture beside it: a column for each check, and of the nodes that share a line the worst.
  function overview() {
    const canvas = get("overview");
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const colours = {};
    for (const [sign, word] of Object.entries(WORDS)) colours[sign] = style.getPropertyValue(`--cell-${word.replace(/ .*/, "")}`) || style.getPropertyValue("--soft");
    pen.fillStyle = style.getPropertyValue("--soft");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (!order.length) return;
    const lines = Math.min(canvas.height, order.length);
    const high = canvas.height / Math.max(lines, 20);
    const wide = canvas.width / (checks.length + 1);
    for (let i = 0; i < lines; ++i) {
      const begin = Math.floor((i * order.length) / lines);
      const end = Math.max(begin + 1, Math.floor(((i + 1) * order.length) / lines));
      for (let column = 0; column <= checks.length; ++column) {
        let worst = "";
        for (let at = begin; at < end; ++at) {
          const value = column ? letter(order[at], column - 1) : states[order[at]];
          if (BAD[value] > BAD[worst]) worst = value;
        }
        pen.fillStyle = colours[worst];
        pen.fillRect(column * wide, i * high, wide - (wide > 4 ? 1 : 0), high + 0.5);
      }
    }
  }

  function heads() {
    const row = get("heads");
    const columns = [["node", -2], ["state", -1], ...checks.map((name, index) => [name, index])];
    row.replaceChildren(...columns.map(([name, index]) => {
      const head = make("th", undefined, index >= 0 ? "tilted" : undefined);
      head.scope = "col";
      if (index < 0) {
        head.textContent = name;
        return head;
      }
      const button = make("button", name);
      button.type = "button";
      button.addEventListener("click", () => {
        by = by === index ? -1 : index;
        for (const other of row.children) other.removeAttribute("aria-sort");
        if (by >= 0) head.setAttribute("aria-sort", "descending");
        select();
      });
      head.append(button);
      return head;
    }));
  }

  const node_at = (event) => {
    const row = event.target.closest("tr");
    return row && row.dataset.node !== undefined ? Number(row.dataset.node) : -1;
  };
  let waiting = 0;
  get("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(select, 120);
  });
  for (const id of ["state", "check", "order"]) get(id).addEventListener("change", () => {
    if (id === "order") by = -1;
    select();
  });
  get("tools").addEventListener("submit", (event) => event.preventDefault());
  let asked = false;
  get("scroll").addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  }, { passive: true });
  get("body").addEventListener("mouseover", (event) => {
    const node = node_at(event);
    if (chosen < 0 && node >= 0) detail(node);
  });
  get("body").addEventListener("click", (event) => {
    const node = node_at(event);
    if (node < 0) return;
    chosen = chosen === node ? -1 : node;
    detail(node);
    for (const row of get("body").children) row.classList.toggle("chosen", Number(row.dataset.node) === chosen && chosen >= 0);
  });
  get("overview").addEventListener("click", (event) => {
    const box = event.target.getBoundingClientRect();
    const share = ((event.clientY - box.top) / box.height) * Math.max(1, 20 / Math.max(1, order.length));
    get("scroll").scrollTop = Math.floor(share * order.length) * ROW;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", overview);

  const counts = {};
  for (const state of states) counts[state] = (counts[state] || 0) + 1;
  for (const state of "fumwksp") {
    const count = counts[state];
    if (count) get("state").append(new Option(`${WORDS[state]} (${count})`, state));
  }
  checks.forEach((name, index) => get("check").append(new Option(`${name} warns or worse`, index)));
  heads();
  select();
})();
