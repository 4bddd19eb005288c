// Shows the pop-up at once, or after so many clicks on this page, and says what became of it.
(() => {
  const layer = document.getElementById("popup-layer");
  let clicks = Number(layer.dataset.after);
  const tell = (what) => fetch("/.visit/popup", { method: "POST", body: what, keepalive: true }).catch(() => {});
  const show = () => {
    layer.hidden = false;
    tell("shown");
  };
  const close = () => {
    if (layer.isConnected && !layer.hidden) {
      layer.remove();
      tell("closed");
    }
  };
  if (clicks === 0) {
    tell("shown");
  } else {
    addEventListener("click", (event) => {
      if (event.isTrusted && --clicks === 0) setTimeout(show, 120);
    }, true);
  }
  layer.querySelectorAll("button").forEach((button) => button.addEventListener("click", close));
  addEventListener("keydown", (event) => event.key === "Escape" && close());
})();
