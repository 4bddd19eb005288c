// A page's side of an episode, in the manner of MiniWoB++ and far smaller: what a page of that kind offers a harness.
var core = {EPISODE_MAX_TIME: 10000, EP_TIMER: null};
var WOB_RAW_REWARD_GLOBAL = 0, WOB_DONE_GLOBAL = false, WOB_TASK_READY = true;
var WOB_DATA_MODE = 'default';

Math.seedrandom = function (seed) {
  let state = seed + 1;
  Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;
};
core.setDataMode = mode => { WOB_DATA_MODE = mode; };
core.getUtterance = () => document.getElementById('query').textContent.trim();

core.startEpisode = function () {
  let cover = document.getElementById('cover');
  if (!cover) {
    cover = document.createElement('button');
    cover.id = 'cover';
    cover.textContent = 'START';
    cover.onclick = core.startEpisodeReal;
    document.body.append(cover);
  }
  cover.hidden = false;
};
core.startEpisodeReal = function () {
  genProblem();
  WOB_DONE_GLOBAL = false;
  document.getElementById('cover').hidden = true;
  core.EP_TIMER = setTimeout(() => core.endEpisode(-1, false, 'timed out'), core.EPISODE_MAX_TIME);
};
core.endEpisode = function (reward) {
  if (core.EP_TIMER === null) return;
  clearTimeout(core.EP_TIMER);
  core.EP_TIMER = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_DONE_GLOBAL = true;
  core.startEpisode();
};
window.onload = () => core.startEpisode();
