// Keys for lists: / goes to the filter, j and k walk the rows.
const rows = () => [...document.querySelectorAll("[data-row]")];

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    const filter = document.getElementById("filter");
    if (filter) {
      event.preventDefault();
      filter.focus();
      filter.select();
    }
  } else if (event.key === "j" || event.key === "k") {
    const all = rows();
    const at = all.indexOf(document.activeElement);
    const next = at < 0 ? 0 : at + (event.key === "j" ? 1 : -1);
    if (all[next]) {
      event.preventDefault();
      all[next].focus();
    }
  }
});
