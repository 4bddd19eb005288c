/** A deed from the look before it to the rest after it. */

/** An element and its state, read before the page could react. */
interface Look {
  element: Element;
  operable: boolean;
  portrait: Portrait;
  before: ControlState | undefined;
  marks: string[] | undefined;
  at: number;
  watch: Watch;
}

let lastId = 0;

function nextId(): number {
  lastId += 1;
  return lastId;
}

function lookAt(element: Element, operable: boolean): Look {
  return {
    element,
    operable,
    portrait: portraitOf(element),
    before: stateOf(element),
    marks: marksOf(element),
    at: Date.now(),
    watch: beginWatch(),
  };
}

/** Reports what was done to the element of a look, and its state once the page is at rest. */
function reportDeed(deed: Deed, look: Look, interactive = look.operable): number {
  const id = nextId();
  sendDeed(id, deed, look, interactive);
  settle(look.watch, () => reportRest(id, look));
  return id;
}

function sendDeed(id: number, deed: Deed, look: Look, interactive: boolean): void {
  const { portrait, before, marks, at } = look;
  report({
    kind: "deed", id, at, url: ownAddress(), deed, interactive, element: portrait,
    ...(before !== undefined && { before }),
    ...(marks !== undefined && { marks }),
  });
}

function reportRest(id: number, look: Look): void {
  const element = look.element.isConnected ? look.element : drawnAgain(look.portrait);
  const after = element ? stateOf(element) : undefined;
  const marks = element ? marksOf(element) : undefined;
  report({
    kind: "settled", id, effect: look.watch.changed,
    ...(after !== undefined && { after }),
    ...(marks !== undefined && { marks }),
  });
}

/** Something done to the page or its tab, not to an element. */
function reportOnPage(deed: Deed, interactive = true): void {
  const id = nextId();
  const watch = beginWatch();
  report({ kind: "deed", id, at: Date.now(), url: ownAddress(), deed, interactive });
  settle(watch, () => report({ kind: "settled", id, effect: watch.changed }));
}

/** Pages that draw themselves anew replace the element; its successor stands where it stood and says the same. */
function drawnAgain(portrait: Portrait): Element | null {
  let root: Document | ShadowRoot | null = document;
  let found: Element | null = null;
  for (const part of portrait.locators.css?.split(" > ::shadow > ") ?? []) {
    found = root?.querySelector(part) ?? null;
    root = found && shadowOf(found);
  }
  return found && tagOf(found) === portrait.tag && nameOf(found) === (portrait.name ?? "") ? found : null;
}
