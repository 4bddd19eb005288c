// Reply and edit forms open under their comment.

document.addEventListener("click", (event) => {
  const button = event.target.closest(".comment button[aria-controls]");
  if (!button) return;
  const form = document.getElementById(button.getAttribute("aria-controls"));
  form.hidden = !form.hidden;
  button.setAttribute("aria-expanded", String(!form.hidden));
  if (!form.hidden) form.querySelector("textarea").focus();
});
