// Tabs and switches of the settings page. Nothing is sent before the form is saved.

const tabs = [...document.querySelectorAll('[role="tab"]')];

function choose(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
  }
}

for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step) % tabs.length];
    choose(next);
    next.focus();
  });
}

for (const button of document.querySelectorAll('[role="switch"]')) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-checked") !== "true";
    button.setAttribute("aria-checked", String(on));
    button.parentElement.querySelector(`input[name="${button.dataset.field}"]`).value = on ? "on" : "off";
  });
}
