// Steps by key and at speed. Everything it does can be done by links as well.
const stage = document.querySelector("[data-stage]");
const steps = [...document.querySelectorAll("article.step")];
const after = document.getElementById("after");
let at = 0;
let playing = null;

function show(place, scroll) {
  at = Math.max(0, Math.min(steps.length - 1, place));
  const number = steps[at].dataset.number;
  steps.forEach((step, index) => step.classList.toggle("chosen", index === at));
  for (const link of document.querySelectorAll("a[data-step]")) {
    if (link.dataset.step === number) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  for (const list of document.querySelectorAll(".strip, .step-list")) {
    const link = list.querySelector("[aria-current]");
    if (!link) continue;
    // Only the list moves, not the page around it.
    list.scrollLeft = link.offsetLeft - list.offsetLeft - list.clientWidth / 2 + link.clientWidth / 2;
    list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  history.replaceState(null, "", `#step-${number}`);
  const next = steps[at + 1]?.querySelector("img");
  if (next) new Image().src = next.src;
  if (scroll) stage.scrollIntoView({ block: "nearest" });
}

function placeOf(hash) {
  const number = /^#step-(\d+)$/.exec(hash)?.[1];
  return steps.findIndex((step) => step.dataset.number === number);
}

function pause() {
  clearTimeout(playing);
  playing = null;
  const button = document.querySelector("[data-do=play]");
  button.textContent = "Play";
  button.setAttribute("aria-pressed", "false");
}

function play() {
  const button = document.querySelector("[data-do=play]");
  button.textContent = "Pause";
  button.setAttribute("aria-pressed", "true");
  const wait = () => {
    const speed = Number(document.querySelector("[data-speed]").value);
    const took = Number(steps[at + 1].dataset.ms) - Number(steps[at].dataset.ms);
    // A step that took no time is still seen, and nobody waits for a slow one.
    return Math.max(250, Math.min(5000, took)) / speed;
  };
  const on = () => {
    if (at + 1 >= steps.length) return pause();
    playing = setTimeout(() => {
      show(at + 1);
      on();
    }, wait());
  };
  if (at + 1 >= steps.length) show(0);
  on();
}

const doings = {
  back: () => (pause(), show(at - 1)),
  on: () => (pause(), show(at + 1)),
  play: () => (playing ? pause() : play()),
};

if (stage && steps.length > 0) {
  stage.classList.add("scripted");
  for (const part of document.querySelectorAll("[data-player]")) part.hidden = false;
  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => doings[button.dataset.do]());
  }
  const linked = placeOf(location.hash);
  const chosen = steps.findIndex((step) => step.classList.contains("chosen"));
  if (linked >= 0) show(linked, true);
  else at = Math.max(0, chosen);
  addEventListener("hashchange", () => {
    const place = placeOf(location.hash);
    if (place >= 0) show(place);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-step]");
    if (!link) return;
    event.preventDefault();
    pause();
    show(placeOf(`#step-${link.dataset.step}`));
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("textarea, select, input:not([type=checkbox], [type=radio])");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const radio = event.target.matches?.("input[type=radio]");
    const key = event.key;
    if (key === "j" || (key === "ArrowRight" && !radio)) doings.on();
    else if (key === "k" || (key === "ArrowLeft" && !radio)) doings.back();
    else if (key === "p") doings.play();
    else if (key === "b" && after) after.checked = !after.checked;
    else return;
    event.preventDefault();
  });
}

// Long texts are fetched when somebody opens them, and shown as text.
for (const details of document.querySelectorAll("details[data-load]")) {
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.loaded) return;
    details.dataset.loaded = "yes";
    const answer = await fetch(details.dataset.load);
    details.querySelector("pre").textContent = answer.ok ? await answer.text() : `${answer.status}`;
  });
}

// Keys of the label page: a digit chooses, s saves.
const choices = document.querySelectorAll("[data-key]");
if (choices.length > 0) {
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("textarea, select, input:not([type=checkbox], [type=radio])");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = [...choices].find((choice) => choice.dataset.key === event.key);
    if (!wanted) return;
    event.preventDefault();
    if (wanted.matches("button")) wanted.click();
    else wanted.checked = true;
    wanted.focus();
  });
}
