// A chosen sort order or quantity takes effect at once.
for (const select of document.querySelectorAll("select[data-submits]")) {
  select.addEventListener("change", () => select.form?.requestSubmit());
}

// Hearts: pressed without leaving the page.
for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", async () => {
    const response = await fetch(`/saved/${encodeURIComponent(button.dataset.save)}`, { method: "POST" });
    if (!response.ok) return;
    const { saved, count } = await response.json();
    button.setAttribute("aria-pressed", String(saved));
    for (const badge of document.querySelectorAll("[data-saved-count]")) badge.textContent = count;
  });
}
