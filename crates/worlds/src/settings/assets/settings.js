// Controls that save themselves, and the moving parts of every settings-heavy site. Events are caught at the document,
// since pages may fetch their blocks after the script has run.

function toast(text) {
  document.getElementById("toast").textContent = text;
}

// Resolves to what the visitor answers.
function ask(question) {
  const dialog = document.getElementById("ask");
  document.getElementById("ask-text").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

async function save(id, value, confirmed) {
  const response = await fetch("/settings/api/control", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id, value, confirmed }),
  });
  if (!response.ok) throw new Error(`not saved: ${response.status}`);
}

// Draws the new value at once, and the old one again if the visitor or the server says no.
async function change(control, draw, value, old) {
  const { save: id, question } = control.dataset;
  draw(value);
  if (!id) return;
  try {
    if (question && !(await ask(question))) return draw(old);
    await save(id, value, Boolean(question));
    toast("Saved");
  } catch {
    draw(old);
    toast("That could not be saved. Please try again.");
  }
}

// How each kind of toggle shows its state.
const TOGGLES = {
  ".switch": { isOn: (e) => e.getAttribute("aria-checked") === "true", draw: (e, on) => e.setAttribute("aria-checked", on) },
  ".press": { isOn: (e) => e.getAttribute("aria-pressed") === "true", draw: (e, on) => e.setAttribute("aria-pressed", on) },
  ".flip": { isOn: (e) => e.classList.contains("on"), draw: (e, on) => e.classList.toggle("on", on) },
};

function flip(target) {
  for (const [selector, { isOn, draw }] of Object.entries(TOGGLES)) {
    const control = target.closest(selector);
    if (!control || control.disabled) continue;
    const field = control.parentElement.querySelector("input[type=hidden]");
    const old = isOn(control);
    change(control, (on) => {
      draw(control, on);
      if (field) field.disabled = !on;
    }, !old, old);
    return true;
  }
  return false;
}

function setOpen(opener, part, open) {
  part.hidden = !open;
  opener.setAttribute("aria-expanded", String(open));
}

function closeListboxes(except) {
  for (const button of document.querySelectorAll(".listbox-button")) {
    const list = button.nextElementSibling;
    if (list !== except) setOpen(button, list, false);
  }
}

function choose(option) {
  const box = option.closest(".listbox");
  const button = box.querySelector(".listbox-button");
  const field = box.querySelector("input[type=hidden]");
  const old = box.querySelector('[aria-selected="true"]');
  const draw = (chosen) => {
    for (const each of box.querySelectorAll("[role=option]")) each.setAttribute("aria-selected", String(each.dataset.value === chosen));
    const label = box.querySelector('[aria-selected="true"]').textContent;
    button.textContent = label;
    button.setAttribute("aria-label", `${box.dataset.label}: ${label}`);
    if (field) field.value = chosen;
  };
  setOpen(button, option.parentElement, false);
  change(box, draw, option.dataset.value, old ? old.dataset.value : option.dataset.value);
}

function showTab(tab) {
  for (const each of tab.parentElement.querySelectorAll("[role=tab]")) {
    each.setAttribute("aria-selected", String(each === tab));
    document.getElementById(each.getAttribute("aria-controls")).hidden = each !== tab;
  }
}

document.addEventListener("click", (event) => {
  const { target } = event;
  const find = (selector) => target.closest(selector);
  for (const opener of document.querySelectorAll("[data-menu]")) {
    const menu = document.getElementById(opener.dataset.menu);
    if (opener.contains(target)) setOpen(opener, menu, menu.hidden);
    else if (!menu.contains(target)) setOpen(opener, menu, false);
  }
  const listButton = find(".listbox-button");
  closeListboxes(listButton ? listButton.nextElementSibling : null);
  if (listButton) {
    const list = listButton.nextElementSibling;
    setOpen(listButton, list, list.hidden);
  } else if (find("[role=option]")) choose(find("[role=option]"));
  else if (find("[role=tab]")) showTab(find("[role=tab]"));
  else if (find(".fold")) {
    const fold = find(".fold");
    const part = document.getElementById(fold.getAttribute("aria-controls"));
    setOpen(fold, part, part.hidden);
  } else if (find("[data-opens]")) document.getElementById(find("[data-opens]").dataset.opens).showModal();
  else if (find("[data-closes]")) find("dialog").close();
  else if (find("[data-answer]")) find("dialog").close(find("[data-answer]").dataset.answer);
  else flip(target);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    closeListboxes(null);
    for (const opener of document.querySelectorAll("[data-menu]")) setOpen(opener, document.getElementById(opener.dataset.menu), false);
  }
  const key = event.key === " " || event.key === "Enter";
  if (key && event.target.matches(".flip") && flip(event.target)) event.preventDefault();
  if (key && event.target.matches("[role=option]")) choose(event.target);
});

// The radio of each group that the server knows to be chosen.
function noteRadios() {
  for (const radio of document.querySelectorAll("input[type=radio][data-save]:checked")) radio.closest("fieldset").dataset.chosen = radio.value;
}

document.addEventListener("change", (event) => {
  const control = event.target;
  if (!control.dataset.save) return;
  if (control.type === "checkbox") {
    change(control, (on) => { control.checked = on; }, control.checked, !control.checked);
  } else if (control.type === "radio") {
    const group = control.closest("fieldset");
    const draw = (value) => {
      group.dataset.chosen = value;
      for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === value;
    };
    change(control, draw, control.value, group.dataset.chosen);
  } else {
    const first = [...control.options].find((option) => option.defaultSelected) || control.options[0];
    const draw = (value) => {
      control.dataset.chosen = value;
      control.value = value;
    };
    change(control, draw, control.value, control.dataset.chosen || first.value);
  }
});

// Blocks that come after the page.
for (const holder of document.querySelectorAll("[data-late]")) {
  fetch(holder.dataset.late)
    .then((response) => (response.ok ? response.text() : Promise.reject(response.status)))
    .then((html) => {
      holder.innerHTML = html;
      noteRadios();
    })
    .catch(() => { holder.textContent = "This could not be loaded. Please reload the page."; });
}
noteRadios();
