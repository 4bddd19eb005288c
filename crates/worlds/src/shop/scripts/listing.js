// Sorting applies at once; filters wait for their button.
const sort = document.getElementById("sort");
sort?.addEventListener("change", () => sort.form.requestSubmit());
