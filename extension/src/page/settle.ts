/** Watches what a deed does to the page, from just before it until the page is at rest. */

const QUIET_MS = 150;
const LONGEST_SETTLE_MS = 1500;

interface Watch {
  changed: boolean;
  /** Something new can be reached: elements came, or one was enabled or shown. */
  opened: boolean;
  began: number;
  lastChange: number;
  whenAtRest?: () => void;
}

const REVEALING = new Set(["disabled", "hidden", "aria-disabled", "aria-hidden", "inert", "open"]);
const watches = new Set<Watch>();
let resting: ReturnType<typeof setTimeout> | undefined;

const pageObserver = new MutationObserver((changes) => {
  const now = performance.now();
  const opens = changes.some(
    ({ type, addedNodes, attributeName }) =>
      (type === "attributes" && REVEALING.has(attributeName ?? "")) ||
      Array.from(addedNodes).some((node) => node instanceof Element),
  );
  for (const watch of watches) {
    watch.changed = true;
    watch.opened ||= opens;
    watch.lastChange = now;
  }
});
const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };
const observedRoots: WeakRef<ShadowRoot>[] = [];

function beginWatch(): Watch {
  const now = performance.now();
  const watch: Watch = { changed: false, opened: false, began: now, lastChange: now };
  if (watches.size === 0) {
    pageObserver.observe(document, EVERYTHING);
    for (const root of observedRoots) {
      const there = root.deref();
      if (there?.isConnected) pageObserver.observe(there, EVERYTHING);
    }
  }
  watches.add(watch);
  return watch;
}

function observeRoot(root: ShadowRoot): void {
  observedRoots.push(new WeakRef(root));
  if (watches.size > 0) pageObserver.observe(root, EVERYTHING);
}

function endWatch(watch: Watch): void {
  watches.delete(watch);
  if (watches.size === 0) pageObserver.disconnect();
}

/** Calls `atRest` once nothing has changed for a moment, or when waiting longer would be of no use. */
function settle(watch: Watch, atRest: () => void): void {
  watch.whenAtRest = atRest;
  watch.began = performance.now();
  resting ??= setTimeout(lookForRest, QUIET_MS);
}

function lookForRest(): void {
  resting = undefined;
  const now = performance.now();
  for (const watch of Array.from(watches)) {
    if (!watch.whenAtRest) continue;
    const quiet = now - Math.max(watch.lastChange, watch.began);
    if (quiet >= QUIET_MS || now - watch.began >= LONGEST_SETTLE_MS) finish(watch);
  }
  if (Array.from(watches).some((watch) => watch.whenAtRest)) resting = setTimeout(lookForRest, QUIET_MS / 3);
}

/** What follows must not be taken for the effect of what was done before. */
function settleAll(): void {
  for (const watch of Array.from(watches)) if (watch.whenAtRest) finish(watch);
}

function finish(watch: Watch): void {
  const changes = pageObserver.takeRecords();
  if (changes.length > 0) watch.changed = true;
  const { whenAtRest } = watch;
  endWatch(watch);
  whenAtRest?.();
}
