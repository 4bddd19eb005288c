// Put at the end of a report by a test, with the page's policy taken out: works the list as a reader would, and leaves
// what was seen where the test finds it.
(async () => {
  const form = document.getElementById('filters');
  const pane = document.getElementById('window');
  const seen = () => ({
    shown: document.getElementById('shown').textContent,
    rows: [...pane.querySelectorAll('tr[data-place]')].map((row) => [...row.cells].map((cell) => cell.textContent)),
  });
  const found = {};
  const filtered = async (name, value) => {
    form.elements[name].value = value;
    form.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => setTimeout(done, 200));
    const now = seen();
    form.elements[name].value = '';
    return now;
  };
  found.notPassed = await filtered('outcome', 'not-pass');
  found.passed = await filtered('outcome', 'pass');
  found.text = await filtered('text', 'LAMP');
  const agents = form.elements.agent;
  found.agentName = agents.options[1].textContent;
  found.agent = await filtered('agent', agents.options[1].value);
  found.nothing = await filtered('text', 'no such words');
  await filtered('text', '');

  const steps = [...document.querySelectorAll('th button')].find((button) => button.textContent === 'steps');
  const sort = () => steps.closest('th').getAttribute('aria-sort');
  steps.click();
  found.ascending = { sort: sort(), ...seen() };
  steps.click();
  found.descending = { sort: sort(), ...seen() };

  const press = (key) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    pane.dispatchEvent(event);
    const chosen = pane.querySelector('tr.chosen');
    return { place: chosen && Number(chosen.dataset.place), taken: event.defaultPrevented };
  };
  found.keys = ['ArrowDown', 'j', 'k', 'End', 'Home', 'x'].map((key) => ({ key, ...press(key) }));
  const detail = document.getElementById('detail');
  found.detail = { hidden: detail.hidden, text: detail.textContent };
  const result = document.createElement('template');
  result.id = 'found';
  result.setAttribute('data-json', encodeURIComponent(JSON.stringify(found)));
  document.body.append(result);
})();
