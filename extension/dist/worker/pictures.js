const APART_MS = 550;
let free = 0;
export function takePicture(tab, keep) {
    const now = Date.now();
    const at = Math.max(now, free);
    free = at + APART_MS;
    setTimeout(() => void take(tab, keep), at - now);
}
async function take(tab, keep) {
    if (tab.id === undefined)
        return;
    try {
        const { active, windowId } = await chrome.tabs.get(tab.id);
        if (!active)
            return;
        const url = await chrome.tabs.captureVisibleTab(windowId, { format: "jpeg", quality: 70 });
        await keep(url.slice(url.indexOf(",") + 1));
    }
    catch {
    }
}
