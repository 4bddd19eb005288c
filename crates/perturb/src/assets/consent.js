// Sends the answer to the consent dialog, with the boxes that were ticked, before the dialog goes.
(() => {
  const layer = document.getElementById("consent-layer");
  layer.querySelectorAll("button").forEach((button) => button.addEventListener("click", async () => {
    const ticked = [...layer.querySelectorAll("input:checked")].map((box) => box.name);
    const answer = { accepted: button.value === "accept", ticked };
    await fetch("/.visit/consent", { method: "POST", body: JSON.stringify(answer), keepalive: true }).catch(() => {});
    layer.remove();
  }));
})();
