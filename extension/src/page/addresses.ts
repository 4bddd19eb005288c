/** Addresses as they may be written down: without credentials and whatever looks like a key to something. */

const LONGEST_ADDRESS = 2000;
const SECRET_NAMES =
  /token|secret|session|passw|passwd|pwd|auth|nonce|csrf|xsrf|signature|ticket|credential|api[-_]?key|^(sid|sig|key|code|state|jwt|otp|hash|pw|pass|assertion|samlresponse)$/i;

/** Long and without words: base64, hex, a JWT. */
function isTokenLike(value: string): boolean {
  if (/^eyJ[\w-]+\.[\w-]+/.test(value)) return true;
  if (value.length < 20 || /\s/.test(value)) return false;
  if (/^[0-9a-f]{20,}$/i.test(value)) return true;
  return /^[\w+/=.~-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !/[a-z]{8,}/.test(value);
}

/** An address relative to `base` stays relative. */
function cleanAddress(address: string, base?: string): string {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return "";
  }
  if (!["http:", "https:", "file:", "about:"].includes(url.protocol)) return url.protocol;
  if (address.length > LONGEST_ADDRESS) return url.origin + url.pathname.slice(0, LONGEST_ADDRESS);
  const isDirty =
    url.username !== "" || url.password !== "" || hasSecretQuery(url.searchParams) || isSecretFragment(url.hash);
  if (!isDirty) return address;
  url.username = "";
  url.password = "";
  for (const [name, value] of Array.from(url.searchParams)) {
    if (isSecretParameter(name, value)) url.searchParams.delete(name);
  }
  if (isSecretFragment(url.hash)) url.hash = "";
  const isRelative = base !== undefined && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
  return isRelative ? url.pathname + url.search + url.hash : url.href;
}

function hasSecretQuery(parameters: URLSearchParams): boolean {
  return Array.from(parameters).some(([name, value]) => isSecretParameter(name, value));
}

function isSecretParameter(name: string, value: string): boolean {
  return SECRET_NAMES.test(name) || isTokenLike(value);
}

/** Routes of an application stay; parameters in the fragment are judged like those of a query. */
function isSecretFragment(hash: string): boolean {
  const fragment = hash.slice(1);
  const query = fragment.slice(fragment.indexOf("?") + 1);
  return isTokenLike(fragment) || (query.includes("=") && hasSecretQuery(new URLSearchParams(query)));
}

/** Without query and fragment, for frames. */
function bareAddress(address: string): string {
  return cleanAddress(address).split(/[?#]/)[0] ?? "";
}

function ownAddress(): string {
  return cleanAddress(location.href);
}
