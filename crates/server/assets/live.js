// Puts the live part of a page anew whenever the server sends it.
for (const place of document.querySelectorAll("[data-live]")) {
  const events = new EventSource(place.dataset.live);
  events.addEventListener("part", (event) => {
    // Made by the same code as the page itself, with everything foreign escaped.
    place.innerHTML = event.data;
    // What was waited for is there: the whole page is another one now.
    if (place.querySelector("[data-reload]")) {
      events.close();
      location.reload();
    }
  });
  events.addEventListener("error", () => {
    // The server no longer knows what is watched; the page says why.
    if (events.readyState === EventSource.CLOSED && "reload" in place.dataset) location.reload();
  });
}
