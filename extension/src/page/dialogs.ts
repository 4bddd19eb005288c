/** Dialogs of the page, told by the script in its own world, with the person's answer. */

const MOST_DIALOGS = 200;
const ASKS_FOR_SECRET = /passw|passcode|passphrase|\bpin\b|one.?time|secret|token/i;
let dialogs = 0;

function onDialog(told: string): void {
  dialogs += 1;
  if (!isRecording() || dialogs > MOST_DIALOGS || told.length > 10_000) return;
  const { kind, message, accepted, text } = JSON.parse(told) as Record<string, unknown>;
  if (typeof kind !== "string" || typeof message !== "string") return;
  const deed = { do: "dialog" as const, kind, message: tidy(message, LONGEST_NAME), accepted: accepted === true };
  if (typeof text !== "string") {
    reportOnPage(deed);
  } else if (ASKS_FOR_SECRET.test(message)) {
    report({ kind: "secret", id: nextId(), value: text });
    reportOnPage({ ...deed, text: { secret: "password" } });
  } else {
    reportOnPage({ ...deed, text: { text } });
  }
}
