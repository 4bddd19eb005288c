// Finds the pop-up on top of this document and the place in it to turn the wheel at. Changes nothing.
(axis, sign) => {
  const all = [];
  const collect = root => {
    for (const element of root.querySelectorAll('*')) {
      all.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);
  const window_ = { width: innerWidth, height: innerHeight };
  const shownBox = element => {
    const box = element.getBoundingClientRect();
    const left = Math.max(box.left, 0), top = Math.max(box.top, 0);
    return { x: left, y: top, width: Math.min(box.right, window_.width) - left, height: Math.min(box.bottom, window_.height) - top };
  };
  const contains = (outer, inner) => {
    for (let at = inner; at; at = at.assignedSlot ?? at.parentNode ?? at.host) if (at === outer) return true;
    return false;
  };
  const hit = (x, y) => {
    let at = document.elementFromPoint(x, y);
    for (let inner; (inner = at?.shadowRoot?.elementFromPoint(x, y)) && inner !== at;) at = inner;
    return at;
  };
  const isOnTop = element => {
    const box = shownBox(element);
    return box.width > 0 && box.height > 0
      && [[.5, .5], [.5, .1], [.5, .9], [.1, .5], [.9, .5]].some(([fx, fy]) => contains(element, hit(box.x + box.width * fx, box.y + box.height * fy)));
  };
  const says = element => element.matches('dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true], [popover]');
  const floats = element => {
    const style = getComputedStyle(element);
    const box = shownBox(element);
    const above = style.position === 'fixed' || (style.position === 'absolute' && +style.zIndex >= 100);
    return above && box.width >= 200 && box.height >= 100 && box.width * box.height >= .05 * window_.width * window_.height;
  };
  const level = element => {
    let z = 0;
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) z = Math.max(z, +getComputedStyle(at).zIndex || 0);
    return z;
  };
  const highest = candidates => candidates.map((element, order) => ({ element, order, z: level(element) }))
    .sort((a, b) => b.z - a.z || b.order - a.order)[0]?.element;
  const popup = highest(all.filter(element => says(element) && isOnTop(element)))
    ?? highest(all.filter(element => floats(element) && isOnTop(element)));
  if (!popup) return null;
  const moves = element => {
    const style = getComputedStyle(element);
    const overflow = axis === 'y' ? style.overflowY : style.overflowX;
    if (!['auto', 'scroll', 'overlay'].includes(overflow)) return false;
    const [now, room, full] = axis === 'y'
      ? [element.scrollTop, element.clientHeight, element.scrollHeight]
      : [element.scrollLeft, element.clientWidth, element.scrollWidth];
    return (sign > 0 ? full - room - now : now) > 1;
  };
  const inside = all.filter(element => contains(popup, element));
  const frame = inside.find(element => element.localName === 'iframe' && shownBox(element).height > 50);
  const place = shownBox(inside.find(moves) ?? frame ?? popup);
  return { popup: shownBox(popup), point: [place.x + place.width / 2, place.y + place.height / 2] };
}
