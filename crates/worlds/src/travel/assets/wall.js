// The wall's pages: squares to choose, a frame to wait for, seconds to count.

const puzzle = document.querySelector(".puzzle");
if (puzzle) {
  for (const tile of puzzle.querySelectorAll("[data-tile]")) {
    tile.addEventListener("click", () => {
      tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
    });
  }
  puzzle.addEventListener("submit", () => {
    for (const tile of puzzle.querySelectorAll("[aria-pressed='true']")) {
      puzzle.append(Object.assign(document.createElement("input"), { type: "hidden", name: "tile", value: tile.dataset.tile }));
    }
  });
}

const guard = document.getElementById("guard");
if (guard) {
  const origin = new URL(guard.src).origin;
  window.addEventListener("message", (event) => {
    if (event.origin === origin && event.source === guard.contentWindow && event.data.type === "checked") location.reload();
  });
}

const countdown = document.getElementById("countdown");
if (countdown) {
  let left = Number(countdown.dataset.seconds);
  const timer = setInterval(async () => {
    left -= 1;
    countdown.textContent = left === 1 ? "1 second" : `${left} seconds`;
    if (left > 0) return;
    clearInterval(timer);
    await fetch("/wall/waited", { method: "POST" });
    location.reload();
  }, 1000);
}
