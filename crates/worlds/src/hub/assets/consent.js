// Runs on the consent manager's origin and tells the embedding page only what it needs to know.

const HOST_PAGE = "http://hub.localhost";
const switches = [...document.querySelectorAll("[data-purpose]")];
const byId = (id) => document.getElementById(id);
const tell = (message) => window.parent.postMessage(message, HOST_PAGE);

for (const control of switches) {
  control.addEventListener("click", () => {
    control.setAttribute("aria-checked", String(control.getAttribute("aria-checked") !== "true"));
  });
}

byId("choose").addEventListener("click", () => {
  byId("purposes").hidden = false;
  byId("save").hidden = false;
  byId("choose").hidden = true;
  tell({ type: "consent-expanded" });
});

async function answer(allows) {
  const purposes = Object.fromEntries(switches.map((control) => [control.dataset.purpose, allows(control)]));
  const response = await fetch("/choice", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ purposes }),
  });
  const { receipt } = await response.json();
  tell({ type: "consent-saved", receipt });
}

byId("accept").addEventListener("click", () => answer(() => true));
byId("reject").addEventListener("click", () => answer(() => false));
byId("save").addEventListener("click", () => answer((control) => control.getAttribute("aria-checked") === "true"));
