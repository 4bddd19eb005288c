/**
 * Shadow roots, closed ones too, and elements through them.
 *
 * The script in the page's own world tells of every root that is attached, over an element that is in no document and that
 * only the two scripts know. A node inside a root leads to the root even if that is closed.
 */

/** Roots by host. */
const knownRoots = new WeakMap<Element, ShadowRoot>();
const rootListeners: ((root: ShadowRoot) => void)[] = [];
let dialogListener: (text: string) => void = () => undefined;

/** Nobody in the page has run yet when the two scripts meet; the element is made by whichever comes second. */
const MEETING = "umpire-recorder-meets";
const MET = "met";
const MARKER_COMES = "marker";
const MARKER_IS_IN = "rooted";
const DIALOG = "dialog";

function meetMainWorld(): void {
  const own = document.createElement("i");
  let met = false;
  own.addEventListener(MET, () => (met = true), { once: true });
  follow(own);
  dispatchEvent(new MouseEvent(MEETING, { relatedTarget: own }));
  if (met) return;
  const meet = (event: Event): void => {
    const shared = event instanceof MouseEvent ? event.relatedTarget : null;
    if (!(shared instanceof Element)) return;
    removeEventListener(MEETING, meet, true);
    follow(shared);
    shared.dispatchEvent(new Event(MET));
  };
  addEventListener(MEETING, meet, true);
}

function follow(shared: Element): void {
  let marker: Element | null = null;
  shared.addEventListener(MARKER_COMES, (event) => {
    const related = event instanceof MouseEvent ? event.relatedTarget : null;
    marker = related instanceof Element ? related : null;
  });
  shared.addEventListener(MARKER_IS_IN, () => {
    const root = marker?.getRootNode();
    if (root instanceof ShadowRoot) learn(root);
  });
  shared.addEventListener(DIALOG, (event) => {
    const text: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (typeof text === "string") dialogListener(text);
  });
}

function learn(root: ShadowRoot): void {
  if (knownRoots.get(root.host) === root) return;
  knownRoots.set(root.host, root);
  rootListeners.forEach((listener) => listener(root));
}

/** The element's shadow root, if it has one that can be known. */
function shadowOf(element: Element): ShadowRoot | null {
  const known = knownRoots.get(element) ?? element.shadowRoot;
  if (known) return known;
  if (typeof chrome === "undefined" || !chrome.dom || !(element instanceof HTMLElement)) return null;
  const closed = chrome.dom.openOrClosedShadowRoot(element);
  if (closed) learn(closed);
  return closed;
}

/** The innermost element an event happened to. Where its path ends at a closed root, the point or the focus leads on. */
function innermostTarget(event: Event): Element | null {
  const first = event.composedPath()[0];
  let element = first instanceof Element ? first : first instanceof Document ? first.documentElement : null;
  while (element) {
    const root = shadowOf(element);
    if (!root) break;
    const inner: Element | null =
      event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0)
        ? root.elementFromPoint(event.clientX, event.clientY)
        : root.activeElement;
    if (!inner || inner === element || inner.getRootNode() !== root) break;
    element = inner;
  }
  return element;
}

/** The element's parent in the page as it is written, out of a shadow root into its host. */
function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function* selfAndAncestors(element: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = parentOf(at)) yield at;
}

/** Every element below a root in document order, a host before its shadow tree, that before its other children. */
function* elementsIn(root: Document | ShadowRoot | Element): Generator<Element> {
  for (let child = root.firstElementChild; child; child = child.nextElementSibling) {
    yield child;
    const shadow = shadowOf(child);
    if (shadow) yield* elementsIn(shadow);
    yield* elementsIn(child);
  }
}

/** The element with focus, through shadow roots. */
function focusedElement(): Element | null {
  let element = document.activeElement;
  while (element) {
    const inner: Element | null | undefined = shadowOf(element)?.activeElement;
    if (!inner) break;
    element = inner;
  }
  return element;
}
