// Native dialogs: opened by a button with `data-dialog`, closed by one with `data-close`.
for (const button of document.querySelectorAll("[data-dialog]")) {
  button.addEventListener("click", () => document.getElementById(button.dataset.dialog).showModal());
}
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}

// The newsletter invitation comes up by itself, once a session.
const invitation = document.getElementById("newsletter-invitation");
if (invitation && !document.cookie.includes("invited=1")) {
  invitation.addEventListener("close", () => {
    document.cookie = "invited=1; path=/; samesite=lax";
  });
  invitation.showModal();
}
