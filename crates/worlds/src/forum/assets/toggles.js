// Vote, save and subscribe buttons: send the new value, then show what the server made of it.

async function send(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status === 401) location.assign("/signin");
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function complain(error) {
  const note = document.createElement("div");
  note.className = "problem";
  note.setAttribute("role", "alert");
  note.textContent = error.message;
  document.getElementById("main").prepend(note);
}

async function vote(button) {
  const box = button.closest(".votes");
  const wanted = button.getAttribute("aria-pressed") === "true" ? 0 : Number(button.dataset.value);
  const answer = await send("/api/vote", { [box.dataset.kind]: Number(box.dataset.id), value: wanted });
  for (const arrow of box.querySelectorAll("button")) {
    arrow.setAttribute("aria-pressed", String(Number(arrow.dataset.value) === answer.vote));
  }
  box.querySelector(".score").textContent = answer.score;
}

async function save(button) {
  const wanted = button.getAttribute("aria-pressed") !== "true";
  const answer = await send("/api/save", { post: Number(button.dataset.post), saved: wanted });
  button.setAttribute("aria-pressed", String(answer.saved));
  button.textContent = answer.saved ? "Saved" : "Save";
}

async function subscribe(button) {
  const wanted = button.getAttribute("aria-pressed") !== "true";
  const answer = await send("/api/subscribe", { community: button.dataset.community, subscribed: wanted });
  const verb = answer.subscribed ? "Unsubscribe from" : "Subscribe to";
  button.setAttribute("aria-pressed", String(answer.subscribed));
  button.setAttribute("aria-label", `${verb} ${button.dataset.name}`);
  button.textContent = answer.subscribed ? "Subscribed" : "Subscribe";
  const members = document.querySelector("dd.members");
  if (members) members.textContent = answer.members.toLocaleString("en-US");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.matches(".votes button")) vote(button).catch(complain);
  else if (button.matches(".save")) save(button).catch(complain);
  else if (button.matches(".subscribe")) subscribe(button).catch(complain);
});
