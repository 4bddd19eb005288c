/** Values of secret fields, kept in memory so that they can be kept out of everything that is stored. */

const KEY = "secrets";
const SHORTEST = 4;
const REDACTED = "«redacted»";

export async function keepSecret(field: string, value: string): Promise<void> {
  const known = await secrets();
  await chrome.storage.session.set({ [KEY]: { ...known, [field]: value } });
}

export async function forgetSecrets(): Promise<void> {
  await chrome.storage.session.remove(KEY);
}

async function secrets(): Promise<Record<string, string>> {
  const stored = await chrome.storage.session.get(KEY);
  return (stored[KEY] as Record<string, string> | undefined) ?? {};
}

/** A JSON text without secrets, in any spelling a page may give them. */
export async function withoutSecrets(text: string): Promise<string> {
  const needles = Object.values(await secrets()).filter((value) => value.length >= SHORTEST).flatMap(spellings);
  needles.sort((a, b) => b.length - a.length);
  if (!needles.some((needle) => text.includes(needle.slice(0, SHORTEST)))) return text;
  // Only strings that quote the page are cleaned: a password may be a word of the format.
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (typeof value !== "string" || FORMAT_KEYS.has(key)) return value;
    const cleaned = clean(value, needles);
    return key === "text" ? withoutBeginning(cleaned, needles) : cleaned;
  });
}

const FORMAT_KEYS = new Set(["kind", "do", "tag", "role", "input_type", "control", "document", "how", "secret"]);

function clean(text: string, needles: string[]): string {
  return needles.reduce((cleaned, needle) => cleaned.replaceAll(needle, REDACTED), text);
}

/** A field is reported while it is typed into: what it ends with may be the beginning of a secret. */
function withoutBeginning(text: string, needles: string[]): string {
  const lengths = needles.map((needle) => {
    let length = Math.min(needle.length, text.length);
    while (length >= SHORTEST && !text.endsWith(needle.slice(0, length))) length -= 1;
    return length;
  });
  const longest = Math.max(0, ...lengths);
  return longest >= SHORTEST ? text.slice(0, -longest) + REDACTED : text;
}

function spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  const percent = encodeURIComponent(secret).replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const html = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const json = JSON.stringify(secret).slice(1, -1);
  const forUrls = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [secret, percent, percent.replaceAll("%20", "+"), encodeURIComponent(secret), base64, forUrls, html, json];
}
