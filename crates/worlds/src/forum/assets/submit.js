// The flairs follow the community, the fields follow the type of post.

const community = document.getElementById("community");
const flair = document.getElementById("flair");

async function loadFlairs() {
  const [placeholder] = flair.options;
  flair.replaceChildren(placeholder);
  if (!community.value) return;
  const response = await fetch(`/api/flairs?${new URLSearchParams({ community: community.value })}`);
  const { flairs } = await response.json();
  flair.append(...flairs.map((name) => new Option(name, name)));
}

community.addEventListener("change", loadFlairs);

for (const radio of document.querySelectorAll('input[name="kind"]')) {
  radio.addEventListener("change", () => {
    document.getElementById("text-part").hidden = radio.value === "link";
    document.getElementById("link-part").hidden = radio.value !== "link";
  });
}
