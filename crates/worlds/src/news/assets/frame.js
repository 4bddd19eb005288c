// Runs on the consent manager's origin and tells the paper no more than that a choice was made.

const PAPER = "http://news.localhost";
const byId = (id) => document.getElementById(id);
const toggles = [...document.querySelectorAll("[data-purpose]")];

for (const toggle of toggles) {
  toggle.addEventListener("click", () => {
    const on = toggle.getAttribute("aria-pressed") !== "true";
    toggle.setAttribute("aria-pressed", String(on));
    toggle.textContent = on ? "Allowed" : "Not allowed";
  });
}

byId("settings").addEventListener("click", () => {
  byId("first").hidden = true;
  byId("second").hidden = false;
});

async function choose(allows) {
  const purposes = Object.fromEntries(toggles.map((toggle) => [toggle.dataset.purpose, allows(toggle)]));
  const response = await fetch("/choice", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ purposes }),
  });
  if (response.ok) window.parent.postMessage({ type: "choices-saved" }, PAPER);
}

byId("agree").addEventListener("click", () => choose(() => true));
byId("refuse").addEventListener("click", () => choose(() => false));
byId("save").addEventListener("click", () => choose((toggle) => toggle.getAttribute("aria-pressed") === "true"));
