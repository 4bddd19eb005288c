// The small cart in the header, drawn from /api/cart.
const panel = document.getElementById("mini-cart");
const badge = document.getElementById("cart-count");

function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function line(item) {
  const remove = element("button", { type: "button", className: "link-button", textContent: "Remove" });
  remove.setAttribute("aria-label", `Remove ${item.name} from the mini cart`);
  remove.addEventListener("click", async () => {
    draw(await send("/api/cart/remove", { line: item.line }));
  });
  return element(
    "li",
    {},
    element("a", { href: item.url, textContent: item.name }),
    element("span", { className: "muted", textContent: `${item.choice} × ${item.quantity}` }),
    element("span", { className: "mini-price", textContent: item.price }),
    remove,
  );
}

function draw(cart) {
  badge.textContent = cart.count;
  badge.hidden = cart.count === 0;
  if (cart.lines.length === 0) {
    panel.replaceChildren(element("p", { textContent: "Your cart is empty." }));
    return;
  }
  panel.replaceChildren(
    element("ul", {}, ...cart.lines.map(line)),
    element("p", { className: "mini-total" }, element("span", { textContent: "Subtotal" }),
      element("strong", { textContent: cart.subtotal })),
    element("a", { href: "/cart", className: "button secondary", textContent: "View cart" }),
    element("a", { href: "/checkout/address", className: "button", textContent: "Go to checkout" }),
  );
}

async function send(url, body) {
  const options = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(url, options);
  return response.json();
}

draw(await send("/api/cart"));
