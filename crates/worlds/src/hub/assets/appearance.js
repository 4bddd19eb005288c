// The appearance page: web components inside web components, all with open shadow roots.
// A control announces a choice with a composed `choose` event; the page element saves it.

const SHARED = `
  :host { display: block; }
  .row { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .7rem 0; }
  .label { font-weight: 600; }
  .hint { display: block; font-weight: 400; font-size: .85rem; color: var(--quiet); }
`;

class OrreryPanel extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${SHARED}
      section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1rem 1.4rem; margin-bottom: 1.2rem; }
      h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
      ::slotted(*) { border-top: 1px solid var(--line); }
    </style><section><h2></h2><slot></slot></section>`;
    root.querySelector("h2").textContent = this.getAttribute("heading");
  }
}

class OrreryControl extends HTMLElement {
  get name() {
    return this.getAttribute("name");
  }

  get label() {
    return this.getAttribute("label");
  }

  choose(value) {
    const detail = { name: this.name, value };
    this.dispatchEvent(new CustomEvent("choose", { detail, bubbles: true, composed: true }));
  }
}

class OrreryToggle extends OrreryControl {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${SHARED}
      .knob { position: relative; width: 46px; height: 26px; border-radius: 13px; background: var(--off); cursor: pointer; }
      .knob::after { content: ""; position: absolute; top: 3px; left: 3px; width: 20px; height: 20px; border-radius: 50%; background: #fff; }
      .knob[aria-checked="true"] { background: var(--accent); }
      .knob[aria-checked="true"]::after { left: 23px; }
      .knob:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    </style><div class="row"><span class="label"><span></span><span class="hint"></span></span><div class="knob" role="switch" tabindex="0"></div></div>`;
    root.querySelector(".label span").textContent = this.label;
    root.querySelector(".hint").textContent = this.getAttribute("hint");
    this.knob = root.querySelector(".knob");
    this.knob.setAttribute("aria-label", this.label);
    this.knob.addEventListener("click", () => this.choose(this.knob.getAttribute("aria-checked") !== "true"));
    this.knob.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      this.knob.click();
    });
  }

  show(value) {
    this.knob.setAttribute("aria-checked", String(value));
  }
}

