/** Which fields hold what must never be written. */

const SECRET_AUTOCOMPLETE = /^(current-password|new-password|one-time-code|cc-.+)$/;
const SECRET_FIELD_NAMES = /passw|passwd|\bpwd\b|passphrase|passcode|\botp\b|one.?time|\bcvv\b|\bcvc\b|captcha|csrf|xsrf/i;

/** Fields that were a password at some time, whatever a "show password" button made of them. */
const onceSecret = new WeakSet<Element>();

function watchPasswords(root: Document | ShadowRoot): void {
  const observer = new MutationObserver((changes) => {
    for (const { target, oldValue } of changes) {
      if (oldValue?.trim().toLowerCase() === "password" && target instanceof Element) onceSecret.add(target);
    }
  });
  observer.observe(root, { subtree: true, attributeFilter: ["type"], attributeOldValue: true });
}

/** The name under which the vault keeps what belongs into this field; nothing if it is an ordinary one. */
function secretKind(field: Element): string | undefined {
  const autocomplete = field.getAttribute("autocomplete")?.toLowerCase().split(/\s+/).find((token) => SECRET_AUTOCOMPLETE.test(token));
  if (autocomplete === "one-time-code") return "one-time-code";
  if (autocomplete?.startsWith("cc-")) return autocomplete;
  const names = `${field.id} ${field.getAttribute("name") ?? ""}`.replace(/[_-]/g, " ");
  const isSecret =
    inputType(field) === "password" ||
    onceSecret.has(field) ||
    autocomplete !== undefined ||
    SECRET_FIELD_NAMES.test(names) ||
    isMasked(field);
  if (!isSecret) return undefined;
  onceSecret.add(field);
  return "password";
}

/** Letters drawn as dots without being a password field. */
function isMasked(field: Element): boolean {
  const style = getComputedStyle(field).getPropertyValue("-webkit-text-security");
  return style !== "" && style !== "none";
}
