// "Load more posts": fetches the next posts as JSON and builds their cards.

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function votes(post) {
  const arrow = (direction, value, label, sign) =>
    element("button", {
      class: direction,
      type: "button",
      "data-value": value,
      "aria-pressed": String(post.vote === value),
      "aria-label": `${label} ${post.title}`,
    }, sign);
  return element("div", { class: "votes", "data-kind": "post", "data-id": post.id },
    arrow("up", 1, "Upvote", "▲"),
    element("span", { class: "score" }, String(post.score)),
    arrow("down", -1, "Downvote", "▼"));
}

function card(post) {
  const icon = element("img", { src: `/img/c/${post.community.slug}.svg`, alt: "", width: 18, height: 18 });
  const main = element("div", { class: "card-main" },
    element("p", { class: "meta" },
      element("a", { class: "community", href: `/c/${post.community.slug}` }, icon, post.community.name),
      element("span", {}, "Posted by ",
        element("a", { class: "person", href: `/u/${post.author}` }, post.author), " ",
        element("time", { datetime: post.at, title: post.day }, post.ago)),
      post.locked ? element("span", { class: "tag" }, "Locked") : null),
    element("h3", { id: `title-${post.id}` }, element("a", { href: post.path }, post.title)),
    post.flair ? element("span", { class: "flair" }, post.flair) : null,
    post.domain ? element("span", { class: "domain" }, `${post.domain} ↗`) : null,
    post.excerpt ? element("p", { class: "excerpt" }, post.excerpt) : null,
    element("p", { class: "actions" },
      element("a", { href: `${post.path}#comments` }, post.comments),
      element("button", {
        class: "quiet save",
        type: "button",
        "data-post": post.id,
        "aria-pressed": String(post.saved),
        "aria-label": `Save ${post.title}`,
      }, post.saved ? "Saved" : "Save")));
  const thumb = post.picture
    ? element("img", { class: "thumb", src: `/img/post/${post.id}.svg`, alt: "", width: 112, height: 84 })
    : null;
  return element("article", { class: "card", "aria-labelledby": `title-${post.id}` }, votes(post), main, thumb);
}

const button = document.getElementById("load-more");
button?.addEventListener("click", async () => {
  button.disabled = true;
  const { scope, sort, period, offset } = button.dataset;
  const query = new URLSearchParams({ scope, sort, t: period, offset });
  const answer = await (await fetch(`/api/feed?${query}`)).json();
  document.getElementById("posts").append(...answer.posts.map(card));
  if (answer.next === null) {
    button.remove();
  } else {
    button.dataset.offset = answer.next;
    button.disabled = false;
  }
});
