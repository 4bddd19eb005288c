// Filters that are not set stay out of the address.

for (const form of document.querySelectorAll("[data-filters]")) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
  });
}
