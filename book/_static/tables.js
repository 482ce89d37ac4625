// Tables of the class "filtered": a box above each keeps the rows that contain all the words typed, and a click on a
// heading (or Enter) sorts by its column. Without this script they are plain tables.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.filtered")) {
    const body = table.tBodies[0], rows = [...body.rows];
    if (rows.length > 8) {
      const box = Object.assign(document.createElement("input"),
        { type: "search", placeholder: `filter ${rows.length} rows`, className: "table-filter" });
      box.setAttribute("aria-label", "show only the rows that contain these words");
      box.addEventListener("input", () => {
        const words = box.value.toLowerCase().split(/\s+/);
        for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
      });
      (table.closest(".pst-scrollable-table-container") ?? table).before(box);
    }
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const text = row => row.cells[column].textContent.trim();
      const sort = () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        rows.sort((a, b) => (up ? 1 : -1) * text(a).localeCompare(text(b), "en", { numeric: true }));
        body.append(...rows);
      };
      head.tabIndex = 0;
      head.addEventListener("click", sort);
      head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
    });
  }
});
