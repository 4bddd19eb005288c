// Menus and panels: a button with `aria-controls` shows and hides what it names.
const buttons = [...document.querySelectorAll("[data-opens]")];
const panelOf = (button) => document.getElementById(button.getAttribute("aria-controls"));

function show(button, open) {
  button.setAttribute("aria-expanded", String(open));
  panelOf(button).hidden = !open;
  if (open) panelOf(button).dispatchEvent(new CustomEvent("panel-open"));
}

for (const button of buttons) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    buttons.forEach((other) => show(other, other === button && open));
    if (open) panelOf(button).querySelector("[role=menuitem]")?.focus();
  });
}

document.addEventListener("click", (event) => {
  for (const button of buttons) {
    if (!button.contains(event.target) && !panelOf(button).contains(event.target)) show(button, false);
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.("[role=menu]");
  if (event.key === "Escape") buttons.forEach((button) => show(button, false));
  if (menu && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const items = [...menu.querySelectorAll("[role=menuitem]")];
    const step = event.key === "ArrowDown" ? 1 : items.length - 1;
    items[(items.indexOf(document.activeElement) + step) % items.length]?.focus();
  }
});
