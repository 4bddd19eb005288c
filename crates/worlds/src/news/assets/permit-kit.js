// A consent dialog that lives in the shadow root of its own element, out of the page's reach.

const STYLE = `
  .veil { position: fixed; inset: 0; background: rgb(10 12 20 / .62); z-index: 900; display: grid; place-items: center;
    font: 15px/1.5 "DejaVu Sans", system-ui, sans-serif; color: #1c2333; }
  .box { background: #fff; border-radius: 18px; padding: 28px 32px; width: min(560px, 92vw); box-shadow: 0 24px 60px rgb(0 0 0 / .4); }
  h2 { margin: 0 0 10px; font-size: 1.3rem; }
  p { margin: 0 0 16px; }
  .row { display: flex; justify-content: space-between; gap: 18px; align-items: center; padding: 9px 0; border-top: 1px solid #e6e8ef; }
  .row small { display: block; color: #667; }
  [role="switch"] { flex: none; width: 46px; height: 26px; border-radius: 13px; border: 0; background: #b9c0d0; position: relative; cursor: pointer; }
  [role="switch"]::after { content: ""; position: absolute; top: 3px; left: 3px; width: 20px; height: 20px; border-radius: 50%; background: #fff; }
  [role="switch"][aria-checked="true"] { background: #3457d5; }
  [role="switch"][aria-checked="true"]::after { left: 23px; }
  .buttons { display: flex; gap: 10px; justify-content: flex-end; margin-top: 18px; }
  .buttons button { font: inherit; padding: 10px 20px; border-radius: 999px; border: 1px solid #b9c0d0; background: #fff; cursor: pointer; }
  .buttons .loud { background: #3457d5; border-color: #3457d5; color: #fff; }
  [hidden] { display: none !important; }
`;

class PermitKit extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const make = (tag, properties = {}, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    const purposes = JSON.parse(this.dataset.purposes).map(([id, label, detail]) => {
      const control = make("button", { type: "button", role: "switch", ariaChecked: "true", ariaLabel: label });
      control.addEventListener("click", () => {
        control.ariaChecked = String(control.ariaChecked !== "true");
      });
      const text = make("span", {}, make("b", { textContent: label }), make("small", { textContent: detail }));
      return { id, control, row: make("div", { className: "row" }, text, control) };
    });
    const answer = (allows) => {
      window.answerConsent(Object.fromEntries(purposes.map(({ id, control }) => [id, allows(control)])));
      this.remove();
    };
    const button = (textContent, className, onclick) => make("button", { type: "button", textContent, className, onclick });
    const second = make(
      "div",
      { hidden: true },
      ...purposes.map(({ row }) => row),
      make(
        "div",
        { className: "buttons" },
        button("Object to all", "", () => answer(() => false)),
        button("Confirm choices", "loud", () => answer((control) => control.ariaChecked === "true")),
      ),
    );
    const first = make("div", { className: "buttons" });
    first.append(
      button("More options", "", () => {
        first.hidden = true;
        second.hidden = false;
      }),
      button("Agree and continue", "loud", () => answer(() => true)),
    );
    const words =
      "We and our partners rely on consent or on legitimate interest to process what you read here. Articles open in full once you have decided.";
    const box = make("div", { className: "box", role: "dialog", ariaLabel: "Privacy settings" });
    box.append(make("h2", { textContent: "Your reading, your rules" }), make("p", { textContent: words }), first, second);
    root.append(make("style", { textContent: STYLE }), make("div", { className: "veil" }, box));
    document.body.classList.add("locked");
  }
}

customElements.define("permit-kit", PermitKit);
