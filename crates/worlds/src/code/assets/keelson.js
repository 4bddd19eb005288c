// What every page needs: the account menu, star buttons, filters that apply themselves, forms behind buttons.

const menu = document.querySelector("#user-menu");
const opener = document.querySelector("[aria-controls='user-menu']");

function showMenu(open) {
  menu.hidden = !open;
  opener.setAttribute("aria-expanded", String(open));
}

opener.addEventListener("click", () => showMenu(menu.hidden));
document.addEventListener("click", (event) => {
  if (!event.target.closest(".menu")) showMenu(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") showMenu(false);
});

for (const button of document.querySelectorAll("[data-star]")) {
  button.addEventListener("click", async () => {
    const starred = button.getAttribute("aria-pressed") !== "true";
    const answer = await fetch(`/${button.dataset.star}/star`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ starred }),
    });
    if (!answer.ok) return;
    const { stars } = await answer.json();
    button.setAttribute("aria-pressed", String(starred));
    button.textContent = starred ? "Unstar" : "Star";
    button.parentElement.querySelector("[data-stars]").textContent = stars.toLocaleString("en");
  });
}

for (const form of document.querySelectorAll("[data-filters]")) {
  // Filters that are not set stay out of the address.
  form.addEventListener("submit", () => {
    for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
  });
  for (const select of form.querySelectorAll("select")) {
    select.addEventListener("change", () => form.requestSubmit());
  }
}

for (const form of document.querySelectorAll("[data-branches]")) {
  form.querySelector("select").addEventListener("change", (event) => {
    location.assign(form.dataset.branches + encodeURIComponent(event.target.value));
  });
}

for (const button of document.querySelectorAll("[data-reveal]")) {
  const target = document.getElementById(button.getAttribute("aria-controls"));
  button.addEventListener("click", () => {
    target.hidden = !target.hidden;
    button.setAttribute("aria-expanded", String(!target.hidden));
  });
}
