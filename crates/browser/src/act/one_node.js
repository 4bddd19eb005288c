// What a selector matches in this document and in the frames of its origin; at most two, which is one too many.
function (kind, written) {
  const found = new Set();
  const look = root => {
    try {
      if (kind === "xpath") {
        const paths = (root.ownerDocument ?? root).evaluate(written, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
        for (let at = 0; at < paths.snapshotLength; at++) found.add(paths.snapshotItem(at));
      } else {
        for (const node of root.querySelectorAll(written)) found.add(node);
      }
    } catch {
      // Not a selector: it matches nothing.
    }
    for (const inner of root.querySelectorAll("*")) {
      if (found.size > 1) return;
      if (kind === "pierce" && inner.shadowRoot) look(inner.shadowRoot);
      if (inner.localName !== "iframe") continue;
      try {
        if (inner.contentDocument) look(inner.contentDocument);
      } catch {
        // Another origin's.
      }
    }
  };
  look(document);
  return [...found].slice(0, 2);
}
