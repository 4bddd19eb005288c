// Reads what can scroll at points of this document. Evaluated in an isolated world; changes nothing.
(points, axis, sign) => {
  const deepest = (x, y) => {
    let at = document.elementFromPoint(x, y);
    for (;;) {
      let inner = at?.shadowRoot?.elementFromPoint(x, y);
      if (inner === at) inner = null;
      let framed = null;
      try { framed = at?.contentDocument ?? null } catch {}
      if (!inner && framed) {
        const box = at.getBoundingClientRect();
        const style = getComputedStyle(at);
        x -= box.left + at.clientLeft + parseFloat(style.paddingLeft);
        y -= box.top + at.clientTop + parseFloat(style.paddingTop);
        inner = framed.elementFromPoint(x, y);
      }
      if (!inner) return at;
      at = inner;
    }
  };
  const above = at => {
    const up = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host;
    if (up) return up;
    try { return at.ownerDocument.defaultView.frameElement } catch { return null }
  };
  const isRoot = at => at === at.ownerDocument.scrollingElement;
  const scrolls = at => {
    if (isRoot(at)) return true;
    const style = getComputedStyle(at);
    const overflow = axis === 'y' ? style.overflowY : style.overflowX;
    return ['auto', 'scroll', 'overlay'].includes(overflow);
  };
  const measure = at => axis === 'y'
    ? { now: at.scrollTop, room: at.clientHeight, all: at.scrollHeight }
    : { now: at.scrollLeft, room: at.clientWidth, all: at.scrollWidth };
  return points.map(([x, y]) => {
    const at = deepest(x, y);
    const states = [];
    let mover = null;
    for (let up = at; up; up = above(up)) {
      if (!scrolls(up)) continue;
      const { now, room, all } = measure(up);
      states.push(now);
      const left = sign > 0 ? all - room - Math.abs(now) : now;
      if (!mover && left > 1) mover = { room, all, window: up === document.scrollingElement };
    }
    let remote = false;
    try { remote = at?.localName === 'iframe' && !at.contentDocument } catch { remote = true }
    return { states, mover, remote };
  });
}
