/** Begins to watch: before any script of the page, at the outermost place, in the first phase of every event. */

let attended: Document | undefined;
let hasBegun = false;

function listen(): void {
  const on = <E extends Event>(type: string, listener: (event: E) => void): void =>
    addEventListener(type, listener as (event: Event) => void, { capture: true, passive: true });
  for (const type of ["readystatechange", "pointerdown", "keydown"]) on(type, attend);
  on("pointerdown", onPointerDown);
  on("pointerup", onPointerUp);
  on("click", onClick);
  on("auxclick", onAuxClick);
  on("dragstart", onDragStart);
  on("drop", onDrop);
  on("dragend", onDragEnd);
  on("focusin", onFocusIn);
  on("focusout", onFocusOut);
  on("beforeinput", onBeforeInput);
  on("input", onInput);
  on("keydown", onKeyDown);
  on("scroll", onScroll);
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) on(type, onScrollIntent);
  on("pagehide", onPageHide);
  on("load", onWindowLoad);
}

function onWindowLoad(event: Event): void {
  attend();
  if (event.target === document) onLoaded();
}

/** A window keeps its scripts when the blank document it began with gives way to one of the same origin. */
function attend(): void {
  if (document === attended) return;
  attended = document;
  documentName = randomName();
  watchFrames(document);
  watchPasswords(document);
  // `document.open()` takes every listener off the window; the new root element is the sign of it.
  new MutationObserver(listen).observe(document, { childList: true });
  if (hasBegun) reportDocument();
}

rootListeners.push(watchFrames, watchPasswords, observeRoot, (root) =>
  root.addEventListener("scroll", onScroll, { capture: true, passive: true }),
);
dialogListener = onDialog;
meetMainWorld();
attend();
listen();
if (typeof navigation !== "undefined") navigation.addEventListener("navigate", onNavigate);
followSwitch(() => {
  hasBegun = true;
  reportDocument();
});
