// Dragging and the wheel move the drawn map.

// Shows another part of the country without leaving the page.
async function show(latitude, longitude, zoom) {
  const address = new URL(location.href);
  address.searchParams.set("at", `${latitude.toFixed(5)},${longitude.toFixed(5)}`);
  address.searchParams.set("z", zoom);
  const answer = await fetch(address);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.querySelector(".map").replaceWith(page.querySelector(".map"));
  history.replaceState(null, "", address);
  listen();
}

function listen() {
  const map = document.querySelector(".map");
  const drawing = map.querySelector("svg");
  const moved = drawing.querySelector("[data-moves]");
  const at = { latitude: +map.dataset.latitude, longitude: +map.dataset.longitude, zoom: +map.dataset.zoom };
  const metres = () => +map.dataset.scale * (drawing.viewBox.baseVal.width / drawing.clientWidth);
  let start = null;

  drawing.addEventListener("pointerdown", (event) => { start = { x: event.clientX, y: event.clientY, far: false }; });
  drawing.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    start.far ||= Math.hypot(x, y) > 6;
    if (start.far) moved.setAttribute("transform", `translate(${x} ${y})`);
  });
  drawing.addEventListener("pointerup", (event) => {
    if (start?.far) {
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      show(at.latitude + (y * metres()) / 111320, at.longitude - (x * metres()) / 69300, at.zoom);
    }
    start = null;
  });
  drawing.addEventListener("click", (event) => {
    if (moved.hasAttribute("transform")) event.preventDefault();
  });
  drawing.addEventListener("wheel", (event) => {
    event.preventDefault();
    const zoom = Math.max(1, Math.min(8, at.zoom + (event.deltaY < 0 ? 1 : -1)));
    if (zoom !== at.zoom) show(at.latitude, at.longitude, zoom);
  }, { passive: false });
}
listen();
