// Runs on the guard's origin. Only a click that the browser itself made counts.

const SITE = "http://travel.localhost";
const tick = document.getElementById("tick");
const words = document.getElementById("words");

async function check(event) {
  if (tick.getAttribute("aria-checked") === "true") return;
  tick.setAttribute("aria-checked", "mixed");
  words.textContent = "Checking…";
  const response = await fetch("/verify", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ trusted: event.isTrusted }),
  });
  const { passed } = await response.json();
  tick.setAttribute("aria-checked", String(passed));
  words.textContent = passed ? "Thank you" : "That did not look human";
  if (passed) window.parent.postMessage({ type: "checked" }, SITE);
}

tick.addEventListener("click", check);
tick.addEventListener("keydown", (event) => {
  if (event.key === " " || event.key === "Enter") check(event);
});
