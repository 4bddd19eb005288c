// Menus, dialogs and dropdowns that act at once.

function setOpen(button, open) {
  const menu = document.getElementById(button.getAttribute("aria-controls"));
  if (!menu) return;
  button.setAttribute("aria-expanded", String(open));
  menu.hidden = !open;
  if (open) menu.querySelector('[role="menuitem"]')?.focus();
}

function closeMenus(except) {
  for (const button of document.querySelectorAll('[aria-haspopup="menu"][aria-expanded="true"]')) {
    if (button !== except) setOpen(button, false);
  }
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest('[aria-haspopup="menu"]');
  closeMenus(opener);
  if (opener) setOpen(opener, opener.getAttribute("aria-expanded") !== "true");

  const dialogButton = event.target.closest("[data-dialog]");
  if (dialogButton) {
    const dialog = document.getElementById(dialogButton.dataset.dialog);
    for (const name of ["post", "comment"]) {
      const field = dialog.querySelector(`input[name="${name}"]`);
      if (field) field.value = dialogButton.dataset[name] ?? "";
    }
    dialog.showModal();
  }
  event.target.closest("[data-close]")?.closest("dialog")?.close();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus();
  const item = event.target.closest('[role="menuitem"]');
  if (item && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const items = [...item.closest('[role="menu"]').querySelectorAll('[role="menuitem"]')];
    const step = event.key === "ArrowDown" ? 1 : items.length - 1;
    items[(items.indexOf(item) + step) % items.length].focus();
    event.preventDefault();
  }
});

document.addEventListener("change", (event) => {
  if (event.target.matches("select.go")) event.target.form.requestSubmit();
});
