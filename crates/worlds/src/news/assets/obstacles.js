// What pops up, one after another: the cookie question, an advertisement, a newsletter offer.

const NEWSLETTER_DELAY = 900;
const ADVERT_SECONDS = 2;
const byId = (id) => document.getElementById(id);

async function send(path, body) {
  return fetch(path, {
    method: "POST",
    keepalive: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function consentAnswered() {
  document.body.classList.remove("locked");
  document.body.removeAttribute("data-awaits-consent");
  document.dispatchEvent(new Event("consent-answered"));
  advertise();
}

async function answerConsent(purposes) {
  await send("/api/consent", { purposes });
  consentAnswered();
}
window.answerConsent = answerConsent;

function wireBanner(banner) {
  const boxes = [...banner.querySelectorAll("input")];
  const answer = async (allows) => {
    banner.remove();
    await answerConsent(Object.fromEntries(boxes.map((box) => [box.name, allows(box)])));
  };
  byId("consent-accept").addEventListener("click", () => answer(() => true));
  byId("consent-reject").addEventListener("click", () => answer(() => false));
  byId("consent-save").addEventListener("click", () => answer((box) => box.checked));
  byId("consent-manage").addEventListener("click", () => {
    byId("consent-purposes").hidden = false;
    byId("consent-save").hidden = false;
    byId("consent-manage").hidden = true;
  });
}

function wireFrame(frame) {
  const origin = new URL(frame.src).origin;
  document.body.classList.add("locked");
  window.addEventListener("message", (event) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data.type !== "choices-saved") return;
    frame.remove();
    consentAnswered();
  });
}

function advertise() {
  const advert = byId("advert");
  if (!advert) return offerNewsletter();
  const wait = byId("advert-wait");
  advert.hidden = false;
  document.body.classList.add("locked");
  let left = ADVERT_SECONDS;
  const tick = () => {
    if (left > 0) {
      wait.textContent = `You can continue to the Ledger in ${left} s`;
      left -= 1;
      setTimeout(tick, 1000);
      return;
    }
    const leave = document.createElement("button");
    leave.type = "button";
    leave.className = "advert-leave";
    leave.textContent = "Skip advertisement";
    leave.addEventListener("click", () => {
      send("/api/advert", {});
      advert.remove();
      document.body.classList.remove("locked");
      offerNewsletter();
    });
    wait.replaceChildren(leave);
  };
  tick();
}

function offerNewsletter() {
  const dialog = byId("newsletter");
  if (!dialog) return;
  setTimeout(() => {
    dialog.hidden = false;
    document.body.classList.add("locked");
  }, NEWSLETTER_DELAY);
  const close = () => {
    dialog.remove();
    document.body.classList.remove("locked");
  };
  const leave = (answer) => {
    send("/api/newsletter", { answer });
    close();
  };
  byId("newsletter-close").addEventListener("click", () => leave("closed"));
  byId("newsletter-decline").addEventListener("click", () => leave("declined"));
  byId("newsletter-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const response = await send("/api/newsletter", {
      answer: "subscribed",
      email: form.elements.email.value,
      partner_offers: form.elements.partner_offers.checked,
    });
    if (response.ok) close();
    else byId("newsletter-problem").textContent = (await response.json()).error;
  });
}

const banner = byId("consent-banner");
const frame = byId("consent-frame");
if (banner) wireBanner(banner);
else if (frame) wireFrame(frame);
else if (!document.querySelector("permit-kit")) advertise();
