// The shell of every page: account menu, confirmations, dialogs, and the consent frame.

function toast(text) {
  document.getElementById("toast").textContent = text;
}

for (const opener of document.querySelectorAll("[data-menu]")) {
  const menu = document.getElementById(opener.dataset.menu);
  const setOpen = (open) => {
    menu.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
  };
  opener.addEventListener("click", () => setOpen(menu.hidden));
  document.addEventListener("click", (event) => {
    if (!opener.parentElement.contains(event.target)) setOpen(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") setOpen(false);
  });
}

for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
}

for (const button of document.querySelectorAll("[data-opens]")) {
  const modal = document.getElementById(button.dataset.opens);
  button.addEventListener("click", () => {
    modal.hidden = false;
    modal.querySelector("button").focus();
  });
  modal.addEventListener("keydown", (event) => {
    if (event.key === "Escape") modal.hidden = true;
  });
}
for (const button of document.querySelectorAll("[data-closes]")) {
  button.addEventListener("click", () => {
    document.getElementById(button.dataset.closes).hidden = true;
  });
}

for (const button of document.querySelectorAll("[data-shows-dialog]")) {
  button.addEventListener("click", () => document.getElementById(button.dataset.showsDialog).showModal());
}
for (const button of document.querySelectorAll("[data-closes-dialog]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}

const consent = document.getElementById("consent");
if (consent) {
  const origin = new URL(consent.src).origin;
  document.body.classList.add("with-consent");
  window.addEventListener("message", (event) => {
    if (event.origin !== origin || event.source !== consent.contentWindow) return;
    if (event.data.type === "consent-expanded") consent.classList.add("expanded");
    if (event.data.type === "consent-saved") {
      consent.remove();
      document.body.classList.remove("with-consent");
      toast(`Cookie choices saved. Receipt ${event.data.receipt}`);
    }
  });
}
