// Looks people up by name: lists on search pages, and the hint under a recipient field.

async function lookUp(text) {
  const response = await fetch(`/api/people?${new URLSearchParams({ q: text })}`);
  return (await response.json()).people;
}

for (const list of document.querySelectorAll("[data-people]")) {
  const people = await lookUp(list.dataset.people);
  const entries = people.map((person) => {
    const entry = document.createElement("li");
    const picture = document.createElement("img");
    Object.assign(picture, { src: `/img/u/${person.name}.svg`, alt: "", width: 22, height: 22 });
    const link = document.createElement("a");
    link.href = `/u/${person.name}`;
    link.textContent = person.name;
    const bio = document.createElement("span");
    bio.className = "muted";
    bio.textContent = person.bio;
    entry.append(picture, link, bio);
    return entry;
  });
  if (entries.length === 0) {
    const nobody = document.createElement("li");
    nobody.className = "muted";
    nobody.textContent = "Nobody of that name.";
    entries.push(nobody);
  }
  list.replaceChildren(...entries);
}

const recipient = document.querySelector("[data-recipient]");
if (recipient) {
  const hint = document.getElementById(recipient.getAttribute("aria-describedby"));
  let asked = 0;
  const check = async () => {
    const name = recipient.value.trim();
    if (!name) return;
    const turn = ++asked;
    const people = await lookUp(name);
    if (turn !== asked) return;
    const names = people.map((person) => person.name);
    if (names.includes(name)) hint.textContent = `${name} will get this message.`;
    else if (names.length) hint.textContent = `Did you mean ${names.join(", ")}?`;
    else hint.textContent = `There is nobody called ${name} on Thicket.`;
  };
  recipient.addEventListener("input", check);
  check();
}
