// Gallery, quantity, price by size, tabs, and the reviews, which are fetched when their tab is opened.
const main = document.getElementById("gallery-main");
for (const thumb of document.querySelectorAll("[data-view]")) {
  thumb.addEventListener("click", () => {
    main.replaceChildren(thumb.querySelector("svg").cloneNode(true));
    document.querySelectorAll("[data-view]").forEach((other) =>
      other.setAttribute("aria-pressed", String(other === thumb)));
  });
}

const quantity = document.getElementById("quantity");
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => {
    const next = Number(quantity.value || 1) + Number(button.dataset.step);
    quantity.value = Math.min(Number(quantity.max), Math.max(Number(quantity.min), next));
  });
}

const size = document.getElementById("size");
size?.addEventListener("change", () => {
  document.getElementById("price").textContent = size.selectedOptions[0].dataset.price;
});

const tabs = [...document.querySelectorAll("[role=tab]")];
function choose(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (tab.id === "tab-reviews") firstReviews();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step) % tabs.length];
    choose(next);
    next.focus();
  });
}

const list = document.getElementById("review-list");
const more = document.getElementById("more-reviews");
const state = document.getElementById("review-state");
let page = 0;

function review(item) {
  const article = document.createElement("article");
  article.className = "review";
  const title = Object.assign(document.createElement("h3"), { textContent: item.title });
  const stars = Object.assign(document.createElement("span"), {
    className: "stars",
    textContent: "★".repeat(item.stars) + "☆".repeat(5 - item.stars),
  });
  stars.setAttribute("role", "img");
  stars.setAttribute("aria-label", `${item.stars} out of 5 stars`);
  const by = Object.assign(document.createElement("p"), {
    className: "muted",
    textContent: `${item.author}, ${item.date}`,
  });
  const text = Object.assign(document.createElement("p"), { textContent: item.text });
  article.append(stars, title, by, text);
  return article;
}

async function nextReviews() {
  page += 1;
  const response = await fetch(`/api/products/${list.dataset.product}/reviews?page=${page}`);
  const batch = await response.json();
  list.append(...batch.reviews.map(review));
  state.textContent = batch.total
    ? `Showing ${list.children.length} of ${batch.total} reviews.`
    : "There are no reviews yet.";
  more.hidden = !batch.more;
}

function firstReviews() {
  if (page === 0) nextReviews();
}

more.addEventListener("click", nextReviews);
if (location.hash === "#reviews") choose(document.getElementById("tab-reviews"));
