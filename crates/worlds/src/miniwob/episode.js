// Begins an episode as the package's own Python environment does, and tells how it ended. Everything it relies on later is
// taken out of the page's reach first: the page's own script is trusted, but events can be made up.
(report, {seed, mode, millis}) => {
  const eventInDispatch = Object.getOwnPropertyDescriptor(window, 'event').get.bind(window);
  const stringify = JSON.stringify;
  const endEpisode = core.endEpisode;
  let ended = false;
  core.endEpisode = function (reward, timeProportional, reason) {
    const isFirst = !ended && core.EP_TIMER !== null;
    const event = eventInDispatch();
    const result = endEpisode.call(this, reward, timeProportional, reason);
    if (isFirst) {
      ended = true;
      const type = event ? String(event.type) : null;
      // `isTrusted` is an own property of every event that no script can redefine.
      const trusted = !event || event.isTrusted === true;
      report(stringify({raw: WOB_RAW_REWARD_GLOBAL, reason: reason === undefined ? null : String(reason), event: type, trusted}));
    }
    return result;
  };
  core.EPISODE_MAX_TIME = millis;
  Math.seedrandom(seed);
  core.setDataMode(mode);
  core.startEpisodeReal();
  const utterance = () => {
    const said = core.getUtterance();
    return typeof said === 'string' ? said : said.utterance;
  };
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + 5000;
    const look = () => {
      if (WOB_TASK_READY) resolve(utterance());
      else if (Date.now() > deadline) reject(new Error('the page did not get its problem ready'));
      else setTimeout(look, 20);
    };
    look();
  });
}
