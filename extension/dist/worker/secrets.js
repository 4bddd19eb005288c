const KEY = "secrets";
const SHORTEST = 4;
const REDACTED = "«redacted»";
export async function keepSecret(field, value) {
    const known = await secrets();
    await chrome.storage.session.set({ [KEY]: { ...known, [field]: value } });
}
export async function forgetSecrets() {
    await chrome.storage.session.remove(KEY);
}
async function secrets() {
    const stored = await chrome.storage.session.get(KEY);
    return stored[KEY] ?? {};
}
export async function withoutSecrets(text) {
    const needles = Object.values(await secrets()).filter((value) => value.length >= SHORTEST).flatMap(spellings);
    needles.sort((a, b) => b.length - a.length);
    if (!needles.some((needle) => text.includes(needle.slice(0, SHORTEST))))
        return text;
    return JSON.stringify(JSON.parse(text), (key, value) => {
        if (typeof value !== "string" || FORMAT_KEYS.has(key))
            return value;
        const cleaned = clean(value, needles);
        return key === "text" ? withoutBeginning(cleaned, needles) : cleaned;
    });
}
const FORMAT_KEYS = new Set(["kind", "do", "tag", "role", "input_type", "control", "document", "how", "secret"]);
function clean(text, needles) {
    return needles.reduce((cleaned, needle) => cleaned.replaceAll(needle, REDACTED), text);
}
function withoutBeginning(text, needles) {
    const lengths = needles.map((needle) => {
        let length = Math.min(needle.length, text.length);
        while (length >= SHORTEST && !text.endsWith(needle.slice(0, length)))
            length -= 1;
        return length;
    });
    const longest = Math.max(0, ...lengths);
    return longest >= SHORTEST ? text.slice(0, -longest) + REDACTED : text;
}
function spellings(secret) {
    const bytes = new TextEncoder().encode(secret);
    const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
    const percent = encodeURIComponent(secret).replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const html = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
    const json = JSON.stringify(secret).slice(1, -1);
    const forUrls = base64.replaceAll("+", "-").replaceAll("/", "_");
    return [secret, percent, percent.replaceAll("%20", "+"), encodeURIComponent(secret), base64, forUrls, html, json];
}
