// Opens the rest of an article and its comments, and keeps the save and recommend buttons.

const story = document.querySelector("[data-article]");
const id = story.dataset.article;
const rest = document.getElementById("rest");
const list = document.getElementById("comments");
const order = document.getElementById("comment-order");
const more = document.getElementById("more-comments");
let page = 0;

async function post(path) {
  const response = await fetch(path, { method: "POST", keepalive: true });
  return response.json();
}

function drawn(comment) {
  const box = document.createElement("div");
  box.className = "comment";
  const by = document.createElement("p");
  by.className = "byline";
  const name = document.createElement("b");
  name.textContent = comment.reader;
  by.append(name, ` · ${comment.ago}`);
  const text = document.createElement("p");
  text.textContent = comment.text;
  const recommend = document.createElement("button");
  recommend.type = "button";
  recommend.className = "quiet";
  const label = (on, count) => {
    recommend.setAttribute("aria-pressed", String(on));
    recommend.setAttribute("aria-label", `Recommend comment by ${comment.reader}`);
    recommend.textContent = `▲ ${count} recommend`;
  };
  const others = comment.recommendations - Number(comment.recommended);
  label(comment.recommended, comment.recommendations);
  recommend.addEventListener("click", async () => {
    const { recommended } = await post(`/api/comment/${comment.id}/recommend`);
    label(recommended, others + Number(recommended));
  });
  box.append(by, text, recommend);
  return box;
}

async function showComments() {
  page += 1;
  const response = await fetch(`/api/article/${id}/comments?sort=${order.value}&page=${page}`);
  if (!response.ok) return;
  const answer = await response.json();
  list.append(...answer.comments.map(drawn));
  more.hidden = !answer.more;
}

async function open() {
  const response = await fetch(`/api/article/${id}/rest`);
  if (!response.ok) return;
  rest.innerHTML = await response.text();
  await showComments();
}

order.addEventListener("change", () => {
  list.replaceChildren();
  page = 0;
  showComments();
});
more.addEventListener("click", showComments);

const save = document.getElementById("save");
save.addEventListener("click", async () => {
  const { saved } = await post(`/api/article/${id}/save`);
  save.setAttribute("aria-pressed", String(saved));
  save.textContent = saved ? "Saved" : "Save for later";
});

if (document.body.hasAttribute("data-awaits-consent")) document.addEventListener("consent-answered", open);
else open();
