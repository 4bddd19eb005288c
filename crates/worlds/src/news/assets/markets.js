// Sorts the table of prices by a column, first upwards, then downwards.

const table = document.getElementById("prices");
const body = table.tBodies[0];
const heads = [...table.tHead.rows[0].cells];

heads.forEach((head, column) => {
  head.querySelector("button").addEventListener("click", () => {
    const upwards = head.getAttribute("aria-sort") !== "ascending";
    const key = (row) => row.cells[column].dataset.value;
    const rows = [...body.rows].sort((a, b) =>
      key(a) === undefined
        ? a.cells[column].textContent.localeCompare(b.cells[column].textContent)
        : Number(key(a)) - Number(key(b)),
    );
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
    body.append(...(upwards ? rows : rows.reverse()));
  });
});
