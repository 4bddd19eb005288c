/** Documents coming and going, and steps in the history that stay in one document. */

function reportDocument(): void {
  const [entry] = performance.getEntriesByType("navigation");
  const how = entry instanceof PerformanceNavigationTiming ? entry.type : "navigate";
  report({ kind: "document", at: Date.now(), url: ownAddress(), how, viewport: [innerWidth, innerHeight] });
  if (document.readyState === "complete") onLoaded();
}

let loadedName = "";

function onLoaded(): void {
  if (loadedName === documentName) return;
  loadedName = documentName;
  reportFrames();
  report({ kind: "loaded" });
}

/** The browser's own buttons and address bar make no such event when they load another document. */
function onNavigate(event: NavigateEvent): void {
  if (window !== window.top || !isRecording() || event.downloadRequest !== null) return;
  const isTraverse = event.navigationType === "traverse";
  if (!event.destination.sameDocument) {
    if (!isTraverse || !event.userInitiated) report({ kind: "leaving", at: Date.now() });
    return;
  }
  const from = navigation.currentEntry?.index ?? -1;
  if (isTraverse && event.userInitiated && event.destination.index !== from) {
    commitEdits();
    reportOnPage({ do: event.destination.index < from ? "back" : "forward" });
  }
}

function onPageHide(): void {
  commitEdits();
  settleAll();
}
