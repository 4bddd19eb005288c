"use strict";
const LONGEST_ADDRESS = 2000;
const SECRET_NAMES = /token|secret|session|passw|passwd|pwd|auth|nonce|csrf|xsrf|signature|ticket|credential|api[-_]?key|^(sid|sig|key|code|state|jwt|otp|hash|pw|pass|assertion|samlresponse)$/i;
function isTokenLike(value) {
    if (/^eyJ[\w-]+\.[\w-]+/.test(value))
        return true;
    if (value.length < 20 || /\s/.test(value))
        return false;
    if (/^[0-9a-f]{20,}$/i.test(value))
        return true;
    return /^[\w+/=.~-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !/[a-z]{8,}/.test(value);
}
function cleanAddress(address, base) {
    let url;
    try {
        url = new URL(address, base);
    }
    catch {
        return "";
    }
    if (!["http:", "https:", "file:", "about:"].includes(url.protocol))
        return url.protocol;
    if (address.length > LONGEST_ADDRESS)
        return url.origin + url.pathname.slice(0, LONGEST_ADDRESS);
    const isDirty = url.username !== "" || url.password !== "" || hasSecretQuery(url.searchParams) || isSecretFragment(url.hash);
    if (!isDirty)
        return address;
    url.username = "";
    url.password = "";
    for (const [name, value] of Array.from(url.searchParams)) {
        if (isSecretParameter(name, value))
            url.searchParams.delete(name);
    }
    if (isSecretFragment(url.hash))
        url.hash = "";
    const isRelative = base !== undefined && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
    return isRelative ? url.pathname + url.search + url.hash : url.href;
}
function hasSecretQuery(parameters) {
    return Array.from(parameters).some(([name, value]) => isSecretParameter(name, value));
}
function isSecretParameter(name, value) {
    return SECRET_NAMES.test(name) || isTokenLike(value);
}
function isSecretFragment(hash) {
    const fragment = hash.slice(1);
    const query = fragment.slice(fragment.indexOf("?") + 1);
    return isTokenLike(fragment) || (query.includes("=") && hasSecretQuery(new URLSearchParams(query)));
}
function bareAddress(address) {
    return cleanAddress(address).split(/[?#]/)[0] ?? "";
}
function ownAddress() {
    return cleanAddress(location.href);
}
