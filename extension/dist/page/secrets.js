"use strict";
const SECRET_AUTOCOMPLETE = /^(current-password|new-password|one-time-code|cc-.+)$/;
const SECRET_FIELD_NAMES = /passw|passwd|\bpwd\b|passphrase|passcode|\botp\b|one.?time|\bcvv\b|\bcvc\b|captcha|csrf|xsrf/i;
const onceSecret = new WeakSet();
function watchPasswords(root) {
    const observer = new MutationObserver((changes) => {
        for (const { target, oldValue } of changes) {
            if (oldValue?.trim().toLowerCase() === "password" && target instanceof Element)
                onceSecret.add(target);
        }
    });
    observer.observe(root, { subtree: true, attributeFilter: ["type"], attributeOldValue: true });
}
function secretKind(field) {
    const autocomplete = field.getAttribute("autocomplete")?.toLowerCase().split(/\s+/).find((token) => SECRET_AUTOCOMPLETE.test(token));
    if (autocomplete === "one-time-code")
        return "one-time-code";
    if (autocomplete?.startsWith("cc-"))
        return autocomplete;
    const names = `${field.id} ${field.getAttribute("name") ?? ""}`.replace(/[_-]/g, " ");
    const isSecret = inputType(field) === "password" ||
        onceSecret.has(field) ||
        autocomplete !== undefined ||
        SECRET_FIELD_NAMES.test(names) ||
        isMasked(field);
    if (!isSecret)
        return undefined;
    onceSecret.add(field);
    return "password";
}
function isMasked(field) {
    const style = getComputedStyle(field).getPropertyValue("-webkit-text-security");
    return style !== "" && style !== "none";
}
