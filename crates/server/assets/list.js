// A window on a long list: rows are fetched as one scrolls to them. Without this script there are pages.
const BLOCK = 100;
const BESIDE = 15;
const list = document.querySelector("[data-list]");
const table = list?.querySelector("table");
if (table) open(list, table);

function open(list, table) {
  const total = Number(list.dataset.total);
  const first = Number(list.dataset.first);
  const body = table.tBodies[0];
  const rows = new Map();
  const asked = new Map();
  let at = -1;
  let walking = Promise.resolve();

  const view = document.createElement("div");
  view.className = "window";
  view.tabIndex = 0;
  view.setAttribute("role", "region");
  view.setAttribute("aria-label", "Attempts");
  table.replaceWith(view);
  view.append(table);
  table.setAttribute("aria-rowcount", total + 1);
  for (const pages of list.querySelectorAll(".pages")) pages.remove();
  take(first, [...body.rows]);
  const height = 32;
  const [above, below] = [document.createElement("tr"), document.createElement("tr")];
  for (const gap of [above, below]) gap.setAttribute("aria-hidden", "true");

  function take(from, elements) {
    elements.forEach((element, index) => {
      element.setAttribute("aria-rowindex", from + index + 2);
      rows.set(from + index, element);
    });
  }

  function waiting(index) {
    const row = document.createElement("tr");
    row.setAttribute("aria-rowindex", index + 2);
    row.insertCell().textContent = "…";
    return row;
  }

  // Whoever asks for what is on its way waits for it.
  function fetchBlock(from) {
    if (!asked.has(from)) asked.set(from, fetchRows(from));
    return asked.get(from);
  }

  async function fetchRows(from) {
    try {
      const answer = await fetch(`${list.dataset.list}&from=${from}&count=${BLOCK}`);
      if (!answer.ok) throw new Error(answer.status);
      const made = document.createElement("template");
      // Made by the same code as the page itself, with everything foreign escaped.
      made.innerHTML = await answer.text();
      take(from, [...made.content.children]);
      show();
    } catch {
      // Asked again when somebody scrolls there again.
      asked.delete(from);
    }
  }

  function show() {
    const from = Math.max(0, Math.floor(view.scrollTop / height) - BESIDE);
    const to = Math.min(total, Math.ceil((view.scrollTop + view.clientHeight) / height) + BESIDE);
    const shown = [];
    for (let index = from; index < to; index += 1) {
      if (!rows.has(index)) fetchBlock(Math.floor(index / BLOCK) * BLOCK);
      shown.push(rows.get(index) ?? waiting(index));
    }
    above.style.height = `${from * height}px`;
    below.style.height = `${(total - to) * height}px`;
    place([above, ...shown, below]);
    view.dataset.from = from;
    view.dataset.to = to;
  }

  // Rows that stay are not touched, and none goes before all have come: taking out the one with the focus lays the table out
  // at once, and while there is less of it the place scrolled to is lost.
  function place(wanted) {
    const keeps = new Set(wanted);
    let next = body.firstChild;
    for (const row of wanted) {
      while (next && !keeps.has(next)) next = next.nextSibling;
      if (row === next) next = next.nextSibling;
      else body.insertBefore(row, next);
    }
    for (const row of [...body.children]) if (!keeps.has(row)) row.remove();
  }

  async function walk(by) {
    for (let next = at + by; next >= 0 && next < total; next += by) {
      if (!rows.has(next)) await fetchBlock(Math.floor(next / BLOCK) * BLOCK);
      if (!rows.has(next)) return;
      const link = rows.get(next).querySelector("[data-row]");
      if (!link) continue;
      at = next;
      const top = next * height;
      const head = table.tHead.offsetHeight;
      if (top < view.scrollTop) view.scrollTop = top;
      else if (top + height + head > view.scrollTop + view.clientHeight) view.scrollTop = top + height + head - view.clientHeight;
      show();
      link.focus({ preventScroll: true });
      return;
    }
  }

  view.addEventListener("scroll", () => requestAnimationFrame(show));
  view.addEventListener("focusin", (event) => {
    const index = event.target.closest("tr")?.getAttribute("aria-rowindex");
    if (index) at = Number(index) - 2;
  });
  addEventListener(
    "keydown",
    (event) => {
      const typing = event.target.closest?.("input, textarea, select");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "j" && event.key !== "k") return;
      // The list's own keys go before those of lists that are there as a whole.
      event.preventDefault();
      event.stopImmediatePropagation();
      // One step after the other, however fast the key repeats.
      walking = walking.then(() => walk(event.key === "j" ? 1 : -1));
    },
    true,
  );
  view.scrollTop = first * height;
  at = first - 1;
  show();
}
