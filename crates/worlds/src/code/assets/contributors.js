// Draws the contributors from their data: a bar each, relative to the busiest.

const list = document.querySelector("#contributors");
const { contributors } = await (await fetch(list.dataset.source)).json();
const most = Math.max(1, ...contributors.map((person) => person.commits));

for (const person of contributors) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `/${person.username}`;
  link.textContent = person.username;
  const name = document.createElement("strong");
  name.textContent = person.name;
  const count = document.createElement("span");
  count.className = "commits-count";
  count.textContent = `${person.commits} commit${person.commits === 1 ? "" : "s"}`;
  const bar = document.createElement("div");
  bar.className = "bar";
  bar.style.width = `${(100 * person.commits) / most}%`;
  const span = document.createElement("p");
  span.className = "muted";
  span.textContent = `${person.first} to ${person.latest}`;
  item.append(name, " ", link, count, bar, span);
  list.append(item);
}
list.setAttribute("aria-busy", "false");
