// Offers completions under every field with `data-suggest`, whose value is the address that knows them. Choosing one
// fills the field, and sends its form if the field has `data-suggest-send`.

for (const [index, field] of document.querySelectorAll("[data-suggest]").entries()) {
  const box = document.createElement("ul");
  box.className = "suggestions";
  box.id = `suggestions-${index}`;
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Suggestions");
  box.hidden = true;
  field.insertAdjacentElement("afterend", box);
  field.setAttribute("aria-controls", box.id);
  let timer;

  const options = () => [...box.children];
  const choose = (text) => {
    field.value = text;
    box.hidden = true;
    if (field.hasAttribute("data-suggest-send")) field.form.requestSubmit();
  };

  async function offer() {
    const typed = field.value;
    const answer = await fetch(`${field.dataset.suggest}?q=${encodeURIComponent(typed)}`);
    const texts = await answer.json();
    box.replaceChildren(...texts.map((text) => {
      const option = document.createElement("li");
      option.setAttribute("role", "option");
      option.textContent = text;
      // Before the field loses the focus, and the box with it.
      option.addEventListener("mousedown", (event) => { event.preventDefault(); choose(text); });
      return option;
    }));
    // Nothing is left to complete once a name stands there in full.
    box.hidden = texts.length === 0 || texts.includes(typed) || document.activeElement !== field;
  }

  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(offer, 120); });
  field.addEventListener("blur", () => { clearTimeout(timer); box.hidden = true; });
  field.addEventListener("keydown", (event) => {
    if (box.hidden) return;
    const at = options().findIndex((option) => option.ariaSelected === "true");
    if (event.key === "Escape") box.hidden = true;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = Math.max(0, Math.min(options().length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
      options().forEach((option, index) => { option.ariaSelected = String(index === next); });
    }
    if (event.key === "Enter" && at >= 0) { event.preventDefault(); choose(options()[at].textContent); }
  });
}
