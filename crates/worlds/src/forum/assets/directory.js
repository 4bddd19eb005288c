// Filters the list of communities while one types.

const rows = [...document.querySelectorAll(".directory > li")];

document.getElementById("filter").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  document.getElementById("nothing").hidden = rows.some((row) => !row.hidden);
});
