/** All that is kept of an element, read while the page is as the person saw it. */

/** Pages beyond this are not counted to their end; what is not counted is left out. */
const MOST_COUNTED = 20_000;
const MOST_NAMED = 300;

function portraitOf(element: Element): Portrait {
  const role = roleOf(element);
  const name = nameOf(element);
  const type = element instanceof HTMLInputElement || element instanceof HTMLButtonElement ? inputType(element) : "";
  const control = controlKind(element);
  return {
    tag: tagOf(element),
    ...(role && { role }),
    ...(type && { input_type: type }),
    ...(name && { name }),
    locators: locatorsOf(element),
    words: wordsOf(element),
    position: positionOf(element, role, name),
    ...(control && { control }),
  };
}

function positionOf(element: Element, role: string, name: string): Portrait["position"] {
  const { left, top, width, height } = element.getBoundingClientRect();
  const round = (value: number): number => Math.round(value * 10) / 10;
  const hosts = Array.from(selfAndAncestors(element)).filter(
    (above) => above !== element && shadowOf(above) !== null && isInShadowOf(element, above),
  );
  const position: Portrait["position"] = {
    among_siblings: placeAmongSiblings(element),
    rect: [round(left + scrollX), round(top + scrollY), round(width), round(height)],
    ...countedPosition(element, role, name),
  };
  if (hosts.length > 0) position.shadow_hosts = hosts.map(tagOf).reverse();
  return position;
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

function isInShadowOf(element: Element, host: Element): boolean {
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
    if (root.host === host) return true;
  }
  return false;
}

/** One walk for both counts: over the focusable elements, and over those shown with the same role and name. */
function countedPosition(element: Element, role: string, name: string): Pick<Portrait["position"], "index" | "among_equals"> {
  let index: number | undefined;
  let place: number | undefined;
  let [focusable, equals, named, counted] = [0, 0, 0, 0];
  for (const other of elementsIn(document)) {
    counted += 1;
    if (counted > MOST_COUNTED) break;
    if (isFocusable(other)) focusable += 1;
    if (other === element && isFocusable(other)) index = focusable;
    if (named > MOST_NAMED || roleOf(other) !== role) continue;
    named += 1;
    if (other === element || (isShown(other) && nameOf(other).toLowerCase() === name.toLowerCase())) equals += 1;
    if (other === element) place = equals;
  }
  const isComplete = counted <= MOST_COUNTED && named <= MOST_NAMED;
  return {
    ...(index !== undefined && { index }),
    ...(place !== undefined && isComplete && { among_equals: [place, equals] as [number, number] }),
  };
}
