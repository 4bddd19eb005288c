/** Pictures of the visible tab. The browser allows two a second; one that comes too soon waits for its turn. */

const APART_MS = 550;
let free = 0;

export function takePicture(tab: chrome.tabs.Tab, keep: (jpeg: string) => Promise<void>): void {
  const now = Date.now();
  const at = Math.max(now, free);
  free = at + APART_MS;
  setTimeout(() => void take(tab, keep), at - now);
}

async function take(tab: chrome.tabs.Tab, keep: (jpeg: string) => Promise<void>): Promise<void> {
  if (tab.id === undefined) return;
  try {
    const { active, windowId } = await chrome.tabs.get(tab.id);
    if (!active) return;
    const url = await chrome.tabs.captureVisibleTab(windowId, { format: "jpeg", quality: 70 });
    await keep(url.slice(url.indexOf(",") + 1));
  } catch {
    // The tab has closed, or shows a page of the browser's own.
  }
}
