// What happens to a site between two visits, done to a page that keeps working: its own script is handed what it asks
// for under the old names. Every element also gets a key, kept beside the page where neither replayer can look.
(kind, seed) => {
  const keys = new WeakMap();
  const mark = (text) => {
    let hash = 2166136261 ^ seed;
    for (const c of text) hash = Math.imul(hash ^ c.codePointAt(0), 16777619);
    return (hash >>> 0).toString(36);
  };

  // Keys: the way from the root through the page as the server sent it.
  const keyed = (node) => {
    if (!(node instanceof Element)) return;
    if (!keys.has(node)) {
      const parent = node.parentNode;
      const above = parent instanceof ShadowRoot ? `${keys.get(parent.host)}#` : parent === document ? location.pathname : keys.get(parent);
      const place = parent ? [...parent.children].indexOf(node) : 0;
      keys.set(node, `${above}>${node.localName}${place}`);
    }
    // A page's script may have filled what stood outside the document for a while.
    for (const child of node.children) keyed(child);
  };
  const told = (node) => {
    const chain = [];
    for (let at = node; at; at = at.parentNode ?? at.host) {
      if (keys.has(at)) chain.push(keys.get(at));
      if (at.localName === "label" && at.control && keys.has(at.control)) chain.push(keys.get(at.control));
    }
    return chain;
  };
  window.addEventListener("click", (event) => console.log(`truth ${JSON.stringify(told(event.composedPath()[0]))}`), true);
  Object.defineProperty(window, "__keyOf", { value: (node) => keys.get(node) ?? null });

  const changed = new WeakMap();
  const rename = {
    ids(element) {
      for (const name of ["id", "for", "aria-labelledby", "aria-describedby", "aria-controls", "form", "list"]) {
        const old = element.getAttribute(name);
        if (!old || old.startsWith("g-")) continue;
        element.setAttribute(name, old.split(/\s+/).map((id) => `g-${mark(id)}`).join(" "));
      }
    },
    classes(element) {
      const old = element.getAttribute("class");
      if (!old) return;
      const hashed = old.split(/\s+/).filter(Boolean).map((name) => (name.startsWith("h-") ? name : `h-${mark(name)}`)).join(" ");
      if (hashed !== old) element.setAttribute("class", hashed);
    },
    // What somebody wrote into a field is theirs, in whatever language the site speaks.
    text(element) {
      for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        const old = element.getAttribute(name);
        if (old && !foreign.has(old)) element.setAttribute(name, translate(old));
      }
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE && node.data.trim() && !foreign.has(node.data) && !["SCRIPT", "STYLE", "TEXTAREA"].includes(element.tagName)) {
          node.data = translate(node.data);
        }
      }
    },
  };
  const foreign = new Set();
  const translate = (text) => {
    const turned = text.replace(/\p{L}+/gu, (word) =>
      [...word].map((c) => {
        const base = /[a-z]/.test(c) ? 97 : /[A-Z]/.test(c) ? 65 : 0;
        return base ? String.fromCharCode(base + ((c.charCodeAt(0) - base + 1 + (seed % 11)) % 26)) : c;
      }).join(""));
    foreign.add(turned);
    return turned;
  };

  // The page's own script goes on asking by the old names.
  const both = (selector) =>
    selector.replace(/#([A-Za-z][\w-]*)/g, (_, id) => `:is(#${id},#g-${mark(id)})`).replace(/\.([A-Za-z_][\w-]*)/g, (_, name) => `:is(.${name},.h-${mark(name)})`);
  if (kind === "ids" || kind === "classes") {
    for (const owner of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
      for (const method of ["querySelector", "querySelectorAll", "closest", "matches"]) {
        const asked = owner[method];
        if (asked) owner[method] = function (selector) { return asked.call(this, both(selector)); };
      }
    }
    const byId = Document.prototype.getElementById;
    Document.prototype.getElementById = function (id) { return byId.call(this, id) ?? byId.call(this, `g-${mark(id)}`); };
    const { contains, toggle, add, remove } = DOMTokenList.prototype;
    const hashed = (name) => (kind === "classes" ? `h-${mark(name)}` : name);
    Object.assign(DOMTokenList.prototype, {
      contains(name) { return contains.call(this, name) || contains.call(this, hashed(name)); },
      toggle(name, ...force) { return toggle.call(this, hashed(name), ...force); },
      add(...names) { add.apply(this, names.map(hashed)); },
      remove(...names) { remove.apply(this, [...names, ...names.map(hashed)]); },
    });
  }
  const restyle = () => {
    for (const sheet of document.styleSheets) {
      try {
        for (const rule of sheet.cssRules) restyled(rule);
      } catch {
        // Another origin's.
      }
    }
  };
  const restyled = (rule) => {
    if (rule.selectorText && !rule.selectorText.includes(":is(")) rule.selectorText = both(rule.selectorText);
    for (const inner of rule.cssRules ?? []) restyled(inner);
  };

  const shuffle = (parent) => {
    if (changed.has(parent)) return;
    for (const tag of ["li", "label", "tr", "section", "fieldset", "div", "a", "form", "article"]) {
      const same = [...parent.children].filter((child) => child.localName === tag);
      if (same.length < 2) continue;
      changed.set(parent, true);
      const places = same.map((child) => {
        const place = document.createComment("");
        child.replaceWith(place);
        return place;
      });
      const turn = 1 + (seed % (same.length - 1 || 1));
      places.forEach((place, at) => place.replaceWith(same[(at + turn) % same.length]));
    }
  };

  const wrap = (main) => {
    if (changed.has(main)) return;
    changed.set(main, true);
    const host = document.createElement("x-shell");
    const root = attach.call(host, { mode: "open" });
    for (const style of document.querySelectorAll("link[rel=stylesheet], style")) root.append(style.cloneNode(true));
    root.append(...main.childNodes);
    main.append(host);
    watch(root);
    // A change does not leave a shadow root by itself; a site built this way hands it on.
    root.addEventListener("change", (event) => {
      const handed = new Event("change");
      Object.defineProperty(handed, "target", { value: event.composedPath()[0] });
      document.dispatchEvent(handed);
    });
  };
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    watch(root);
    return root;
  };
  if (kind === "shadow") {
    const target = Object.getOwnPropertyDescriptor(Event.prototype, "target").get;
    Object.defineProperty(Event.prototype, "target", { get() { return this.composedPath()[0] ?? target.call(this); } });
    const inside = () => document.documentElement.querySelector("x-shell")?.shadowRoot;
    for (const method of ["querySelector", "getElementById"]) {
      const asked = Document.prototype[method];
      Document.prototype[method] = function (name) { return asked.call(this, name) ?? inside()?.[method]?.(name) ?? null; };
    }
    const all = Document.prototype.querySelectorAll;
    Document.prototype.querySelectorAll = function (selector) {
      return [...all.call(this, selector), ...(inside()?.querySelectorAll(selector) ?? [])];
    };
  }

  const every = (root, then) => {
    if (root instanceof Element) then(root);
    for (const element of root.querySelectorAll?.("*") ?? []) then(element);
  };
  const perturb = (root) => {
    if (rename[kind]) every(root, rename[kind]);
    if (kind === "classes") restyle();
    if (kind === "shuffled" && document.readyState !== "loading") every(root, shuffle);
  };
  let ready = false;
  const observer = new MutationObserver((records) => take(records));
  const take = (records) => {
    for (const record of records) for (const node of record.addedNodes) keyed(node);
    if (!ready) return;
    for (const record of records) {
      if (record.type === "childList") for (const node of record.addedNodes) perturb(node instanceof Element ? node : record.target);
      else if (record.type === "characterData") perturb(record.target.parentElement ?? document);
      else if (rename[kind]) rename[kind](record.target);
    }
    observer.takeRecords();
  };
  const watch = (root) =>
    observer.observe(root, { childList: true, subtree: true, characterData: kind === "text", attributes: kind in rename, attributeFilter: kind in rename ? ["class", "id", "aria-label"] : undefined });
  watch(document);
  keyed(document.documentElement);

  // A page that brings its content later; meanwhile it says so.
  const delay = (main) => {
    const content = [...main.childNodes];
    main.replaceChildren("Loading…");
    setTimeout(() => main.replaceChildren(...content), (Math.imul(seed, 977) + location.pathname.length * 431) % 3001);
  };
  document.addEventListener("DOMContentLoaded", () => {
    take(observer.takeRecords());
    keyed(document.documentElement);
    ready = true;
    perturb(document.documentElement);
    const main = document.querySelector("main") ?? document.body;
    if (kind === "shadow") wrap(main);
    if (kind === "delayed") delay(main);
    observer.takeRecords();
  });
}
