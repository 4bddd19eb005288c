// Tabs, steppers and calendars.

for (const holder of document.querySelectorAll("[data-tabs]")) {
  const tabs = [...holder.querySelectorAll("[role='tab']")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      for (const other of tabs) {
        other.setAttribute("aria-selected", String(other === tab));
        document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
      }
    });
  }
}

for (const stepper of document.querySelectorAll("[data-stepper]")) {
  const field = stepper.querySelector("input");
  for (const button of stepper.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const wanted = Number(field.value) + Number(button.dataset.by);
      field.value = Math.min(Number(field.max), Math.max(Number(field.min), wanted));
    });
  }
}

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const iso = (date) => date.toISOString().slice(0, 10);
const words = (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;

for (const picker of document.querySelectorAll("[data-date]")) {
  const field = picker.querySelector("input");
  const opener = picker.querySelector("button");
  const calendar = picker.querySelector(".calendar");
  const [first, last] = [picker.dataset.today, picker.dataset.last];
  let month = new Date(`${field.value.slice(0, 7)}-01T00:00:00Z`);

  const setOpen = (open) => {
    calendar.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
  };
  const button = (text, label, onclick) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick });
    made.setAttribute("aria-label", label);
    return made;
  };
  const turn = (by) => {
    month.setUTCMonth(month.getUTCMonth() + by);
    draw();
  };
  const draw = () => {
    const head = document.createElement("div");
    head.className = "calendar-head";
    const title = Object.assign(document.createElement("b"), { textContent: `${MONTHS[month.getUTCMonth()]} ${month.getUTCFullYear()}` });
    head.append(button("‹", "Previous month", () => turn(-1)), title, button("›", "Next month", () => turn(1)));
    const days = document.createElement("div");
    days.className = "calendar-days";
    const day = new Date(month);
    days.style.setProperty("--offset", String(((day.getUTCDay() + 6) % 7) + 1));
    while (day.getUTCMonth() === month.getUTCMonth()) {
      const date = new Date(day);
      const cell = button(String(date.getUTCDate()), words(date), () => {
        field.value = iso(date);
        opener.textContent = words(date);
        setOpen(false);
      });
      cell.disabled = iso(date) < first || iso(date) > last;
      if (iso(date) === field.value) cell.className = "chosen";
      days.append(cell);
      day.setUTCDate(day.getUTCDate() + 1);
    }
    calendar.replaceChildren(head, days);
  };
  opener.addEventListener("click", () => {
    draw();
    setOpen(calendar.hidden);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") setOpen(false);
  });
}