class OrreryListbox extends OrreryControl {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${SHARED}
      .holder { position: relative; }
      button { font: inherit; min-width: 11rem; text-align: left; padding: .5rem .9rem; border-radius: 9px; border: 1px solid var(--line-strong); background: var(--card); color: inherit; cursor: pointer; }
      button::after { content: "▾"; float: right; }
      ul { position: absolute; right: 0; z-index: 5; margin: .2rem 0 0; padding: .3rem; list-style: none; min-width: 11rem; background: var(--card); border: 1px solid var(--line-strong); border-radius: 9px; box-shadow: 0 8px 24px rgb(0 0 0 / .15); }
      li { padding: .45rem .7rem; border-radius: 6px; cursor: pointer; }
      li:hover, li[aria-selected="true"] { background: var(--tint); }
    </style><div class="row"><span class="label"></span><div class="holder"><button type="button" aria-haspopup="listbox" aria-expanded="false"></button><ul role="listbox" hidden></ul></div></div>`;
    root.querySelector(".label").textContent = this.label;
    this.button = root.querySelector("button");
    this.list = root.querySelector("ul");
    this.list.setAttribute("aria-label", this.label);
    for (const choice of this.getAttribute("choices").split(" ")) {
      const option = document.createElement("li");
      option.setAttribute("role", "option");
      option.tabIndex = -1;
      option.dataset.value = choice.toLowerCase();
      option.textContent = choice;
      option.addEventListener("click", () => {
        this.open(false);
        this.choose(option.dataset.value);
      });
      this.list.append(option);
    }
    this.button.addEventListener("click", () => this.open(this.list.hidden));
    document.addEventListener("click", (event) => {
      if (!event.composedPath().includes(this)) this.open(false);
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.open(false);
    });
  }

  open(open) {
    this.list.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }

  show(value) {
    for (const option of this.list.children) {
      const chosen = option.dataset.value === value;
      option.setAttribute("aria-selected", String(chosen));
      if (chosen) {
        this.button.textContent = option.textContent;
        this.button.setAttribute("aria-label", `${this.label}: ${option.textContent}`);
      }
    }
  }
}

class OrrerySlider extends OrreryControl {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${SHARED}
      .track { position: relative; width: 14rem; height: 26px; cursor: pointer; }
      .track::before { content: ""; position: absolute; inset: 11px 0; border-radius: 2px; background: var(--line-strong); }
      .thumb { position: absolute; top: 2px; width: 22px; height: 22px; margin-left: -11px; border-radius: 50%; background: var(--accent); }
      .thumb:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
      output { display: inline-block; width: 4rem; text-align: right; font-variant-numeric: tabular-nums; }
      .side { display: flex; align-items: center; }
    </style><div class="row"><span class="label"></span><div class="side"><div class="track"><div class="thumb" role="slider" tabindex="0"></div></div><output></output></div></div>`;
    root.querySelector(".label").textContent = this.label;
    this.thumb = root.querySelector(".thumb");
    this.output = root.querySelector("output");
    [this.min, this.max, this.step] = ["min", "max", "step"].map((name) => Number(this.getAttribute(name)));
    this.thumb.setAttribute("aria-label", this.label);
    this.thumb.setAttribute("aria-valuemin", this.min);
    this.thumb.setAttribute("aria-valuemax", this.max);
    const track = root.querySelector(".track");
    track.addEventListener("click", (event) => {
      // A click on the thumb only focuses it; otherwise aiming at it would move it.
      if (event.target === this.thumb) return;
      const box = track.getBoundingClientRect();
      this.moveTo(this.min + ((event.clientX - box.left) / box.width) * (this.max - this.min));
    });
    this.thumb.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 2, PageDown: -2 };
      if (event.key === "Home") this.moveTo(this.min);
      else if (event.key === "End") this.moveTo(this.max);
      else if (event.key in steps) this.moveTo(this.value + steps[event.key] * this.step);
      else return;
      event.preventDefault();
    });
  }

  moveTo(value) {
    const stepped = Math.round(value / this.step) * this.step;
    const next = Math.min(this.max, Math.max(this.min, stepped));
    // Shown at once, so that quick key presses add up while the first one is still being saved.
    this.show(next);
    this.choose(next);
  }

  show(value) {
    this.value = value;
    this.thumb.style.left = `${((value - this.min) / (this.max - this.min)) * 100}%`;
    this.thumb.setAttribute("aria-valuenow", value);
    this.thumb.setAttribute("aria-valuetext", `${value} %`);
    this.output.textContent = `${value} %`;
  }
}

class OrreryAppearance extends HTMLElement {
  async connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `
      <orrery-panel heading="Colours and text">
        <orrery-listbox name="theme" label="Theme" choices="System Light Dark Sepia"></orrery-listbox>
        <orrery-slider name="text_size" label="Text size" min="80" max="160" step="10"></orrery-slider>
        <orrery-toggle name="underline_links" label="Underline links" hint="Makes links easier to tell from text."></orrery-toggle>
      </orrery-panel>
      <orrery-panel heading="Movement and density">
        <orrery-toggle name="reduce_motion" label="Reduce motion" hint="Leaves out animations and parallax."></orrery-toggle>
        <orrery-toggle name="autoplay_previews" label="Autoplay previews" hint="Plays videos when you point at them."></orrery-toggle>
        <orrery-toggle name="compact_lists" label="Compact lists" hint="Shows more rows on a screen."></orrery-toggle>
      </orrery-panel>`;
    root.addEventListener("choose", (event) => this.save(event.detail));
    this.saving = Promise.resolve();
    const response = await fetch(this.getAttribute("src"));
    this.show(await response.json());
  }

  show(values) {
    for (const control of this.shadowRoot.querySelectorAll("[name]")) control.show(values[control.name]);
    document.documentElement.dataset.theme = values.theme;
  }

  // One after the other: the last choice must also be the last to arrive.
  save(choice) {
    this.saving = this.saving.then(async () => {
      const response = await fetch(this.getAttribute("src"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(choice),
      });
      if (!response.ok) {
        toast("That could not be saved. Please try again.");
        return;
      }
      const values = await response.json();
      this.shadowRoot.querySelector(`[name="${choice.name}"]`).show(values[choice.name]);
      document.documentElement.dataset.theme = values.theme;
      toast("Saved.");
    });
  }
}

customElements.define("orrery-panel", OrreryPanel);
customElements.define("orrery-toggle", OrreryToggle);
customElements.define("orrery-listbox", OrreryListbox);
customElements.define("orrery-slider", OrrerySlider);
customElements.define("orrery-appearance", OrreryAppearance);
