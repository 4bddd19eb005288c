'use strict';
// The list of attempts. Only the rows in sight are in the page, so it does not matter how many there are.
// Texts of pages and agents are set with textContent and never become markup.
(() => {
  const data = JSON.parse(document.getElementById('attempts-data').textContent);
  const total = data.agent.length;
  const ROW = 28;
  const SPARE = 12;
  const pane = document.getElementById('window');
  const table = pane.querySelector('table');
  const body = table.tBodies[0];
  const form = document.getElementById('filters');
  const shown = document.getElementById('shown');
  const detail = document.getElementById('detail');

  const number = (value) => (value < 0 ? '' : String(value));
  const time = (tenths) => {
    if (tenths < 0) return '';
    if (tenths < 600) return (tenths / 10).toFixed(1) + ' s';
    const seconds = Math.round(tenths / 10);
    return Math.floor(seconds / 60) + ' min ' + String(seconds % 60).padStart(2, '0') + ' s';
  };
  const money = (micros) => (micros < 0 ? '' : '$' + (micros / 1e6).toFixed(4));
  const named = (names, column) => (row) => names[column[row]];
  const columns = [
    { title: 'outcome', width: '92px', text: named(data.outcomes, data.outcome), key: data.outcome },
    { title: 'agent', width: '15%', text: named(data.agents, data.agent), names: data.agents, key: data.agent },
    { title: 'instance', width: '24%', text: (row) => data.instances[data.instance[row]] + (data.trial[row] > 1 ? ' #' + data.trial[row] : ''), names: data.instances, key: data.instance },
    { title: 'category', width: '12%', text: named(data.categories, data.category), names: data.categories, key: data.category },
    { title: 'steps', width: '64px', text: (row) => number(data.steps[row]), key: data.steps, right: true },
    { title: 'time', width: '88px', text: (row) => time(data.time[row]), key: data.time, right: true },
    { title: 'cost', width: '80px', text: (row) => money(data.cost[row]), key: data.cost, right: true },
    { title: 'reason', width: 'auto', text: named(data.reasons, data.reason), names: data.reasons, key: data.reason },
  ].filter((column) => column.title !== 'cost' || data.cost.some((micros) => micros >= 0));

  let order = Uint32Array.from({ length: total }, (_, row) => row);
  let matching = order;
  let sorted = null;
  let chosen = -1;
  let first = -1;
  let last = -1;

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  const heads = columns.map((column) => {
    const head = make('th', undefined, column.right ? 'number' : '');
    head.scope = 'col';
    head.style.width = column.width;
    const button = make('button', column.title);
    button.type = 'button';
    button.addEventListener('click', () => sortBy(column, head));
    head.append(button);
    return head;
  });
  const headRow = make('tr');
  headRow.append(...heads);
  table.tHead.append(headRow);

  for (const [name, values] of [['agent', data.agents], ['site', data.sites], ['category', data.categories]]) {
    const select = form.elements[name];
    for (const [index, value] of values.entries()) {
      const option = make('option', value);
      option.value = String(index);
      select.append(option);
    }
    if (values.length < 2) select.parentElement.hidden = true;
  }

  // Names are put in order once; rows are then compared by number alone.
  const ranks = (column) => {
    if (!column.names) return column.key;
    const byName = column.names.map((_, index) => index).sort((a, b) => (column.names[a] < column.names[b] ? -1 : 1));
    const rank = new Uint32Array(byName.length);
    byName.forEach((name, place) => { rank[name] = place; });
    return Uint32Array.from(column.key, (name) => rank[name]);
  };

  function sortBy(column, head) {
    const descending = sorted && sorted.column === column && !sorted.descending;
    const key = ranks(column);
    const sign = descending ? -1 : 1;
    order = Uint32Array.from({ length: total }, (_, row) => row).sort((a, b) => sign * (key[a] - key[b]) || a - b);
    sorted = { column, descending };
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    filter();
  }

  function filter() {
    const wanted = (name) => form.elements[name].value;
    const text = wanted('text').trim().toLowerCase();
    const has = (names) => names.map((name) => name.toLowerCase().includes(text));
    const [instances, reasons] = text ? [has(data.instances), has(data.reasons)] : [null, null];
    const outcome = data.outcomes.indexOf(wanted('outcome'));
    const notPassed = wanted('outcome') === 'not-pass';
    const [agent, site, category] = ['agent', 'site', 'category'].map((name) => (wanted(name) === '' ? -1 : Number(wanted(name))));
    matching = order.filter((row) =>
      (agent < 0 || data.agent[row] === agent) &&
      (site < 0 || data.site[row] === site) &&
      (category < 0 || data.category[row] === category) &&
      (outcome < 0 || data.outcome[row] === outcome) &&
      (!notPassed || data.outcome[row] !== 0) &&
      (!text || instances[data.instance[row]] || reasons[data.reason[row]]));
    shown.textContent = matching.length.toLocaleString('en') + ' of ' + total.toLocaleString('en');
    table.setAttribute('aria-rowcount', String(matching.length + 1));
    chosen = -1;
    detail.hidden = true;
    pane.scrollTop = 0;
    draw(true);
  }

  const gap = (rows) => {
    const row = make('tr', undefined, 'gap');
    row.setAttribute('aria-hidden', 'true');
    const cell = make('td');
    cell.colSpan = columns.length;
    cell.style.height = rows * ROW + 'px';
    row.append(cell);
    return row;
  };

  function line(place) {
    const row = matching[place];
    const element = make('tr', undefined, place === chosen ? 'chosen' : '');
    element.setAttribute('aria-rowindex', String(place + 2));
    element.dataset.place = String(place);
    for (const column of columns) {
      const text = column.text(row);
      const cell = make('td', undefined, column.right ? 'number' : '');
      if (column.title === 'outcome') cell.append(make('span', text, 'badge b-' + text));
      else cell.textContent = text;
      if (column.title === 'reason' || column.title === 'instance') cell.title = text;
      element.append(cell);
    }
    return element;
  }

  function draw(anew) {
    const top = Math.max(0, Math.floor(pane.scrollTop / ROW) - SPARE);
    const end = Math.min(matching.length, Math.ceil((pane.scrollTop + pane.clientHeight) / ROW) + SPARE);
    if (!anew && top === first && end === last) return;
    [first, last] = [top, end];
    const lines = [];
    if (top > 0) lines.push(gap(top));
    for (let place = top; place < end; place += 1) lines.push(line(place));
    if (end < matching.length) lines.push(gap(matching.length - end));
    body.replaceChildren(...lines);
  }

  function choose(place) {
    chosen = Math.max(0, Math.min(matching.length - 1, place));
    const top = chosen * ROW;
    const inSight = pane.clientHeight - 2 * ROW;
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (top > pane.scrollTop + inSight) pane.scrollTop = top - inSight;
    draw(true);
    explain(matching[chosen]);
  }

  function explain(row) {
    const id = data.agents[data.agent[row]] + '/' + data.instances[data.instance[row]] + '/' + data.trial[row];
    const command = make('p');
    command.append(make('code', 'umpire show ' + id));
    detail.replaceChildren(
      make('p', data.outcomes[data.outcome[row]] + ' · ' + id),
      make('p', data.reasons[data.reason[row]], 'said'),
      make('p', [data.sites[data.site[row]], data.categories[data.category[row]], data.steps[row] < 0 ? '' : data.steps[row] + ' steps', time(data.time[row]), money(data.cost[row])].filter(Boolean).join(' · '), 'muted'),
      command);
    detail.hidden = false;
  }

  let waiting = false;
  pane.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(false); });
  });
  body.addEventListener('click', (event) => {
    const row = event.target.closest('tr[data-place]');
    if (row) choose(Number(row.dataset.place));
  });
  pane.addEventListener('keydown', (event) => {
    if (event.target !== pane || matching.length === 0) return;
    const page = Math.floor(pane.clientHeight / ROW) - 2;
    const start = chosen < 0 ? Math.floor(pane.scrollTop / ROW) - 1 : chosen;
    const moves = { ArrowDown: start + 1, j: start + 1, ArrowUp: start - 1, k: start - 1, PageDown: start + page, PageUp: start - page, Home: 0, End: matching.length - 1, Enter: Math.max(start, 0) };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(moves[event.key]);
  });
  let typing = 0;
  form.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(filter, 60); });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  pane.hidden = false;
  filter();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
