// An agent of the step API with Node's own `fetch`, whose requests say `sec-fetch-mode: cors` as a browser's do.
//
// It searches the site for what the task has in quotes, and says that it is not there.

const post = async (path, body) => {
    const answer = await fetch(process.env.UMPIRE_STEP_URL + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, screenshot: "none" }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
};

const { session, observation } = await post("/reset", {});
const wanted = /[“"']([^”"']+)[”"']/.exec(observation.goal)[1];
const box = observation.elements.find(element => ["searchbox", "textbox"].includes(element.role));
await post("/step", { session, action: `fill('${box.mark}', '${wanted}')\nkeyboard_press('Enter')` });
await post("/step", { session, action: "report_infeasible('The search finds nothing of the kind.')" });
