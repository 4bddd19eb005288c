// Fetches log entries and draws them as a table, with paging where there is room for it.

function cell(row, text) {
  const td = document.createElement("td");
  td.textContent = text;
  row.append(td);
}

function table(entries) {
  const table = document.createElement("table");
  table.className = "list";
  const header = table.createTHead().insertRow();
  for (const name of ["Time", "Event", "Details", "Place"]) {
    const th = document.createElement("th");
    th.textContent = name;
    header.append(th);
  }
  const body = table.createTBody();
  for (const entry of entries) {
    const row = body.insertRow();
    for (const text of [entry.at, entry.kind, entry.detail, entry.place]) cell(row, text);
  }
  return table;
}

function pager(holder, data) {
  const nav = document.createElement("nav");
  nav.className = "pager";
  nav.setAttribute("aria-label", "Pages");
  const turn = (label, page, possible) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.disabled = !possible;
    button.addEventListener("click", () => load(holder, page));
    return button;
  };
  const where = document.createElement("span");
  where.textContent = `Page ${data.page} of ${data.pages} · ${data.total} events`;
  nav.append(turn("Newer", data.page - 1, data.page > 1), where, turn("Older", data.page + 1, data.page < data.pages));
  return nav;
}

async function load(holder, page) {
  const query = new URLSearchParams({ kind: holder.dataset.kind ?? "", page });
  holder.setAttribute("aria-busy", "true");
  const response = await fetch(`/api/activity?${query}`);
  if (!response.ok) {
    holder.textContent = "The log could not be loaded.";
    return;
  }
  const data = await response.json();
  const compact = holder.dataset.activity === "compact";
  holder.replaceChildren(table(compact ? data.entries.slice(0, 5) : data.entries));
  if (!compact) holder.append(pager(holder, data));
  holder.setAttribute("aria-busy", "false");
}

for (const holder of document.querySelectorAll("[data-activity]")) load(holder, holder.dataset.page ?? "1");
