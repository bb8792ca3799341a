"use strict";
for (const table of document.querySelectorAll("table.sorted")) {
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = cell ? cell.dataset.value ?? cell.textContent : "-1";
    return text !== "" && !isNaN(text) ? Number(text) : text;
  };
  heads.forEach((head, column) => head.querySelector("button")?.addEventListener("click", () => {
    const down = head.ariaSort !== "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.ariaSort = down ? "descending" : "ascending";
    const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    const rows = [...table.tBodies[0].rows].sort((a, b) => compare(value(a, column), value(b, column)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  }));
}
