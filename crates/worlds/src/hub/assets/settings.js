// Controls that save themselves, and the ad topics, which do not.

async function save(setting, on) {
  const response = await fetch("/api/privacy", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ setting, on }),
  });
  if (!response.ok) throw new Error(`not saved: ${response.status}`);
}

// Draws the new state at once and takes it back if the server refuses.
async function change(element, draw, on) {
  draw(on);
  try {
    await save(element.dataset.setting, on);
    toast("Saved.");
  } catch {
    draw(!on);
    toast("That could not be saved. Please try again.");
  }
}

for (const control of document.querySelectorAll(".switch[data-setting]")) {
  const draw = (on) => control.setAttribute("aria-checked", String(on));
  control.addEventListener("click", () => change(control, draw, control.getAttribute("aria-checked") !== "true"));
}

for (const control of document.querySelectorAll(".flip[data-setting]")) {
  const draw = (on) => control.classList.toggle("on", on);
  const flip = () => change(control, draw, !control.classList.contains("on"));
  control.addEventListener("click", flip);
  control.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    flip();
  });
}

for (const button of document.querySelectorAll("[data-removes-row]")) {
  button.addEventListener("click", () => {
    button.closest("li").remove();
    toast("Removed. Save your ad settings to keep the change.");
  });
}
