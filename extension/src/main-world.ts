/**
 * Runs among the page's own scripts, before any of them. It tells the recorder's isolated world of two things that cannot
 * be seen from there: shadow roots, which may be closed, and dialogs with their answers.
 *
 * The page may replace anything later, so everything used is kept from before; and it can learn nothing here, because
 * nothing but its own roots and dialogs passes through.
 */
(() => {
  const { apply } = Reflect;
  const { dispatchEvent, addEventListener, removeEventListener } = EventTarget.prototype;
  const { appendChild } = Node.prototype;
  const { remove } = Element.prototype;
  const { stringify } = JSON;
  const { slice } = String.prototype;
  const toText = String;
  const MouseEventHere = MouseEvent;
  const CustomEventHere = CustomEvent;
  const marker = document.createElement("i");
  const relatedTarget = Object.getOwnPropertyDescriptor(MouseEvent.prototype, "relatedTarget")?.get;
  const MEETING = "umpire-recorder-meets";

  let shared: EventTarget = document.createElement("i");
  let met = false;
  addEventListener.call(shared, "met", () => (met = true), { once: true });
  dispatchEvent.call(window, new MouseEventHere(MEETING, { relatedTarget: shared }));
  if (!met) {
    const meet = (event: Event): void => {
      const other: unknown = relatedTarget && apply(relatedTarget, event, []);
      if (!(other instanceof Element)) return;
      apply(removeEventListener, window, [MEETING, meet, true]);
      shared = other;
      apply(dispatchEvent, shared, [new Event("met")]);
    };
    addEventListener.call(window, MEETING, meet, true);
  }

  const tell = (event: Event): void => {
    apply(dispatchEvent, shared, [event]);
  };

  const tellRoot = (root: ShadowRoot): void => {
    tell(new MouseEventHere("marker", { relatedTarget: marker }));
    apply(appendChild, root, [marker]);
    tell(new MouseEventHere("rooted"));
    apply(remove, marker, []);
  };

  /** A proxy, not a function of ours: pages that look at the source of what they call see what they always saw. */
  const wrap = (owner: object, name: string, call: (native: Function, self: unknown, args: unknown[]) => unknown): void => {
    const native: unknown = Reflect.get(owner, name);
    if (typeof native !== "function") return;
    const wrapped = new Proxy(native, { apply: (target, self, args) => call(target, self, args) });
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, writable: true, enumerable: before?.enumerable ?? true, value: wrapped });
  };

  wrap(Element.prototype, "attachShadow", (native, self, args) => {
    const root: unknown = apply(native, self, args);
    if (root instanceof ShadowRoot) tellRoot(root);
    return root;
  });

  for (const kind of ["alert", "confirm", "prompt"]) {
    wrap(window, kind, (native, self, args) => {
      const answer: unknown = apply(native, self, args);
      const accepted = kind === "alert" || (answer !== false && answer !== null);
      const text = typeof answer === "string" ? apply(slice, answer, [0, 1000]) : undefined;
      let message = "";
      try {
        message = apply(slice, toText(args[0] ?? ""), [0, 1000]) as string;
      } catch {
        // An object of the page that cannot be made a text twice.
      }
      tell(new CustomEventHere("dialog", { detail: stringify({ __proto__: null, kind, message, accepted, text }) }));
      return answer;
    });
  }
})();
