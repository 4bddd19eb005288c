// Marks the section that is being read in the table of contents.
const entries = [...document.querySelectorAll(".contents a")];
const seen = new IntersectionObserver((changes) => {
  for (const change of changes) {
    const entry = entries.find((entry) => entry.hash === `#${change.target.id}`);
    entry?.classList.toggle("reading", change.isIntersecting);
  }
});
document.querySelectorAll(".text h2[id]").forEach((heading) => seen.observe(heading));
